#include "optimize/resynthesis/exact_fractions.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "algebra/exact_radians.hpp"
#include "algebra/literal.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

/// Fifty decimal digits.
using LongReal =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float_50::backend_type,
                                  boost::multiprecision::et_off>;

/// Circuits whose angles have denominators up to kLargestResolvedDenominator, and which differ,
/// differ by far more than this, even where only products of three small angles are left.
constexpr double kLargestLongRounding = 1e-40;
/// A bound on the rounding errors of kMaxRunGates gates and of their synthesis in double precision.
/// Circuits with different fractions differ by more, even if a change of basis spreads the
/// difference over the 16 entries of a column.
constexpr double kLargestRounding = 2e-13;

/// A value for free parameters, which only gates have that both circuits share.
constexpr double kGenericValue = 0.7310585;

bool is_exact(const Angle& angle) {
  return angle.is_pi_multiple() && exact_denominator(angle) == angle.pi_part().denominator();
}

bool is_fine(const Angle& angle) {
  // Most fractions of pi are simple. Sums may have a fraction beside their decimals.
  return exact_denominator(angle) != 1 &&
         !is_simple_fraction(Angle::pi_times(Rational(1, exact_denominator(angle))));
}

template <typename Predicate>
bool any_angle(std::span<const Operation> gates, const Predicate& predicate) {
  return std::ranges::any_of(
      gates, [&](const Operation& gate) { return std::ranges::any_of(gate.angles, predicate); });
}

/// Returns the gates of a list that are not in the other one.
std::vector<Operation> without_common_gates(std::span<const Operation> gates,
                                            std::span<const Operation> others) {
  std::vector<Operation> left(others.begin(), others.end());
  std::vector<Operation> result;
  for (const Operation& gate : gates) {
    const auto found = std::ranges::find(left, gate);
    if (found == left.end()) {
      result.push_back(gate);
    } else {
      left.erase(found);
    }
  }
  return result;
}

double radians_of(const Angle& angle, double /*precision*/) {
  const bool has_literal = std::ranges::any_of(
      angle.terms(), [](const Angle::Term& term) { return algebra::is_literal(term.symbol); });
  if (!has_literal) {
    return angle.pi_part().to_double() * std::numbers::pi + angle.radian_part().to_double();
  }
  return static_cast<double>(algebra::exact_pi_multiple(angle)) * std::numbers::pi +
         static_cast<double>(algebra::exact_radians(angle));
}

LongReal radians_of(const Angle& angle, const LongReal& /*precision*/) {
  return LongReal(algebra::exact_pi_multiple(angle)) * boost::math::constants::pi<LongReal>() +
         LongReal(algebra::exact_radians(angle));
}

template <typename Real>
struct Amplitude {
  Real re = 0;
  Real im = 0;

  friend Amplitude operator*(const Amplitude& a, const Amplitude& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  Amplitude& operator+=(const Amplitude& other) {
    re += other.re;
    im += other.im;
    return *this;
  }
};

/// A circuit that is evaluated in the precision of Real.
template <typename Real>
class Evaluation {
 public:
  explicit Evaluation(std::span<const Qubit> qubits) : qubits_(qubits) {}

  /// Returns the state that gates make of a basis state.
  [[nodiscard]] std::vector<Amplitude<Real>> state_after(std::span<const Operation> gates,
                                                         std::size_t input) const {
    std::vector<Amplitude<Real>> state(std::size_t{1} << qubits_.size());
    state[input].re = 1;
    for (const Operation& gate : gates) state = applied(gate, state);
    return state;
  }

  [[nodiscard]] static Amplitude<Real> power_of_e(const Real& radians) {
    using std::cos;
    using std::sin;
    return {cos(radians), sin(radians)};
  }

 private:
  using State = std::vector<Amplitude<Real>>;

  [[nodiscard]] State applied(const Operation& operation, const State& state) const {
    const Gate& row = gate(operation.gate);
    std::vector<std::size_t> bits;
    std::size_t all = 0;
    for (const Qubit qubit : operation.qubits) {
      const auto place = std::ranges::find(qubits_, qubit) - qubits_.begin();
      bits.push_back(std::size_t{1} << static_cast<std::size_t>(place));
      all |= bits.back();
    }
    const auto spread = [&](unsigned index) {
      std::size_t result = 0;
      for (std::size_t k = 0; k < bits.size(); ++k) {
        if ((index >> k & 1U) != 0) result |= bits[k];
      }
      return result;
    };
    State result(state.size());
    for (const MatrixEntry& entry : row.matrix) {
      const Amplitude<Real> value = value_of(entry, row, operation);
      const std::size_t from = spread(entry.column);
      const std::size_t to = spread(entry.row);
      for (std::size_t rest = 0; rest < state.size(); ++rest) {
        if ((rest & all) == 0) result[rest | to] += value * state[rest | from];
      }
    }
    return result;
  }

  [[nodiscard]] Amplitude<Real> value_of(const MatrixEntry& entry, const Gate& row,
                                         const Operation& operation) const {
    using std::sqrt;
    Amplitude<Real> sum;
    for (const PhaseTerm& term : entry.terms) {
      Real radians = radians_of(term.exponent, Real());
      for (const Angle::Term& part : term.exponent.terms()) {
        const auto parameter = std::ranges::find(row.parameters, part.symbol);
        if (parameter == row.parameters.end()) continue;
        const auto place = static_cast<std::size_t>(parameter - row.parameters.begin());
        radians += factor(part.coefficient) * radians_of_parameter(operation.angles[place]);
      }
      Amplitude<Real> value = power_of_e(radians);
      Real size = term.coefficient;
      for (int k = 0; k < term.sqrt2_power; ++k) size /= sqrt(Real(2));
      value.re *= size;
      value.im *= size;
      sum += value;
    }
    return sum;
  }

  [[nodiscard]] static Real factor(const Rational& value) {
    return Real(value.numerator()) / Real(value.denominator());
  }

  [[nodiscard]] static Real radians_of_parameter(const Angle& angle) {
    Real radians = radians_of(angle, Real());
    for (const Angle::Term& term : angle.terms()) {
      if (!algebra::is_literal(term.symbol)) radians += factor(term.coefficient) * kGenericValue;
    }
    return radians;
  }

  std::span<const Qubit> qubits_;
};

/// Returns the largest norm of the difference between the states that both circuits make of an
/// input.
template <typename Real>
Real largest_difference(std::span<const Operation> before, std::span<const Operation> after,
                        const Angle& phase, Inputs inputs) {
  std::vector<Qubit> qubits;
  for (const std::span<const Operation> gates : {before, after}) {
    for (const Operation& gate : gates) {
      for (const Qubit qubit : gate.qubits) {
        if (std::ranges::find(qubits, qubit) == qubits.end()) qubits.push_back(qubit);
      }
    }
  }
  const Evaluation<Real> evaluation(qubits);
  const Amplitude<Real> turn = Evaluation<Real>::power_of_e(radians_of(phase, Real()));
  const std::size_t count = inputs == Inputs::zero ? 1 : std::size_t{1} << qubits.size();
  Real largest = 0;
  for (std::size_t input = 0; input < count; ++input) {
    const std::vector<Amplitude<Real>> left = evaluation.state_after(before, input);
    const std::vector<Amplitude<Real>> right = evaluation.state_after(after, input);
    Real squares = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const Amplitude<Real> turned = turn * right[i];
      const Real re = left[i].re - turned.re;
      const Real im = left[i].im - turned.im;
      squares += re * re + im * im;
    }
    using std::sqrt;
    const Real norm = sqrt(squares);
    if (!(norm <= largest)) largest = norm;
  }
  return largest;
}

}  // namespace

bool are_fractions_told_apart(std::span<const Operation> gates) {
  if (!any_angle(gates, is_fine)) return true;
  std::int64_t common = 1;
  for (const Operation& gate : gates) {
    for (const Angle& angle : gate.angles) {
      const std::int64_t own = exact_denominator(angle);
      const std::int64_t factor = own / std::gcd(common, own);
      if (factor > kLargestResolvedDenominator / common) return false;
      common *= factor;
    }
  }
  return true;
}

bool preserves_exact_fractions(std::span<const Operation> before, std::span<const Operation> after,
                               const Angle& phase, Inputs inputs) {
  if (!any_angle(before, is_fine)) return true;
  // A rotation may have passed gates, which are the same on both sides.
  const std::vector<Operation> old_gates = without_common_gates(before, after);
  const std::vector<Operation> new_gates = without_common_gates(after, before);
  const auto is_rounded = [](const Angle& angle) { return !is_exact(angle); };
  if (!any_angle(old_gates, is_rounded) && !any_angle(new_gates, is_rounded) && is_exact(phase)) {
    return largest_difference<LongReal>(before, after, phase, inputs) <= kLargestLongRounding;
  }
  return are_fractions_told_apart(old_gates) &&
         largest_difference<double>(before, after, phase, inputs) <= kLargestRounding;
}

}  // namespace quartz::optimizer
