#include "quartz/approximation/one_qubit_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "approximation/exact_unitary.hpp"
#include "approximation/special_unitary.hpp"
#include "approximation/unitary_search.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

using approximation::SpecialUnitary;

/// A gate as e^{i phase} times a rotation about Z, or times -i H or -i X.
struct FactorGate {
  GateKind gate;
  Rational turn;   ///< the angle of the rotation, in multiples of pi
  Rational phase;  ///< in multiples of pi
};

constexpr std::size_t kFactorGates = 7;

const std::array<FactorGate, kFactorGates>& factor_gates() {
  static const std::array<FactorGate, kFactorGates> gates{{
      {GateKind::h, 0, Rational(1, 2)},
      {GateKind::x, 0, Rational(1, 2)},
      {GateKind::t, Rational(1, 4), Rational(1, 8)},
      {GateKind::tdg, Rational(-1, 4), Rational(-1, 8)},
      {GateKind::s, Rational(1, 2), Rational(1, 4)},
      {GateKind::sdg, Rational(-1, 2), Rational(-1, 4)},
      {GateKind::z, 1, Rational(1, 2)},
  }};
  return gates;
}

const FactorGate* find_factor_gate(GateKind gate) {
  const auto& gates = factor_gates();
  const auto* const found = std::find_if(gates.begin(), gates.end(),
                                         [&](const FactorGate& each) { return each.gate == gate; });
  return found == gates.end() ? nullptr : found;
}

const FactorGate& factor_gate(GateKind gate) {
  const FactorGate* const found = find_factor_gate(gate);
  if (found == nullptr) throw UsageError("a product has a gate that is no factor of products");
  return *found;
}

bool is_approximated(const OneQubitFactor& factor) {
  return factor.gate == GateKind::rz && !is_clifford_t_rotation(factor.angle);
}

/// Returns whether a factor is a T gate, up to Clifford gates.
bool is_t_gate(const OneQubitFactor& factor) {
  if (factor.gate != GateKind::rz) {
    return factor.gate == GateKind::t || factor.gate == GateKind::tdg;
  }
  return is_clifford_t_rotation(factor.angle) && factor.angle.pi_part().denominator() == 4;
}

/// Returns the element of SU(2) of a product; the phases of its gates are left out.
SpecialUnitary special_unitary(const OneQubitProduct& product, unsigned bits) {
  SpecialUnitary unitary = approximation::identity(bits);
  for (const OneQubitFactor& factor : product) {
    switch (factor.gate) {
      case GateKind::h:
        approximation::apply_h(unitary);
        break;
      case GateKind::x:
        approximation::apply_x(unitary);
        break;
      case GateKind::rz:
        approximation::apply_rz(factor.angle, unitary);
        break;
      default:
        approximation::apply_rz(Angle::pi_times(factor_gate(factor.gate).turn), unitary);
    }
  }
  return unitary;
}

/// Returns e^{i phase} with which a product is an element of SU(2).
Angle phase_of(const OneQubitProduct& product) {
  Rational phase = 0;
  for (const OneQubitFactor& factor : product) {
    if (factor.gate != GateKind::rz) phase = phase + factor_gate(factor.gate).phase;
  }
  return Angle::pi_times(phase);
}

/// Returns the word with the normal form of the gates.
RotationApproximation normalized(RotationApproximation word) {
  const approximation::ExactUnitary unitary = approximation::product(word.gates);
  word.gates = approximation::normal_form(unitary);
  const std::optional<unsigned> power =
      approximation::phase_between(approximation::product(word.gates), unitary);
  ensure(power.has_value(), "a normal form is not its unitary");
  word.phase += Angle::pi_times({static_cast<int>(*power), 4});
  word.t_count = approximation::t_count(word.gates);
  return word;
}

/// Approximates the rotations one by one.
RotationApproximation approximate_factors(const OneQubitProduct& product, double epsilon,
                                          std::size_t rotations) {
  RotationApproximation word;
  for (const OneQubitFactor& factor : product) {
    if (factor.gate == GateKind::tdg) {  // words have no t of the other direction
      word.gates.insert(word.gates.end(), {GateKind::sdg, GateKind::t});
      continue;
    }
    if (factor.gate != GateKind::rz) {
      word.gates.push_back(factor.gate);
      continue;
    }
    const double part = is_approximated(factor) ? epsilon / static_cast<double>(rotations) : 0;
    const RotationApproximation rotation = approximate_rotation(factor.angle, part);
    word.gates.insert(word.gates.end(), rotation.gates.begin(), rotation.gates.end());
    word.phase += rotation.phase;
    word.distance += rotation.distance;
  }
  word.distance *= 1 + 1e-15 * static_cast<double>(rotations);  // rounding errors of the sum
  return normalized(std::move(word));
}

/// Approximates the product at once; nullopt if that takes too long.
std::optional<RotationApproximation> approximate_at_once(const OneQubitProduct& product,
                                                         double epsilon,
                                                         const std::stop_token& stop) {
  std::optional<approximation::ExactApproximation> found = approximation::search_unitary(
      special_unitary(product, approximation::bits_for(epsilon)), epsilon, stop);
  if (!found) return std::nullopt;
  RotationApproximation word = approximation::word_of(*std::move(found));
  word.phase += phase_of(product);
  return word;
}

}  // namespace

bool is_factor_of_products(GateKind gate) { return find_factor_gate(gate) != nullptr; }

bool is_better_at_once(const OneQubitProduct& product) {
  const auto rotations = std::count_if(product.begin(), product.end(), is_approximated);
  return rotations != 0 && rotations + std::count_if(product.begin(), product.end(), is_t_gate) > 1;
}

RotationApproximation approximate_product(const OneQubitProduct& product, double epsilon,
                                          const ProductOptions& options) {
  for (const OneQubitFactor& factor : product) {
    if (factor.gate != GateKind::rz) (void)factor_gate(factor.gate);  // throws
  }
  const auto rotations =
      static_cast<std::size_t>(std::count_if(product.begin(), product.end(), is_approximated));
  // Lattices for far smaller distances would need more than 113 bits.
  const double smallest = std::max(options.smallest_at_once, kSmallestProductEpsilon);
  if (is_better_at_once(product) && epsilon >= smallest && epsilon <= 1) {
    std::optional<RotationApproximation> word = approximate_at_once(product, epsilon, options.stop);
    if (word) return *std::move(word);
  }
  return approximate_factors(product, epsilon, rotations);
}

}  // namespace quartz
