#include "certify/simulation/sparse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "certify/problem/instance.hpp"
#include "certify/problem/numbers.hpp"

namespace quartz::certify {
namespace {

constexpr unsigned kBasisStates = 16;
/// Amplitudes below this are dropped; their sum stays far below `kVisibleDifference`.
constexpr double kNegligible = 1e-15;
/// Allowance for the rounding of each gate: angles are off by at most 2e-14
/// (Angle::value_modulo_error).
constexpr double kRoundingPerGate = 4e-14;

struct Amplitude {
  std::uint64_t state = 0;
  Complex value;
};

/// Distinct basis states with their amplitudes, in any order.
using SparseState = std::vector<Amplitude>;

void sort_by_state(SparseState& state) {
  std::sort(state.begin(), state.end(),
            [](const Amplitude& a, const Amplitude& b) { return a.state < b.state; });
}

/// Adds up the amplitudes of equal basis states.
void merge(SparseState& state) {
  sort_by_state(state);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < state.size();) {
    Amplitude sum = state[i];
    for (++i; i < state.size() && state[i].state == sum.state; ++i) sum.value += state[i].value;
    if (!(std::abs(sum.value) <= kNegligible)) state[kept++] = sum;
  }
  state.resize(kept);
}

/// A gate as a list of images for each local basis state.
class SparseGate {
 public:
  explicit SparseGate(const std::vector<Complex>& matrix, const Operation& operation)
      : wires_(operation.qubits.begin(), operation.qubits.end()) {
    const std::size_t dimension = std::size_t{1} << wires_.size();
    images_.resize(dimension);
    for (std::size_t row = 0; row < dimension; ++row) {
      std::uint64_t spread = 0;
      for (std::size_t i = 0; i < wires_.size(); ++i) {
        if (((row >> i) & 1U) != 0) spread |= std::uint64_t{1} << wires_[i];
      }
      mask_ |= spread;
      for (std::size_t column = 0; column < dimension; ++column) {
        const Complex entry = matrix[row * dimension + column];
        if (entry != Complex(0)) images_[column].push_back({spread, entry});
      }
    }
    branches_ = std::any_of(images_.begin(), images_.end(),
                            [](const auto& images) { return images.size() > 1; });
  }

  void apply(SparseState& state) const {
    SparseState result;
    result.reserve(branches_ ? 2 * state.size() : state.size());
    for (const Amplitude& amplitude : state) {
      std::size_t local = 0;
      for (std::size_t i = 0; i < wires_.size(); ++i) {
        local |= static_cast<std::size_t>((amplitude.state >> wires_[i]) & 1U) << i;
      }
      for (const Amplitude& image : images_[local]) {
        result.push_back(
            {(amplitude.state & ~mask_) | image.state, times(image.value, amplitude.value)});
      }
    }
    state = std::move(result);
    if (branches_) merge(state);
  }

 private:
  std::vector<Wire> wires_;
  std::uint64_t mask_ = 0;
  std::vector<SparseState> images_;
  bool branches_ = false;
};

std::vector<SparseGate> make_gates(const std::vector<Step>& steps, const Instance& instance,
                                   const Budget& budget) {
  std::vector<SparseGate> gates;
  for (const Step& step : steps) {
    if (budget.spent()) throw OutOfBudget();
    if (step.condition.has_value() && !instance.truth[*step.condition]) continue;
    gates.emplace_back(matrix_of(step.operation, instance.bindings, instance.opaque_seed),
                       step.operation);
  }
  return gates;
}

/// Returns the image of a basis state, sorted. Throws OutOfBudget, also for too many amplitudes.
SparseState image(const std::vector<SparseGate>& gates, std::uint64_t input, const Budget& budget,
                  std::size_t max_amplitudes) {
  SparseState state{{input, 1}};
  for (const SparseGate& gate : gates) {
    if (budget.spent() || state.size() > max_amplitudes) throw OutOfBudget();
    gate.apply(state);
  }
  sort_by_state(state);
  return state;
}

std::uint64_t random_basis_state(const Problem& problem, RandomBits& random) {
  std::uint64_t state = random();
  for (Wire wire = 0; wire < 64; ++wire) {
    if (wire >= problem.wires.size() || problem.wires[wire].starts_zero) {
      state &= ~(std::uint64_t{1} << wire);
    }
  }
  return state;
}

/// Returns random truth values.
std::vector<bool> random_truth(const Problem& problem, RandomBits& random) {
  const std::set<std::uint32_t> used = problem.conditions();
  std::vector<bool> truth(used.empty() ? 0 : std::size_t{*used.rbegin()} + 1, false);
  for (const std::vector<std::uint32_t>& group : problem.condition_groups) {
    const std::size_t chosen = random() % (group.size() + 1);
    if (chosen < group.size() && group[chosen] < truth.size()) truth[group[chosen]] = true;
  }
  return truth;
}

Complex overlap(const SparseState& left, const SparseState& right) {
  Complex sum = 0;
  for (auto l = left.begin(), r = right.begin(); l != left.end() && r != right.end();) {
    if (l->state == r->state) sum += std::conj(l->value) * r->value;
    const std::uint64_t last = std::min(l->state, r->state);
    if (l->state == last) ++l;
    if (r != right.end() && r->state == last) ++r;
  }
  return sum;
}

/// The basis state in which right differs most from e^{i phase} left. Both must be sorted.
struct LargestDifference {
  std::uint64_t state = 0;
  Complex left;
  Complex right;
  double size = 0;
};

LargestDifference largest_difference(const SparseState& left, const SparseState& right,
                                     Complex phase) {
  LargestDifference worst;
  auto l = left.begin();
  auto r = right.begin();
  while (l != left.end() || r != right.end()) {
    const bool take_left = r == right.end() || (l != left.end() && l->state <= r->state);
    const bool take_right = l == left.end() || (r != right.end() && r->state <= l->state);
    LargestDifference here;
    here.state = take_left ? l->state : r->state;
    if (take_left) here.left = phase * (l++)->value;
    if (take_right) here.right = (r++)->value;
    here.size = std::abs(here.right - here.left);
    if (here.size > worst.size) worst = here;
  }
  return worst;
}

/// Returns the names of all opaque operations, as in "'foo', 'bar'".
std::string describe_opaque(const Problem& problem) {
  std::set<std::string> names;
  for (const std::vector<Step>* steps : {&problem.left, &problem.right}) {
    for (const Step& step : *steps) {
      if (step.operation.kind != OperationKind::opaque) continue;
      names.insert(fmt::format("'{}'", step.operation.classical->opaque_name));
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Describes two different images of an input. Amplitudes are omitted if they depend on random
/// unitaries for opaque operations, because they would mean nothing to the user.
std::string describe_witness(const Problem& problem, const Instance& instance, std::uint64_t input,
                             const LargestDifference& worst, bool aligned) {
  std::string text = "input " + describe_basis_state(problem, input);
  text += described_parameters(instance.bindings, problem.outcome_symbols);
  if (problem.has_opaque()) {
    return fmt::format("{}: the outputs differ for random unitaries in place of {}", text,
                       describe_opaque(problem));
  }
  return fmt::format("{}: amplitude of output {}: left {}, right {}{}", text,
                     describe_basis_state(problem, worst.state), describe(worst.left),
                     describe(worst.right), aligned ? kAlignedOnZero : "");
}

/// Compares the images of random basis states. Returns a witness, or an empty string if all are
/// equal.
std::string find_difference(const Problem& problem, const Instance& instance, const Budget& budget,
                            std::size_t max_amplitudes, RandomBits& random) {
  const std::vector<SparseGate> left_gates = make_gates(problem.left, instance, budget);
  const std::vector<SparseGate> right_gates = make_gates(problem.right, instance, budget);
  const double visible =
      kVisibleDifference +
      kRoundingPerGate * static_cast<double>(problem.left.size() + problem.right.size());
  std::optional<Complex> phase;
  for (unsigned i = 0; i < kBasisStates; ++i) {
    const std::uint64_t input = i == 0 ? 0 : random_basis_state(problem, random);
    const SparseState left = image(left_gates, input, budget, max_amplitudes);
    const SparseState right = image(right_gates, input, budget, max_amplitudes);
    if (!phase.has_value()) {
      const Complex inner = overlap(left, right);
      phase = std::abs(inner) > 0.5 ? inner / std::abs(inner) : Complex(1);
    }
    const LargestDifference worst = largest_difference(left, right, *phase);
    if (worst.size <= visible) continue;
    return describe_witness(problem, instance, input, worst, i > 0);
  }
  return "";
}

}  // namespace

Comparison search_difference(const Problem& problem, const Budget& budget,
                             std::size_t max_amplitudes, std::uint64_t seed) {
  const std::string method =
      fmt::format("{} basis states, sparse simulation in double precision", kBasisStates);
  if (problem.wires.size() > 64) return unknown_because(method, "more than 64 qubits");
  RandomBits random(seed);
  try {
    for (const Ranges& range : ranges_to_search(problem)) {
      const Instance instance{random_bindings(problem, random, range),
                              random_truth(problem, random), random()};
      const std::string witness =
          find_difference(problem, instance, budget, max_amplitudes, random);
      if (!witness.empty()) return different_by(method, witness);
    }
    return unknown_because(method, "no difference found, which proves nothing");
  } catch (const OutOfBudget&) {
    // Other methods may need less memory, but more of it does not help this one much.
    return budget.spent() ? out_of_time(method) : unknown_because(method, "too many amplitudes");
  } catch (const Unsupported& unsupported) {
    return unknown_because(method, unsupported.what + " is too large");
  }
}

}  // namespace quartz::certify
