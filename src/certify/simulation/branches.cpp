#include "certify/simulation/branches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "certify/problem/classical.hpp"
#include "certify/problem/instance.hpp"
#include "certify/problem/numbers.hpp"
#include "certify/simulation/state_vector.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

constexpr std::size_t kFunctionalCount = 3;
constexpr unsigned kSampledContents = 4;
constexpr std::uint32_t kMaxQubits = 26;

/// The sums over the branches that end with the same classical contents.
struct Result {
  std::array<Complex, kFunctionalCount> functionals{};
  double probability = 0;
};
using Results = std::map<Bits, Result>;

/// The random vectors of <v| rho |w>, with entries of size about 1.
struct Functionals {
  std::array<std::vector<Complex>, kFunctionalCount> v;
  std::array<std::vector<Complex>, kFunctionalCount> w;
};

/// Random numbers for the parameters of both circuits and for opaque operations.
struct Constants {
  Bindings bindings;
  std::uint64_t opaque_seed = 0;
};

/// A circuit whose measurements and resets act on one qubit each.
class BranchedCircuit {
 public:
  BranchedCircuit(const Circuit& circuit, const Constants& constants)
      : circuit_(circuit), final_write_(circuit.operations.size(), false) {
    for (const Operation& operation : circuit.operations) {
      const bool is_unitary =
          operation.kind == OperationKind::gate || operation.kind == OperationKind::opaque;
      kernels_.push_back(is_unitary ? std::optional(kernel_of(operation, constants))
                                    : std::nullopt);
    }
    std::set<ClassicalBit> written_later;
    for (std::size_t i = circuit.operations.size(); i-- > 0;) {
      const Operation& operation = circuit.operations[i];
      if (operation.kind == OperationKind::reset) ++branch_points_;
      if (operation.kind != OperationKind::measure) continue;
      ++branch_points_;
      if (keeps_outcome(operation)) {
        final_write_[i] = written_later.insert(operation.classical->bits[0]).second;
      }
    }
  }

  [[nodiscard]] std::size_t branch_points() const { return branch_points_; }

  /// Adds up all branches from this state, or only those that end with `target` if it is not null.
  void follow(std::vector<Complex> state, const Functionals& functionals, const Bits* target,
              const Budget& budget, Results& results) const {
    follow_from(0, std::move(state), Bits(circuit_.bit_count(), false),
                {functionals, target, budget, results});
  }

  /// Returns the classical contents at the end of one random run.
  [[nodiscard]] Bits sample(std::vector<Complex> state, const Budget& budget,
                            RandomBits& random) const {
    Bits bits(circuit_.bit_count(), false);
    for (std::size_t i = 0; i < circuit_.operations.size(); ++i) {
      if (budget.spent()) throw OutOfBudget();
      const Operation& operation = circuit_.operations[i];
      if (!conditions_hold(circuit_, operation, bits)) continue;
      if (!is_branch_point(operation)) {
        apply_unitary(i, state);
        continue;
      }
      const Qubit qubit = operation.qubits.at(0);
      double norm = 0;
      double norm_one = 0;
      for (std::size_t k = 0; k < state.size(); ++k) {
        norm += std::norm(state[k]);
        if (((k >> qubit) & 1U) != 0) norm_one += std::norm(state[k]);
      }
      const bool outcome = uniform(random) * norm < norm_one;
      project(state, qubit, outcome);
      finish(operation, state, outcome, bits);
    }
    return bits;
  }

 private:
  struct Walk {
    const Functionals& functionals;
    const Bits* target;
    const Budget& budget;
    Results& results;
  };

  static Kernel kernel_of(const Operation& operation, const Constants& constants) {
    return {matrix_of(operation, constants.bindings, constants.opaque_seed),
            std::span<const Wire>(operation.qubits.data(), operation.qubits.size())};
  }

  static bool keeps_outcome(const Operation& operation) {
    return !operation.classical->bits.empty();
  }

  void apply_unitary(std::size_t position, std::vector<Complex>& state) const {
    if (kernels_[position].has_value()) kernels_[position]->apply(state);
  }

  static double project(std::vector<Complex>& state, Qubit qubit, bool outcome) {
    double norm = 0;
    for (std::size_t k = 0; k < state.size(); ++k) {
      if ((((k >> qubit) & 1U) != 0) != outcome) {
        state[k] = 0;
      } else {
        norm += std::norm(state[k]);
      }
    }
    return norm;
  }

  /// Completes a measurement or reset after the projection: writes the outcome, or resets the qubit
  /// to |0>.
  static void finish(const Operation& operation, std::vector<Complex>& state, bool outcome,
                     Bits& bits) {
    if (operation.kind == OperationKind::measure) {
      if (keeps_outcome(operation)) bits[operation.classical->bits[0]] = outcome;
    } else if (outcome) {
      const std::size_t mask = std::size_t{1} << operation.qubits.at(0);
      for (std::size_t k = 0; k < state.size(); ++k) {
        if ((k & mask) == 0) std::swap(state[k], state[k | mask]);
      }
    }
  }

  void follow_from(std::size_t position, std::vector<Complex> state, Bits bits,
                   const Walk& walk) const {
    for (; position < circuit_.operations.size(); ++position) {
      if (walk.budget.spent()) throw OutOfBudget();
      const Operation& operation = circuit_.operations[position];
      if (!conditions_hold(circuit_, operation, bits)) continue;
      if (!is_branch_point(operation)) {
        apply_unitary(position, state);
        continue;
      }
      for (const bool outcome : {false, true}) {
        if (walk.target != nullptr && final_write_[position] &&
            (*walk.target)[operation.classical->bits[0]] != outcome) {
          continue;
        }
        std::vector<Complex> projected = state;
        // Such a branch contributes far less than the tolerance.
        if (project(projected, operation.qubits.at(0), outcome) < 1e-24) continue;
        Bits written = bits;
        finish(operation, projected, outcome, written);
        follow_from(position + 1, std::move(projected), std::move(written), walk);
      }
      return;
    }
    if (walk.target != nullptr && bits != *walk.target) return;
    Result& result = walk.results[bits];
    result.probability += inner_product(state, state).real();
    for (std::size_t i = 0; i < kFunctionalCount; ++i) {
      result.functionals[i] +=
          inner_product(walk.functionals.v[i], state) * inner_product(state, walk.functionals.w[i]);
    }
  }

  const Circuit& circuit_;
  std::vector<std::optional<Kernel>> kernels_;  ///< kernels of the unitary operations
  std::vector<bool> final_write_;  ///< whether the operation is the last one to write its bit
  std::size_t branch_points_ = 0;
};

Constants random_constants(const Circuit& left, const Circuit& right, const Ranges& ranges,
                           RandomBits& random) {
  Constants constants;
  std::set<std::string> symbols;
  for (const Circuit* circuit : {&left, &right}) {
    for (const Operation& operation : circuit->operations) {
      for (const Angle& angle : operation.angles) {
        for (std::string& name : angle.symbols()) symbols.insert(std::move(name));
      }
    }
  }
  for (const std::string& name : symbols) {
    const auto range = ranges.find(name);
    constants.bindings[name] =
        std::numbers::pi * (2 * uniform(random) - 1) * (range == ranges.end() ? 1 : range->second);
  }
  constants.opaque_seed = random();
  return constants;
}

Functionals random_functionals(std::size_t dimension, RandomBits& random, const Budget& budget) {
  Functionals functionals;
  const double scale = std::sqrt(static_cast<double>(dimension));
  for (auto* vectors : {&functionals.v, &functionals.w}) {
    for (std::vector<Complex>& vector : *vectors) {
      vector = random_state(dimension, random, budget);
      for (Complex& entry : vector) entry *= scale;
    }
  }
  return functionals;
}

std::string describe_contents(const Circuit& circuit, const Bits& bits) {
  std::string text;
  for (const Register& source : circuit.bit_registers) {
    if (!text.empty()) text += " ";
    text += source.name + "=";
    for (std::uint32_t i = source.size; i-- > 0;) text += bits[source.first + i] ? '1' : '0';
  }
  return text;
}

/// Returns the names of the opaque operations of both circuits, as in "'foo', 'delay[10ns]'".
std::string names_of_opaque(const Circuit& left, const Circuit& right) {
  std::set<std::string> names;
  for (const Circuit* circuit : {&left, &right}) {
    for (const Operation& operation : circuit->operations) {
      if (operation.kind != OperationKind::opaque) continue;
      names.insert(fmt::format("'{}'", operation.classical->opaque_name));
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Describes where two collections of results differ; returns an empty string if they do not.
/// Probabilities are omitted if they depend on random unitaries for opaque operations, whose names
/// are `opaque`, because they would mean nothing to the user.
std::string describe_difference(const Circuit& circuit, const std::string& opaque,
                                const Results& left, const Results& right) {
  std::set<Bits> all;
  for (const auto& [bits, result] : left) all.insert(bits);
  for (const auto& [bits, result] : right) all.insert(bits);
  const auto find = [](const Results& results, const Bits& bits) {
    const auto found = results.find(bits);
    return found == results.end() ? Result{} : found->second;
  };
  for (const Bits& bits : all) {
    const Result l = find(left, bits);
    const Result r = find(right, bits);
    // Relative to the branch's amplitudes, so that a rare branch counts as much as others.
    const double allowed = kVisibleDifference * std::sqrt(std::max(l.probability, r.probability));
    if (!(std::abs(l.probability - r.probability) <= allowed)) {
      if (!opaque.empty()) {
        return fmt::format(
            "the probability of the result {} differs for random unitaries in place "
            "of {}",
            describe_contents(circuit, bits), opaque);
      }
      return fmt::format(
          "the result {} has probability {:.9g} in the left circuit, {:.9g} in the "
          "right one",
          describe_contents(circuit, bits), l.probability, r.probability);
    }
    for (std::size_t i = 0; i < kFunctionalCount; ++i) {
      if (!(std::abs(l.functionals[i] - r.functionals[i]) <= allowed)) {
        if (!opaque.empty()) {
          return fmt::format(
              "after the result {} the states differ for random unitaries in place "
              "of {}",
              describe_contents(circuit, bits), opaque);
        }
        return fmt::format("after the result {} (probability {:.9g} in both) the states differ",
                           describe_contents(circuit, bits), l.probability);
      }
    }
  }
  return "";
}

/// An input state and its name in messages.
struct Input {
  std::vector<Complex> state;
  std::string name;
};

std::vector<Input> inputs(std::size_t dimension, RandomBits& random, const Budget& budget) {
  std::vector<Input> result;
  result.push_back({std::vector<Complex>(dimension), "all qubits 0"});
  result.back().state[0] = 1;
  for (int i = 0; i < 2; ++i) {
    const std::uint64_t seed = random();
    RandomBits own(seed);
    result.push_back(
        {random_state(dimension, own, budget), fmt::format("a random state (seed {})", seed)});
  }
  return result;
}

/// Compares two circuits of the same size, with the same numbers for parameters and opaque
/// operations.
class BranchComparison {
 public:
  /// `ranges` scales the ranges of parameters (certify/instance.hpp).
  BranchComparison(const Circuit& left, const Circuit& right, const Ranges& ranges,
                   const Budget& budget, std::uint64_t seed)
      : left_circuit_(left),
        opaque_(names_of_opaque(left, right)),
        budget_(budget),
        random_(seed),
        constants_(random_constants(left, right, ranges, random_)),
        left_(left, constants_),
        right_(right, constants_) {}

  [[nodiscard]] std::size_t branch_points() const {
    return std::max(left_.branch_points(), right_.branch_points());
  }

  /// Returns a witness, or an empty string if no difference is found.
  std::string find_difference(bool follow_all) {
    const std::size_t dimension = std::size_t{1} << left_circuit_.qubit_count();
    functionals_ = random_functionals(dimension, random_, budget_);
    for (const Input& input : inputs(dimension, random_, budget_)) {
      const std::string found = follow_all ? difference(input, nullptr) : sampled_difference(input);
      if (!found.empty()) {
        return fmt::format("input {}{}: {}", input.name,
                           described_parameters(constants_.bindings, {}), found);
      }
    }
    return "";
  }

 private:
  [[nodiscard]] std::string difference(const Input& input, const Bits* target) const {
    Results left;
    Results right;
    left_.follow(input.state, functionals_, target, budget_, left);
    right_.follow(input.state, functionals_, target, budget_, right);
    return describe_difference(left_circuit_, opaque_, left, right);
  }

  std::string sampled_difference(const Input& input) {
    for (unsigned i = 0; i < kSampledContents; ++i) {
      const BranchedCircuit& sampled = i % 2 == 0 ? left_ : right_;
      const Bits target = sampled.sample(input.state, budget_, random_);
      std::string found = difference(input, &target);
      if (!found.empty()) return found;
    }
    return "";
  }

  const Circuit& left_circuit_;
  const std::string opaque_;
  const Budget& budget_;
  RandomBits random_;
  Constants constants_;
  BranchedCircuit left_;
  BranchedCircuit right_;
  Functionals functionals_;
};

/// Returns the memory for the state vectors of every level of branching and for the functionals.
double memory_needed(std::uint32_t qubits, std::size_t branch_points) {
  return sizeof(Complex) * std::exp2(static_cast<double>(qubits)) *
         static_cast<double>(branch_points + 2 * kFunctionalCount + 5);
}

}  // namespace

Comparison search_branch_difference(const Circuit& left, const Circuit& right, const Budget& budget,
                                    std::uint64_t seed) {
  ensure(left.qubit_count() == right.qubit_count() && left.bit_count() == right.bit_count(),
         "only circuits of the same size are compared");
  const std::string all = "all branches on random states in double precision";
  try {
    const Circuit single_left = with_single_qubit_boundaries(left);
    const Circuit single_right = with_single_qubit_boundaries(right);
    if (left.qubit_count() > kMaxQubits) return unknown_because(all, "too many qubits");
    std::string method = all;
    std::string reason = "no difference found, which proves nothing";
    for (const Ranges& range : ranges_to_search(left, right)) {
      BranchComparison comparison(single_left, single_right, range, budget, seed);
      const std::size_t points = comparison.branch_points();
      if (memory_needed(left.qubit_count(), points) > budget.memory_bytes) {
        return unknown_without(Shortage::memory, all, "too many qubits for the memory allowed");
      }
      const bool follow_all = points <= kMaxBranchPoints;
      if (!follow_all) {
        method = "some branches on random states in double precision";
        reason = fmt::format(
            "no difference found; {} measurements and resets are too many to follow every branch",
            points);
      }
      const std::string witness = comparison.find_difference(follow_all);
      if (!witness.empty()) return different_by(method, witness);
    }
    return unknown_because(method, reason);
  } catch (const OutOfBudget&) {
    return out_of_time(all);
  } catch (const Unsupported& unsupported) {
    return unknown_because(all, unsupported.what + " is too large");
  }
}

}  // namespace quartz::certify
