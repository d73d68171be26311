#include "certify/dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "certify/instance.hpp"
#include "certify/numbers.hpp"
#include "certify/state_vector.hpp"
#include "quartz/errors.hpp"

namespace quartz::certify {
namespace {

constexpr unsigned random_states = 3;
/// More combinations of truth values than this are not tried.
constexpr std::uint64_t max_truth_choices = 256;
/// An amplitude of a state that, where time matters, does not fit the caches takes some
/// nanoseconds; gates with several controls touch an eighth of them. What cannot end even so is not
/// begun.
constexpr double most_updates_per_second = 1e10;
/// More wires than this are never simulated: indexes stay far from 64 bits.
constexpr std::size_t max_wires = 40;

std::vector<Wire> free_wires(const Problem& problem) {
  std::vector<Wire> wires;
  for (Wire wire = 0; wire < problem.wires.size(); ++wire) {
    if (!problem.wires[wire].starts_zero) wires.push_back(wire);
  }
  return wires;
}

/// The basis state whose free wires hold the bits of `index`.
std::size_t basis_state(const std::vector<Wire>& free, std::size_t index) {
  std::size_t state = 0;
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (((index >> i) & 1U) != 0) state |= std::size_t{1} << free[i];
  }
  return state;
}

std::string describe_truth(const std::vector<bool>& truth) {
  if (truth.empty()) return "";
  std::string text = ", conditions";
  for (const bool value : truth) text += value ? " true" : " false";
  return text;
}

/// The amplitude in which `right` differs most from e^{i phase} `left`.
std::string describe_difference(const Problem& problem, std::span<const Complex> left,
                                std::span<const Complex> right, Complex phase) {
  std::size_t worst = 0;
  double largest = -1;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const double size = std::abs(right[i] - phase * left[i]);
    if (size > largest) {
      largest = size;
      worst = i;
    }
  }
  return fmt::format("amplitude of output {}: left {}, right {}",
                     describe_basis_state(problem, worst), describe(phase * left[worst]),
                     describe(right[worst]));
}

double distance(std::span<const Complex> left, std::span<const Complex> right, Complex phase) {
  double sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += std::norm(right[i] - phase * left[i]);
  return std::sqrt(sum);
}

/// Collects the phases of several members of the family: one number, or none.
class PhaseRecord {
 public:
  void add(double phase) {
    if (!seen_) {
      first_ = phase;
      seen_ = true;
    } else if (std::abs(std::remainder(phase - first_, 2 * std::numbers::pi)) > tolerance) {
      one_ = false;
    }
  }
  [[nodiscard]] bool is_one() const { return one_; }
  [[nodiscard]] std::optional<double> phase() const {
    return one_ ? std::optional<double>(first_) : std::nullopt;
  }

 private:
  bool seen_ = false;
  bool one_ = true;
  double first_ = 0;
};

/// Both circuits at one instance.
struct Pair {
  std::vector<Kernel> left;
  std::vector<Kernel> right;
};

Pair make_pair(const Problem& problem, const Instance& instance) {
  return {make_kernels(problem.left, instance), make_kernels(problem.right, instance)};
}

/// Compares the images of one state. Sets `phase` if it is not known yet; returns a witness,
/// empty if they are equal.
std::string compare_images(const Problem& problem, std::span<const Complex> left,
                           std::span<const Complex> right, std::optional<Complex>& phase) {
  if (!phase.has_value()) {
    const Complex overlap = inner_product(left, right);
    const double size = std::abs(overlap);
    phase = size > 0.5 ? overlap / size : Complex(1);
  }
  if (distance(left, right, *phase) <= tolerance) return "";
  return describe_difference(problem, left, right, *phase);
}

bool run_within(const Budget& budget, std::span<const Kernel> kernels, std::span<Complex> state) {
  for (const Kernel& kernel : kernels) {
    if (budget.spent()) return false;
    kernel.apply(state);
  }
  return true;
}

/// Unitaries can differ only by a phase that is the same for all outcomes (their determinants do
/// not depend on more). Isometries can differ by one that is not, and then the branches do not
/// correspond: so every other member of the family changes the outcomes only.
bool outcomes_matter_for_phase(const Problem& problem) {
  return problem.has_zero_wires() && !problem.outcome_symbols.empty();
}

/// Compares members of the two families: all truth values, random symbols.
class FamilyComparison {
 public:
  FamilyComparison(const Problem& problem, const Budget& budget, std::uint64_t seed)
      : problem_(problem), budget_(budget), random_(seed) {}

  /// `compare(pair, witness)` returns the phase, or nothing: with a witness where the two differ,
  /// without when out of time.
  template <typename Compare>
  Comparison run(const std::string& method, unsigned instances, const Compare& compare) {
    if (truth_choices(problem_) > max_truth_choices) {
      return unknown_because(method, "too many conditions to try all truth values");
    }
    try {
      return run_all(method, instances, compare);
    } catch (const Unsupported& unsupported) {
      return unknown_because(method, unsupported.what + " is too large");
    } catch (const OutOfBudget&) {
      return unknown_because(method, "out of time");
    }
  }

  RandomBits& random() { return random_; }

 private:
  template <typename Compare>
  Comparison run_all(const std::string& method, unsigned instances, const Compare& compare) {
    Comparison result = equal_by(method);
    PhaseRecord over_all;
    for_each_truth(problem_, [&](const std::vector<bool>& truth) {
      Instance instance{{}, truth, random_()};
      PhaseRecord over_outcomes;
      for (unsigned i = 0; i < instances; ++i) {
        const bool only_outcomes_change = outcomes_matter_for_phase(problem_) && i % 2 == 1;
        const Bindings previous = instance.bindings;
        instance.bindings =
            random_bindings(problem_, random_, only_outcomes_change ? &previous : nullptr);
        std::string witness;
        const std::optional<double> phase = compare(make_pair(problem_, instance), witness);
        if (!phase.has_value()) {
          result.outcome = witness.empty() ? Outcome::unknown : Outcome::different;
          result.reason = witness.empty() ? "out of time" : witness + describe_truth(truth);
          return false;
        }
        over_all.add(*phase);
        if (!only_outcomes_change) over_outcomes = PhaseRecord();
        over_outcomes.add(*phase);
        if (!over_outcomes.is_one()) {
          result.outcome = Outcome::unknown;
          result.reason = "the phase depends on a measured bit";
          return false;
        }
      }
      return true;
    });
    if (result.outcome == Outcome::equal) result.phase = over_all.phase();
    return result;
  }

  const Problem& problem_;
  const Budget& budget_;
  RandomBits random_;
};

std::string parameters_suffix(const Problem& problem, unsigned instances) {
  std::string text;
  if (!problem.symbols().empty()) {
    text += fmt::format(", {} random values of every parameter and outcome", instances);
  }
  if (problem.has_opaque()) text += ", random unitaries for opaque operations";
  return text;
}

/// How many random values of the symbols are tried.
unsigned instance_count(const Problem& problem) {
  if (problem.symbols().empty()) return 1;
  return outcomes_matter_for_phase(problem) ? 4 : 2;
}

double steps_work(const Problem& problem) {
  return static_cast<double>(problem.left.size() + problem.right.size()) *
         static_cast<double>(truth_choices(problem));
}

}  // namespace

double dense_unitary_work(const Problem& problem) {
  const auto free = static_cast<double>(free_wires(problem).size());
  return std::exp2(free + static_cast<double>(problem.wires.size())) * steps_work(problem) *
         instance_count(problem);
}

double random_states_work(const Problem& problem) {
  return std::exp2(static_cast<double>(problem.wires.size())) * steps_work(problem) * random_states;
}

double random_states_memory(const Problem& problem) {
  return 2 * sizeof(Complex) * std::exp2(static_cast<double>(problem.wires.size()));
}

Comparison compare_dense_unitaries(const Problem& problem, const Budget& budget,
                                   std::uint64_t seed) {
  const unsigned instances = instance_count(problem);
  const std::string method =
      "dense unitary, double precision, tolerance 1e-9" + parameters_suffix(problem, instances);
  if (problem.wires.size() > max_wires || random_states_memory(problem) > budget.memory_bytes) {
    return unknown_because(method, "too many qubits for the memory allowed");
  }
  const std::vector<Wire> free = free_wires(problem);
  const std::size_t dimension = std::size_t{1} << problem.wires.size();
  std::vector<Complex> left(dimension);
  std::vector<Complex> right(dimension);
  FamilyComparison family(problem, budget, seed);
  const auto compare = [&](const Pair& pair, std::string& witness) -> std::optional<double> {
    std::optional<Complex> phase;
    for (std::size_t column = 0; column < (std::size_t{1} << free.size()); ++column) {
      const std::size_t input = basis_state(free, column);
      std::fill(left.begin(), left.end(), Complex(0));
      left[input] = 1;
      right = left;
      if (!run_within(budget, pair.left, left) || !run_within(budget, pair.right, right)) {
        return std::nullopt;
      }
      witness = compare_images(problem, left, right, phase);
      if (!witness.empty()) {
        witness = fmt::format("input {}: {}", describe_basis_state(problem, input), witness);
        if (column > 0) witness += aligned_on_zero;
        return std::nullopt;
      }
    }
    return std::arg(*phase);
  };
  return family.run(method, instances, compare);
}

Comparison compare_random_states(const Problem& problem, const Budget& budget, std::uint64_t seed) {
  const std::string method =
      fmt::format("{} random states, state vectors in double precision, tolerance 1e-9",
                  random_states) +
      parameters_suffix(problem, random_states);
  if (problem.wires.size() > max_wires || random_states_memory(problem) > budget.memory_bytes) {
    return unknown_because(method, "too many qubits for the memory allowed");
  }
  if (random_states_work(problem) > most_updates_per_second * budget.seconds_left()) {
    return unknown_because(method, "too many qubits and gates for the time left");
  }
  const std::vector<Wire> free = free_wires(problem);
  const std::size_t dimension = std::size_t{1} << problem.wires.size();
  std::vector<Complex> left(dimension);
  std::vector<Complex> right(dimension);
  FamilyComparison family(problem, budget, seed);
  std::optional<Complex> phase;  // the same for all states where there is no symbol
  const bool one_member = problem.symbols().empty() && problem.conditions().empty();
  const unsigned instances = std::max(random_states, instance_count(problem));
  const auto compare = [&](const Pair& pair, std::string& witness) -> std::optional<double> {
    if (!one_member) phase.reset();
    const std::uint64_t state_seed = family.random()();
    RandomBits random(state_seed);
    const std::vector<Complex> input = random_state(std::size_t{1} << free.size(), random, budget);
    std::fill(left.begin(), left.end(), Complex(0));
    for (std::size_t i = 0; i < input.size(); ++i) left[basis_state(free, i)] = input[i];
    right = left;
    if (!run_within(budget, pair.left, left) || !run_within(budget, pair.right, right)) {
      return std::nullopt;
    }
    witness = compare_images(problem, left, right, phase);
    if (!witness.empty()) {
      witness = fmt::format("random input state (seed {}): {}", state_seed, witness);
      return std::nullopt;
    }
    return std::arg(*phase);
  };
  return family.run(method, instances, compare);
}

}  // namespace quartz::certify
