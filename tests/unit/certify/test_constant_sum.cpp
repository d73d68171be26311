#include <catch2/catch.hpp>

#include <cstddef>
#include <map>
#include <vector>

#include "certify/path_sum/constant_sum.hpp"
#include "polynomial_value.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using certify::BooleanPolynomial;
using certify::is_constant_sum;

namespace {

using Terms = std::map<BooleanPolynomial, Angle>;

BooleanPolynomial bit(certify::Variable variable) { return BooleanPolynomial::variable(variable); }

BooleanPolynomial majority(const BooleanPolynomial& a, const BooleanPolynomial& b,
                           const BooleanPolynomial& c) {
  return (a * b) ^ (a * c) ^ (b * c);
}

/// The terms of a (1) + b (1) + c (1) - sum (1) - carry (2), times an angle.
Terms full_adder(const BooleanPolynomial& a, const BooleanPolynomial& b, const BooleanPolynomial& c,
                 const Angle& angle) {
  Terms terms;
  terms[a] += angle;
  terms[b] += angle;
  terms[c] += angle;
  terms[a ^ b ^ c] += -angle;
  terms[majority(a, b, c)] += angle * Rational(-2);
  return terms;
}

/// Returns whether a sum is the same for all values of some bits.
bool is_constant_for_all(const Terms& terms, unsigned bits) {
  std::vector<Angle> values;
  for (unsigned x = 0; x < (1U << bits); ++x) {
    Angle sum;
    for (const auto& [function, angle] : terms) {
      if (certify::value_of(function, x)) sum += angle;
    }
    values.push_back(sum.reduced_modulo(Rational(2)));
  }
  for (const Angle& value : values) {
    if (!(value == values.front())) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("The sum of three bits is that of the bits of a full adder") {
  const Angle angle = Angle::symbol("theta");
  CHECK(is_constant_sum(full_adder(bit(0), bit(1), bit(2), angle)));
  // Long parities, which share bits.
  BooleanPolynomial a;
  BooleanPolynomial b;
  for (certify::Variable i = 0; i < 40; ++i) {
    a ^= bit(i);
    if (i % 3 == 0) b ^= bit(i);
  }
  CHECK(is_constant_sum(full_adder(a, b, bit(1) ^ bit(50), angle)));
  CHECK(is_constant_sum(full_adder(a, b, a ^ b, angle)));
  CHECK(is_constant_sum({}));
}

TEST_CASE("A full adder with another carry, weight or sum is not constant") {
  const Angle angle = Angle::symbol("theta");
  Terms terms = full_adder(bit(0), bit(1), bit(2), angle);
  terms[bit(0)] += angle;
  CHECK(!is_constant_sum(terms));
  terms = full_adder(bit(0), bit(1), bit(2), angle);
  terms.erase(bit(0) ^ bit(1) ^ bit(2));
  CHECK(!is_constant_sum(terms));
  terms = full_adder(bit(0), bit(1), bit(2), angle);
  terms.erase(majority(bit(0), bit(1), bit(2)));
  terms[bit(0) * bit(1)] += angle * Rational(-2);
  CHECK(!is_constant_sum(terms));
}

TEST_CASE("Sums of angles are constant only if they are for all values of the bits") {
  test::Random random(1);
  std::size_t constant = 0;
  for (int i = 0; i < 400; ++i) {
    constexpr unsigned kBits = 5;
    const auto form = [&] {
      BooleanPolynomial sum;
      for (unsigned variable = 0; variable < kBits; ++variable) {
        if (test::below(random, 2) != 0) sum ^= bit(variable);
      }
      return sum;
    };
    // Adders of forms, some of which have one function in place of another.
    const Angle angle = Angle::pi_times(Rational(1, 5));
    Terms terms = full_adder(form(), form(), form(), angle);
    for (const auto& [function, more] : full_adder(form(), form(), form(), angle)) {
      terms[function] += more;
    }
    if (test::below(random, 2) != 0) terms[form() * form()] += angle;
    Terms without_constants;
    for (const auto& [function, each] : terms) {
      if (!function.is_zero() && !each.is_zero()) without_constants[function] = each;
    }
    const bool expected = is_constant_for_all(without_constants, kBits);
    CHECK(is_constant_sum(without_constants) == expected);
    constant += expected ? 1 : 0;
  }
  CHECK(constant > 100);
  CHECK(constant < 300);
}
