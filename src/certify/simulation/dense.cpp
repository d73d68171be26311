#include "certify/simulation/dense.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <type_traits>
#include <utility>

#include "base/text/bound_text.hpp"
#include "certify/problem/instance.hpp"
#include "certify/problem/monomial_gate.hpp"
#include "certify/problem/numbers.hpp"
#include "certify/simulation/operator_norm.hpp"
#include "certify/simulation/state_vector.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::certify {
namespace {

constexpr unsigned kRandomStates = 8;
/// log2 of the probability that one random state underestimates a difference by more than the bound
/// assumes.
constexpr double kLog2Unlucky = -5;
/// Largest number of combinations of truth values and outcomes that are tried.
constexpr std::uint64_t kMaxVertices = 256;
/// An optimistic number of amplitude updates per second: states larger than the caches take some
/// nanoseconds for each amplitude, and gates with several controls touch an eighth of them. A
/// comparison that cannot finish in the remaining time even at this rate is not started.
constexpr double kMaxUpdatesPerSecond = 2e9;
/// Small windows are compared in extended precision: a journal may have a hundred thousand of them,
/// whose bounds add up.
constexpr double kMaxExtendedWork = 1 << 17;
/// Largest number of wires that are simulated, so that indices stay far below 64 bits.
constexpr std::size_t kMaxWires = 40;

std::vector<Wire> free_wires(const Problem& problem) {
  std::vector<Wire> wires;
  for (Wire wire = 0; wire < problem.wires.size(); ++wire) {
    if (!problem.wires[wire].starts_zero) wires.push_back(wire);
  }
  return wires;
}

/// Returns the basis state whose free wires contain the bits of `index`.
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

/// Describes the amplitude in which `right` differs most from e^{i phase} `left`.
template <typename Real>
std::string describe_difference(const Problem& problem, const std::vector<std::complex<Real>>& left,
                                const std::vector<std::complex<Real>>& right,
                                std::complex<Real> phase) {
  std::size_t worst = 0;
  Real largest = -1;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Real size = std::abs(right[i] - phase * left[i]);
    if (size > largest) {
      largest = size;
      worst = i;
    }
  }
  return fmt::format("amplitude of output {}: left {}, right {}",
                     describe_basis_state(problem, worst), describe(Complex(phase * left[worst])),
                     describe(Complex(right[worst])));
}

/// Collects the phases for several choices of truth values. They may be one number or differ.
class PhaseRecord {
 public:
  explicit PhaseRecord(double tolerance) : tolerance_(tolerance) {}

  void add(double phase) {
    if (!first_.has_value()) first_ = phase;
    const double difference = std::abs(std::remainder(phase - *first_, 2 * std::numbers::pi));
    spread_ = std::max(spread_, difference);
  }
  /// Returns the first phase if the others differ from it by at most the tolerance.
  [[nodiscard]] std::optional<double> phase() const {
    return spread_ <= tolerance_ ? first_ : std::nullopt;
  }
  /// Returns how much the phases differ from `phase()`, 0 if there is none.
  [[nodiscard]] double spread() const { return spread_ <= tolerance_ ? spread_ : 0; }

 private:
  double tolerance_;
  std::optional<double> first_;
  double spread_ = 0;
};

template <typename Real>
double squared_distance(const std::vector<std::complex<Real>>& left,
                        const std::vector<std::complex<Real>>& right, std::complex<Real> phase) {
  Real sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += std::norm(right[i] - times(phase, left[i]));
  return static_cast<double>(sum);
}

/// Returns the number of size 1 nearest to <left|right>.
template <typename Real>
std::complex<Real> phase_between(const std::vector<std::complex<Real>>& left,
                                 const std::vector<std::complex<Real>>& right) {
  const std::complex<Real> overlap = inner_product(left, right);
  const Real size = std::abs(overlap);
  return size > Real(0.5) ? overlap / size : std::complex<Real>(1);
}

template <typename Real>
constexpr auto kUnit = static_cast<double>(std::numeric_limits<Real>::epsilon() / 2);

/// Bounds on the rounding errors of one circuit.
struct Rounding {
  double matrices = 0;  ///< operator norm of the change caused by rounded matrix entries
  double states = 0;    ///< norm of the error of arithmetic in the image of a state of norm 1
};

/// Returns whether the entries of a gate's matrix are 0 and 1, so that nothing is rounded.
bool is_permutation(const Gate& row) {
  if (!row.parameters.empty() || !is_monomial_gate(row)) return false;
  return std::ranges::all_of(row.matrix, [](const MatrixEntry& entry) {
    return std::ranges::all_of(entry.terms,
                               [](const PhaseTerm& term) { return term.exponent.is_zero(); });
  });
}

/// Returns bounds on the errors of a gate. `matrix_unit`: the unit roundoff of its matrix, without
/// the errors of double angles; `state_unit`: that of the states.
Rounding rounding_of(const Gate& row, double matrix_unit, double state_unit) {
  if (is_permutation(row)) return {};
  // An entry that is a phase is the rounded polar form of a rounded angle of at most 4 pi. The
  // product of two complex numbers has a relative error of at most sqrt(5) units.
  if (is_monomial_gate(row)) return {16 * matrix_unit, 6 * state_unit};
  // An inner product of complex vectors of this dimension is rounded, too.
  const auto dimension = static_cast<double>(row.dimension());
  return {dimension * 8 * matrix_unit, (dimension + 3) * 2 * state_unit};
}

template <typename Real>
Rounding rounding_of(const std::vector<Step>& steps) {
  // A gate in extended precision has an angle of up to 30 that is rounded a few times.
  constexpr double kUnitsOfExtendedAngle = 128;
  std::map<std::pair<GateKind, bool>, Rounding> known;
  Rounding sum;
  for (const Step& step : steps) {
    const Operation& operation = step.operation;
    const bool is_extended = std::is_same_v<Real, long double> && has_extended_matrix(operation);
    // Half of the sum of the angles' errors bounds the change of the matrix.
    for (const Angle& angle : operation.angles) {
      sum.matrices += is_extended           ? kUnitsOfExtendedAngle * kUnit<long double>
                      : angle.is_constant() ? angle.value_modulo_error()
                                            : 8 * kUnit<double>;
    }
    const auto [rounding, is_new] = known.try_emplace({operation.gate, is_extended});
    if (is_new) {
      const double matrix_unit = is_extended ? kUnit<long double> : kUnit<double>;
      rounding->second = rounding_of(gate(operation.gate), matrix_unit, kUnit<Real>);
    }
    sum.matrices += rounding->second.matrices;
    sum.states += rounding->second.states;
  }
  return sum;
}

template <typename Real>
Rounding rounding_of(const Problem& problem) {
  const Rounding left = rounding_of<Real>(problem.left);
  const Rounding right = rounding_of<Real>(problem.right);
  return {left.matrices + right.matrices, left.states + right.states};
}

/// Values for the open quantities of a problem: all choices of truth values, and for each choice
/// all vertices of the outcomes, e^{i l} = 1 or -1 for each symbol l of a measurement. The entries
/// of the circuits' unitaries are affine in each e^{i l}, so their difference is bounded everywhere
/// by the largest difference at a vertex times sqrt(2) for each symbol.
class Vertices {
 public:
  explicit Vertices(const Problem& problem) : problem_(problem) {
    // Equal steps may have been cancelled: only symbols in the remaining ones count.
    for (const std::string& symbol : problem.symbols()) {
      if (problem.outcome_symbols.contains(symbol)) outcomes_.push_back(symbol);
    }
  }

  [[nodiscard]] double count() const {
    return static_cast<double>(truth_choices(problem_)) *
           std::exp2(static_cast<double>(outcomes_.size()));
  }
  [[nodiscard]] double factor() const {
    return std::exp2(0.5 * static_cast<double>(outcomes_.size()));
  }
  /// Calls `visit` with each instance, and whether it is the first one for its truth values, until
  /// it returns false. A phase between the circuits may depend on truth values, but not on
  /// outcomes.
  void for_each(const std::function<bool(const Instance&, bool is_first)>& visit) const {
    for_each_truth(problem_, [&](const std::vector<bool>& truth) {
      for (std::size_t vertex = 0; vertex < (std::size_t{1} << outcomes_.size()); ++vertex) {
        Instance instance{{}, truth, 0};
        for (std::size_t i = 0; i < outcomes_.size(); ++i) {
          instance.bindings[outcomes_[i]] = ((vertex >> i) & 1U) != 0 ? std::numbers::pi : 0;
        }
        if (!visit(instance, vertex == 0)) return false;
      }
      return true;
    });
  }

 private:
  const Problem& problem_;
  std::vector<std::string> outcomes_;
};

/// Returns why floating-point arithmetic gives no bound for a problem, if so.
std::optional<Comparison> refusal_of(const Problem& problem, const Budget& budget,
                                     const std::string& method) {
  if (problem.has_parameters()) {
    return unknown_because(method, "sampled values of parameters give no bound");
  }
  if (problem.has_opaque()) {
    return unknown_because(method, "sampled unitaries for opaque operations give no bound");
  }
  if (Vertices(problem).count() > static_cast<double>(kMaxVertices)) {
    return unknown_because(method, "too many conditions and outcomes to try all of them");
  }
  if (problem.wires.size() > kMaxWires || random_states_memory(problem) > budget.memory_bytes) {
    return unknown_without(Shortage::memory, method, "too many qubits for the memory allowed");
  }
  return std::nullopt;
}

template <typename Real>
void run_within(const Budget& budget, const std::vector<BasicKernel<Real>>& kernels,
                std::span<std::complex<Real>> state) {
  for (const BasicKernel<Real>& kernel : kernels) {
    if (budget.spent()) throw OutOfBudget();
    kernel.apply(state);
  }
}

/// Applies both circuits to one state at a time.
template <typename Real>
class StatePair {
 public:
  StatePair(const Problem& problem, const Instance& instance, const Budget& budget)
      : left(std::size_t{1} << problem.wires.size()),
        right(left.size()),
        budget_(budget),
        left_kernels_(make_basic_kernels<Real>(problem.left, instance)),
        right_kernels_(make_basic_kernels<Real>(problem.right, instance)) {}

  /// Replaces the input in `left` by its two images.
  void run() {
    right = left;
    run_within<Real>(budget_, left_kernels_, left);
    run_within<Real>(budget_, right_kernels_, right);
  }

  std::vector<std::complex<Real>> left;
  std::vector<std::complex<Real>> right;

 private:
  const Budget& budget_;
  std::vector<BasicKernel<Real>> left_kernels_;
  std::vector<BasicKernel<Real>> right_kernels_;
};

/// Returns the distance of the images of one state above which two circuits differ by more than the
/// tolerance. If that is larger than rounding errors, the phase that is known from other states may
/// be wrong by about the tolerance.
double visible_distance(const Problem& problem) {
  return problem.is_approximate() ? 3 * problem.tolerance() : problem.tolerance();
}

/// Returns the phase with which the right unitary comes closest to the left one, from all columns.
template <typename Real>
std::complex<Real> phase_of_unitaries(StatePair<Real>& pair, const std::vector<Wire>& free) {
  std::complex<Real> overlap = 0;
  for (std::size_t column = 0; column < std::size_t{1} << free.size(); ++column) {
    std::fill(pair.left.begin(), pair.left.end(), std::complex<Real>(0));
    pair.left[basis_state(free, column)] = 1;
    pair.run();
    overlap += inner_product(pair.left, pair.right);
  }
  const Real size = std::abs(overlap);
  return size > Real(0.5) ? overlap / size : std::complex<Real>(1);
}

/// Returns `equal` if the bound is small enough, otherwise `unknown`. The bound is that after each
/// choice of truth values has its own phase.
Comparison verdict_on_bound(const std::string& method, double tolerance, double bound_by_phases,
                            const PhaseRecord& phases) {
  const double bound = bound_by_phases + phases.spread();
  if (!(bound <= tolerance)) {
    return unknown_because(method, fmt::format("no difference found, but only the bound {} on it",
                                               upper_bound_text(bound)));
  }
  Comparison result =
      equal_by(fmt::format("{}, operator-norm distance below {}", method, upper_bound_text(bound)));
  result.distance = bound;
  result.phase = phases.phase();
  return result;
}

/// Runs a method's loop and turns its exceptions into an unknown outcome.
template <typename Compare>
Comparison within_limits(const Problem& problem, const Budget& budget, const std::string& method,
                         const Compare& compare) {
  if (auto refusal = refusal_of(problem, budget, method)) return *std::move(refusal);
  try {
    return compare();
  } catch (const Unsupported& unsupported) {
    return unknown_because(method, unsupported.what + " is too large");
  } catch (const OutOfBudget&) {
    return out_of_time(method);
  }
}

double steps_work(const Problem& problem) {
  return static_cast<double>(problem.left.size() + problem.right.size()) *
         Vertices(problem).count();
}

}  // namespace

double dense_unitary_work(const Problem& problem) {
  const auto free = static_cast<double>(free_wires(problem).size());
  return std::exp2(free + static_cast<double>(problem.wires.size())) * steps_work(problem);
}

double random_states_work(const Problem& problem) {
  return std::exp2(static_cast<double>(problem.wires.size())) * steps_work(problem) *
         (kRandomStates + 1);
}

double random_states_memory(const Problem& problem) {
  return 2 * sizeof(std::complex<long double>) *
         std::exp2(static_cast<double>(problem.wires.size()));
}

namespace {

/// Bounds the operator norm of a matrix whose columns are added one by one: for few columns of a
/// problem with a tolerance closely, otherwise by the Frobenius norm.
class DifferenceNorm {
 public:
  /// The norm may take a part of the budget.
  DifferenceNorm(const Problem& problem, std::size_t columns, const Budget& budget)
      : keeps_columns_(problem.is_approximate() && columns <= kMaxNormColumns &&
                       problem.wires.size() <= kMaxNormWires &&
                       seconds_of_norm_bound(columns) <= kShareOfNorm * budget.seconds_left()) {}

  /// Adds the column right - phase left, whose norm has the square `squared`.
  template <typename Real>
  void add(const std::vector<std::complex<Real>>& left,
           const std::vector<std::complex<Real>>& right, std::complex<Real> phase, double squared) {
    squared_frobenius_ += squared;
    if (!keeps_columns_) return;
    std::vector<Complex>& column = columns_.emplace_back();
    for (std::size_t i = 0; i < right.size(); ++i) {
      column.emplace_back(Complex(right[i] - times(phase, left[i])));
    }
  }
  [[nodiscard]] double bound() const {
    return keeps_columns_ ? operator_norm_bound(columns_) : std::sqrt(squared_frobenius_);
  }

 private:
  static constexpr std::size_t kMaxNormWires = 12;
  static constexpr double kShareOfNorm = 0.25;

  bool keeps_columns_;
  std::vector<std::vector<Complex>> columns_;
  double squared_frobenius_ = 0;
};

template <typename Real>
Comparison compare_columns(const Problem& problem, const std::string& method,
                           const Budget& budget) {
  const auto compare = [&] {
    const std::vector<Wire> free = free_wires(problem);
    const std::size_t columns = std::size_t{1} << free.size();
    const Rounding rounding = rounding_of<Real>(problem);
    const double rounded =
        rounding.matrices + rounding.states * std::sqrt(static_cast<double>(columns));
    const Vertices vertices(problem);
    std::complex<Real> phase = 1;
    PhaseRecord phases(problem.tolerance());
    Comparison result;
    double largest = 0;
    vertices.for_each([&](const Instance& instance, bool is_first) {
      StatePair<Real> pair(problem, instance, budget);
      if (is_first && problem.is_approximate()) {
        phase = phase_of_unitaries(pair, free);
        phases.add(static_cast<double>(std::arg(phase)));
      }
      DifferenceNorm difference(problem, columns, budget);
      for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t input = basis_state(free, column);
        std::fill(pair.left.begin(), pair.left.end(), std::complex<Real>(0));
        pair.left[input] = 1;
        pair.run();
        if (is_first && column == 0 && !problem.is_approximate()) {
          phase = phase_between(pair.left, pair.right);
          phases.add(static_cast<double>(std::arg(phase)));
        }
        const double squared = squared_distance(pair.left, pair.right, phase);
        difference.add(pair.left, pair.right, phase, squared);
        if (std::sqrt(squared) <= visible_distance(problem) + rounded) continue;
        result = different_by(
            method, fmt::format("input {}: {}{}{}", describe_basis_state(problem, input),
                                describe_difference(problem, pair.left, pair.right, phase),
                                column > 0 ? kAlignedOnZero : "", describe_truth(instance.truth)));
        return false;
      }
      largest = std::max(largest, difference.bound());
      return true;
    });
    if (result.outcome == Outcome::different) return result;
    return verdict_on_bound(method, problem.tolerance(), (largest + rounded) * vertices.factor(),
                            phases);
  };
  return within_limits(problem, budget, method, compare);
}

}  // namespace

Comparison compare_dense_unitaries(const Problem& problem, const Budget& budget) {
  if (dense_unitary_work(problem) <= kMaxExtendedWork) {
    return compare_columns<long double>(problem, "dense unitary in extended precision", budget);
  }
  return compare_columns<double>(problem, "dense unitary in double precision", budget);
}

// For a unit vector u of singular value s of the difference D, |D r|^2 >= s^2 |<u|r>|^2, and for a
// state r from the Haar measure in N dimensions |<u|r>|^2 < t / N with probability at most t. With
// k independent states for which |D r| <= d, this happens for all of them with probability at most
// t^k; otherwise s <= d sqrt(N / t). The phase comes from another state, not one of the k.
Comparison compare_random_states(const Problem& problem, const Budget& budget, std::uint64_t seed) {
  const std::string method = fmt::format("{} random states in extended precision", kRandomStates);
  // In double precision, the rounding errors of the states, which the bound multiplies by the
  // square root of their dimension, would exceed the tolerance from about 12 qubits on.
  using Real = long double;
  const auto compare = [&] {
    if (random_states_work(problem) > kMaxUpdatesPerSecond * budget.seconds_left()) {
      return unknown_without(Shortage::time, method, "too many qubits and gates for the time left");
    }
    const std::vector<Wire> free = free_wires(problem);
    const Rounding rounding = rounding_of<Real>(problem);
    const double rounded = rounding.matrices + rounding.states;
    const Vertices vertices(problem);
    RandomBits random(seed);
    std::complex<Real> phase = 1;
    PhaseRecord phases(problem.tolerance());
    Comparison result;
    double largest = 0;
    vertices.for_each([&](const Instance& instance, bool is_first) {
      StatePair<Real> pair(problem, instance, budget);
      for (unsigned i = is_first ? 0 : 1; i <= kRandomStates; ++i) {
        const std::uint64_t state_seed = random();
        RandomBits own(state_seed);
        const std::vector<Complex> input = random_state(std::size_t{1} << free.size(), own, budget);
        std::fill(pair.left.begin(), pair.left.end(), std::complex<Real>(0));
        for (std::size_t k = 0; k < input.size(); ++k) {
          pair.left[basis_state(free, k)] = std::complex<Real>(input[k]);
        }
        pair.run();
        if (i == 0) {
          phase = phase_between(pair.left, pair.right);
          phases.add(static_cast<double>(std::arg(phase)));
          continue;
        }
        const double distance = std::sqrt(squared_distance(pair.left, pair.right, phase));
        largest = std::max(largest, distance);
        if (distance <= visible_distance(problem) + rounded) continue;
        result = different_by(
            method, fmt::format("random input state (seed {}): {}{}", state_seed,
                                describe_difference(problem, pair.left, pair.right, phase),
                                describe_truth(instance.truth)));
        return false;
      }
      return true;
    });
    if (result.outcome == Outcome::different) return result;
    const double dimension = std::exp2(static_cast<double>(free.size()));
    const double spread = std::sqrt(dimension / std::exp2(kLog2Unlucky));
    result = verdict_on_bound(
        method, problem.tolerance(),
        ((largest + rounding.states) * spread + rounding.matrices) * vertices.factor(), phases);
    if (result.outcome == Outcome::equal) {
      result.log2_failure = kRandomStates * kLog2Unlucky + std::log2(vertices.count());
      result.method +=
          fmt::format(", wrong with probability below 2^{:.0f}", std::ceil(*result.log2_failure));
    }
    return result;
  };
  return within_limits(problem, budget, method, compare);
}

}  // namespace quartz::certify
