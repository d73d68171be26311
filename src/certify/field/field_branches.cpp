#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "certify/field/field_comparison.hpp"
#include "certify/field/field_gate.hpp"
#include "certify/field/random_point.hpp"
#include "certify/problem/classical.hpp"
#include "certify/simulation/branches.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

using Element = PrimeField::Element;

constexpr const char* kPlainBranchesName = "all branches, exactly modulo a random prime";
constexpr std::uint32_t kMaxQubitsOfBranches = 26;

/// <v| rho_b |w> for each of the contents b that occur.
using Results = std::map<Bits, Element>;

/// The random vectors, drawn once for both circuits.
struct Probe {
  std::vector<Element> input;
  std::vector<Element> conjugate_input;
  std::vector<Element> left_functional;
  std::vector<Element> right_functional;
};

std::vector<Element> random_vector(std::size_t size, const PrimeField& field, RandomBits& random) {
  std::vector<Element> vector(size);
  for (Element& entry : vector) entry = field.random_unit(random);
  return vector;
}

Element dot(const PrimeField& field, const std::vector<Element>& a, const std::vector<Element>& b) {
  Element sum = field.zero();
  for (std::size_t i = 0; i < a.size(); ++i) sum = field.add(sum, field.multiply(a[i], b[i]));
  return sum;
}

FieldGate field_gate(const Operation& operation, const RandomPoint& point,
                     const OpaqueMatrices& opaque, bool conjugate) {
  return {field_matrix(operation, point, opaque, conjugate),
          std::span<const Wire>(operation.qubits.data(), operation.qubits.size()), point.field()};
}

/// Follows the branches of a circuit whose measurements and resets act on one qubit each.
class BranchSum {
 public:
  BranchSum(const Circuit& circuit, const RandomPoint& point, const OpaqueMatrices& opaque,
            const Budget& budget)
      : circuit_(circuit), field_(point.field()), budget_(budget) {
    for (const Operation& operation : circuit.operations) {
      const bool is_unitary =
          operation.kind == OperationKind::gate || operation.kind == OperationKind::opaque;
      gates_.push_back(is_unitary
                           ? std::optional(GatePair{field_gate(operation, point, opaque, false),
                                                    field_gate(operation, point, opaque, true)})
                           : std::nullopt);
    }
  }

  Results run(const Probe& probe) {
    results_.clear();
    probe_ = &probe;
    follow(0, {probe.input, probe.conjugate_input}, Bits(circuit_.bit_count(), false));
    return results_;
  }

 private:
  struct GatePair {
    FieldGate gate;
    FieldGate conjugate;
  };
  /// A state and its conjugate, which are independent of each other in the field.
  struct StatePair {
    std::vector<Element> state;
    std::vector<Element> conjugate;
  };

  void follow(std::size_t position, StatePair states, Bits bits) {
    for (; position < circuit_.operations.size(); ++position) {
      if (budget_.spent()) throw OutOfBudget();
      const Operation& operation = circuit_.operations[position];
      if (!conditions_hold(circuit_, operation, bits)) continue;
      if (!is_branch_point(operation)) {
        if (!gates_[position].has_value()) continue;
        gates_[position]->gate.apply(field_, states.state);
        gates_[position]->conjugate.apply(field_, states.conjugate);
        continue;
      }
      for (const bool outcome : {false, true}) {
        StatePair projected = states;
        if (!project(projected.state, operation, outcome)) continue;
        if (!project(projected.conjugate, operation, outcome)) continue;
        Bits written = bits;
        if (operation.kind == OperationKind::measure && !operation.classical->bits.empty()) {
          written[operation.classical->bits[0]] = outcome;
        }
        follow(position + 1, std::move(projected), std::move(written));
      }
      return;
    }
    const auto [sum, is_new] = results_.try_emplace(std::move(bits), field_.zero());
    sum->second = field_.add(
        sum->second, field_.multiply(dot(field_, probe_->left_functional, states.state),
                                     dot(field_, probe_->right_functional, states.conjugate)));
  }

  /// Projects the state, and for a reset returns the qubit to |0>. Returns false for the zero
  /// vector.
  bool project(std::vector<Element>& state, const Operation& operation, bool outcome) const {
    const std::size_t mask = std::size_t{1} << operation.qubits.at(0);
    bool is_zero = true;
    for (std::size_t k = 0; k < state.size(); ++k) {
      if (((k & mask) != 0) != outcome) {
        state[k] = field_.zero();
      } else {
        is_zero = is_zero && state[k] == 0;
      }
    }
    if (operation.kind == OperationKind::reset && outcome) {
      for (std::size_t k = 0; k < state.size(); ++k) {
        if ((k & mask) == 0) std::swap(state[k], state[k | mask]);
      }
    }
    return !is_zero;
  }

  const Circuit& circuit_;
  const PrimeField& field_;
  const Budget& budget_;
  std::vector<std::optional<GatePair>> gates_;  ///< gates of the unitary operations
  const Probe* probe_ = nullptr;
  Results results_;
};

bool same_results(const Results& left, const Results& right) {
  const auto covers = [](const Results& a, const Results& b) {
    return std::all_of(a.begin(), a.end(), [&](const auto& entry) {
      const auto other = b.find(entry.first);
      return entry.second == (other == b.end() ? Element{0} : other->second);
    });
  };
  return covers(left, right) && covers(right, left);
}

std::size_t branch_points(const Circuit& circuit) {
  return static_cast<std::size_t>(
      std::count_if(circuit.operations.begin(), circuit.operations.end(), is_branch_point));
}

Comparison compare_all(const Circuit& left, const Circuit& right, const Budget& budget,
                       std::uint64_t seed) {
  RandomBits random(seed);
  AngleDenominators denominators;
  for (const Circuit* circuit : {&left, &right}) {
    for (const Operation& operation : circuit->operations) {
      if (operation.kind == OperationKind::gate) include_angles(operation, denominators);
    }
  }
  const RandomPoint point(std::move(denominators), random);
  const OpaqueMatrices opaque(random());
  Degree degree;
  for (const Circuit* circuit : {&left, &right}) {
    for (const Operation& operation : circuit->operations) {
      if (operation.kind != OperationKind::gate && operation.kind != OperationKind::opaque)
        continue;
      const Degree own = degree_of(operation, point);
      degree.width += 2 * own.width;  // for the operation and its conjugate
      degree.coefficients += 2 * own.coefficients;
    }
  }
  degree.width += 4;  // the inputs and functionals
  const double log2_failure =
      point.log2_failure(degree) + static_cast<double>(branch_points(left) + 1);
  if (!(log2_failure <= kMaxLog2Failure)) {
    return unknown_because(kPlainBranchesName, "the angles have too many digits");
  }
  const std::size_t dimension = std::size_t{1} << left.qubit_count();
  Probe probe;
  for (std::vector<Element>* vector :
       {&probe.input, &probe.conjugate_input, &probe.left_functional, &probe.right_functional}) {
    *vector = random_vector(dimension, point.field(), random);
  }
  if (!same_results(BranchSum(left, point, opaque, budget).run(probe),
                    BranchSum(right, point, opaque, budget).run(probe))) {
    Comparison result = unknown_because(kPlainBranchesName, "the circuits differ for exact angles");
    result.differs_exactly = true;
    return result;
  }
  Comparison result = equal_by("all branches, " + field_method_name(log2_failure));
  result.log2_failure = log2_failure;
  return result;
}

}  // namespace

Comparison compare_branches_in_field(const Circuit& left, const Circuit& right,
                                     const Budget& budget, std::uint64_t seed) {
  const Circuit single_left = with_single_qubit_boundaries(left);
  const Circuit single_right = with_single_qubit_boundaries(right);
  const std::size_t points = std::max(branch_points(single_left), branch_points(single_right));
  if (points > kMaxBranchPoints) {
    return unknown_because(
        kPlainBranchesName,
        fmt::format("{} measurements and resets are too many to follow every branch", points));
  }
  const double memory = 2 * sizeof(Element) * std::exp2(static_cast<double>(left.qubit_count())) *
                        static_cast<double>(points + 4);
  if (left.qubit_count() > kMaxQubitsOfBranches || memory > budget.memory_bytes) {
    return unknown_without(Shortage::memory, kPlainBranchesName,
                           "too many qubits for the memory allowed");
  }
  const auto operations =
      static_cast<double>(single_left.operations.size() + single_right.operations.size());
  // Each operation is applied to a vector and a conjugate one.
  const double updates = 2 * operations * std::exp2(static_cast<double>(left.qubit_count()));
  if (updates * kSecondsPerFieldUpdate > budget.seconds_left()) {
    return unknown_without(Shortage::time, kPlainBranchesName,
                           "too many qubits and gates for the time left");
  }
  try {
    return compare_all(single_left, single_right, budget, seed);
  } catch (const OutOfBudget&) {
    return out_of_time(kPlainBranchesName);
  } catch (const Unsupported& unsupported) {
    return unknown_because(kPlainBranchesName, unsupported.what + " is not supported");
  } catch (const OverflowError& error) {
    return unknown_because(kPlainBranchesName, error.what());
  }
}

}  // namespace quartz::certify
