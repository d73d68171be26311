#include "verify/angle_lattice.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "algebra/literal.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::verify {
namespace {

std::int64_t common_multiple(std::int64_t a, std::int64_t b) {
  return algebra::checked_product(a / std::gcd(a, b), b);
}

using algebra::is_literal;

Angle unit_of(std::string_view name) {
  if (name.empty()) return Angle::radians(Rational(1));
  return is_literal(name) ? parse_angle(name) : Angle::symbol(std::string(name));
}

}  // namespace

void AngleLattice::collect(const Angle& angle, int largest_multiple) {
  uses_.push_back({&angle, largest_multiple});
  collect_pi(Rational(1, 2 * angle.pi_part().denominator()));
  if (!angle.radian_part().is_zero()) collect_symbol({}, angle.radian_part());
  for (const Angle::Term& term : angle.terms()) collect_symbol(term.symbol, term.coefficient);
}

void AngleLattice::collect_pi(const Rational& multiple) {
  // e^{i pi a/b} is a root of unity of an order that divides 2b.
  const auto needed =
      static_cast<std::uint64_t>(algebra::checked_product(multiple.denominator(), 2));
  if (order_ % needed == 0) return;
  order_ = static_cast<std::uint64_t>(
      common_multiple(static_cast<std::int64_t>(order_), static_cast<std::int64_t>(needed)));
}

void AngleLattice::collect_symbol(std::string_view name, const Rational& coefficient) {
  auto found = std::find_if(symbols_.begin(), symbols_.end(),
                            [&](const Symbol& symbol) { return symbol.name == name; });
  if (found == symbols_.end()) found = symbols_.insert(symbols_.end(), Symbol{name, 1, 0});
  found->denominator = common_multiple(found->denominator, coefficient.denominator());
}

void AngleLattice::bound_symbol(std::string_view name, const Rational& coefficient,
                                int largest_multiple) {
  Symbol& symbol = symbols_[index_of(name)];
  const std::int64_t exponent = algebra::checked_product(
      coefficient.numerator(), symbol.denominator / coefficient.denominator());
  // Both sides together bound a relative phase, and twice that bounds a side times a phase.
  symbol.bound = algebra::checked_sum(
      symbol.bound,
      algebra::checked_product(std::llabs(exponent), 2 * std::int64_t{largest_multiple}));
}

void AngleLattice::close() {
  for (const Use& use : uses_) {
    const Angle& angle = *use.angle;
    if (!angle.radian_part().is_zero()) {
      bound_symbol({}, angle.radian_part(), use.largest_multiple);
    }
    for (const Angle::Term& term : angle.terms()) {
      bound_symbol(term.symbol, term.coefficient, use.largest_multiple);
    }
  }
  boost::container::small_vector<std::int64_t, 4> bounds;
  for (const Symbol& symbol : symbols_) bounds.push_back(symbol.bound);
  packing_ = algebra::ExponentPacking({bounds.data(), bounds.size()});
  ring_ = algebra::LaurentRing(algebra::CyclotomicRing(order_));
}

std::size_t AngleLattice::index_of(std::string_view name) const {
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    if (symbols_[i].name == name) return i;
  }
  throw InternalError("an angle's symbol was not collected");
}

algebra::Monomial AngleLattice::half_angle(const Angle& angle) const {
  algebra::Monomial result;
  const auto multiply = [&](std::string_view name, const Rational& coefficient) {
    const std::size_t index = index_of(name);
    result.exponents += packing_.pack(
        index, coefficient.numerator() * (symbols_[index].denominator / coefficient.denominator()));
  };
  if (!angle.radian_part().is_zero()) multiply({}, angle.radian_part());
  for (const Angle::Term& term : angle.terms()) multiply(term.symbol, term.coefficient);
  if (!angle.pi_part().is_zero()) {
    result.root = ring_.coefficients().exponent_of(angle.pi_part() * Rational(1, 2));
  }
  return result;
}

algebra::Monomial AngleLattice::pi_phase(const Rational& multiple) const {
  return {0, ring_.coefficients().exponent_of(multiple)};
}

Angle AngleLattice::angle_of(const algebra::Monomial& monomial) const {
  Angle angle = Angle::pi_times(
      Rational(2 * std::int64_t{monomial.root}, std::int64_t{ring_.coefficients().order()}));
  const auto exponents = packing_.unpack(monomial.exponents);
  for (std::size_t j = 0; j < symbols_.size(); ++j) {
    if (exponents[j] == 0) continue;
    angle += unit_of(symbols_[j].name) *
             Rational(exponents[j], algebra::checked_product(2, symbols_[j].denominator));
  }
  return angle.reduced_symmetric(Rational(2));
}

bool AngleLattice::has_related_constants() const noexcept {
  return std::count_if(symbols_.begin(), symbols_.end(), [](const Symbol& symbol) {
           return symbol.name.empty() || is_literal(symbol.name);
         }) > 1;
}

}  // namespace quartz::verify
