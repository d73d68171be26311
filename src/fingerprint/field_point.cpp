#include "fingerprint/field_point.hpp"

#include <numeric>

#include "fingerprint/gate_matrix.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::fingerprint {
namespace {

// Names of the units that are not symbols. They cannot clash: a symbol is an identifier or a
// number.
const std::string radian_unit = "1 radian";
const std::string pi_unit = "1 pi";

/// Returns whether e^{i pi multiple} is a root of unity in the field.
bool has_root(const Rational& multiple) {
  constexpr std::uint64_t kHalfOrder = (Goldilocks::kModulus - 1) / 2;
  return kHalfOrder % static_cast<std::uint64_t>(multiple.denominator()) == 0;
}

Goldilocks root(const Rational& multiple) {
  const std::uint64_t order = 2 * static_cast<std::uint64_t>(multiple.denominator());
  const auto size = static_cast<std::uint64_t>(multiple.numerator());
  const std::uint64_t turns =
      multiple.numerator() >= 0 ? size % order : order - (std::uint64_t{0} - size) % order;
  return Goldilocks::root_of_unity(order).power(turns);
}

std::mt19937_64 engine_for(const FieldSeed& seed, std::string_view label) {
  const std::string text =
      std::to_string(seed.seed) + '/' + std::to_string(seed.stream) + '/' + std::string(label);
  std::seed_seq sequence(text.begin(), text.end());
  return std::mt19937_64(sequence);
}

}  // namespace

FieldRandom::FieldRandom(const FieldSeed& seed, std::string_view label)
    : engine_(engine_for(seed, label)) {}

Goldilocks FieldRandom::next() {
  for (;;) {
    const std::uint64_t word = engine_();
    if (word != 0 && word < Goldilocks::kModulus) return Goldilocks(word);
  }
}

FieldPoint::FieldPoint(std::span<const Operation> operations, const FieldSeed& seed) {
  for (const Operation& operation : operations) {
    for (const MatrixEntry& entry : matrix_of(operation)) {
      for (const PhaseTerm& term : entry.terms) require(term.exponent);
    }
  }
  for (auto& [name, unit] : units_) unit.element = FieldRandom(seed, name).next();
}

void FieldPoint::require(const Angle& angle) {
  if (!has_root(angle.pi_part())) require(pi_unit, angle.pi_part());
  require(radian_unit, angle.radian_part());
  for (const Angle::Term& term : angle.terms()) require(term.symbol, term.coefficient);
}

void FieldPoint::require(const std::string& unit, const Rational& multiple) {
  if (multiple.is_zero()) return;
  std::int64_t& denominator = units_[unit].denominator;
  const std::int64_t factor =
      multiple.denominator() / std::gcd(denominator, multiple.denominator());
  denominator = (Rational(denominator) * Rational(factor)).numerator();  // throws on overflow
}

Goldilocks FieldPoint::phase(const Angle& angle) const {
  Goldilocks result =
      has_root(angle.pi_part()) ? root(angle.pi_part()) : power_of(pi_unit, angle.pi_part());
  result *= power_of(radian_unit, angle.radian_part());
  for (const Angle::Term& term : angle.terms()) result *= power_of(term.symbol, term.coefficient);
  return result;
}

Goldilocks FieldPoint::power_of(const std::string& unit, const Rational& multiple) const {
  if (multiple.is_zero()) return Goldilocks(1);
  const auto found = units_.find(unit);
  if (found == units_.end() || found->second.denominator % multiple.denominator() != 0) {
    throw UsageError("the angle " + multiple.to_string() + " * " + unit +
                     " is not among those the fingerprint was made for");
  }
  const Rational exponent = multiple * Rational(found->second.denominator);
  const auto size = static_cast<std::uint64_t>(exponent.numerator());
  // The order of the group is p - 1, so a negative exponent wraps.
  const std::uint64_t wrapped =
      exponent.numerator() >= 0 ? size : Goldilocks::kModulus - 1 - (std::uint64_t{0} - size);
  return found->second.element.power(wrapped);
}

}  // namespace quartz::fingerprint
