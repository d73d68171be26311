#include "optimize/cancellation/phase_values.hpp"

namespace quartz::optimizer {
namespace {

constexpr std::int64_t kOrder = kFieldPrime - 1;

/// Returns base^exponent; the exponent may be negative.
FieldWord signed_power(FieldWord base, std::int64_t exponent) {
  return field_power(base, static_cast<std::uint64_t>((exponent % kOrder + kOrder) % kOrder));
}

}  // namespace

FieldWord PhaseValues::power_of(const std::string& unit, const Rational& multiple) {
  const auto [found, is_new] = units_.try_emplace({unit, multiple.denominator()});
  if (is_new) found->second = 1 + static_cast<FieldWord>(random_() % (kFieldPrime - 1));
  return signed_power(found->second, multiple.numerator());
}

FieldWord PhaseValues::of(const Angle& angle) {
  FieldWord result = 1;
  const Rational turns = angle.pi_part();
  if (kOrder / 2 % turns.denominator() == 0) {
    const std::int64_t step = kOrder / 2 / turns.denominator();
    result = signed_power(field_power(kFieldGenerator, static_cast<std::uint64_t>(step)),
                          turns.numerator());
  } else {
    result = power_of("pi", turns);
  }
  const Rational radians = angle.radian_part();
  if (radians.numerator() != 0) result = field_product(result, power_of("1", radians));
  for (const Angle::Term& term : angle.terms()) {
    result = field_product(result, power_of(term.symbol, term.coefficient));
  }
  return result;
}

}  // namespace quartz::optimizer
