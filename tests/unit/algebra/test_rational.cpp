#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <random>

#include "quartz/algebra/rational.hpp"
#include "quartz/base/errors.hpp"

using quartz::OverflowError;
using quartz::Rational;
using quartz::UsageError;

namespace {

constexpr std::int64_t kLargestInteger = std::numeric_limits<std::int64_t>::max();

}  // namespace

TEST_CASE("A fraction is in lowest terms with a positive denominator") {
  CHECK(Rational(6, 4) == Rational(3, 2));
  CHECK(Rational(6, -4) == Rational(-3, 2));
  CHECK(Rational(-6, -4).numerator() == 3);
  CHECK(Rational(-6, -4).denominator() == 2);
  CHECK(Rational(0, -7) == Rational(0));
  CHECK(Rational(0, -7).denominator() == 1);
  CHECK_THROWS_AS(Rational(1, 0), UsageError);
}

TEST_CASE("Fractions are printed with a slash, integers without") {
  CHECK(Rational(3, 4).to_string() == "3/4");
  CHECK(Rational(-2).to_string() == "-2");
  CHECK(Rational(0).to_string() == "0");
  CHECK(Rational(-1, 3).to_string() == "-1/3");
}

TEST_CASE("The floor rounds towards minus infinity") {
  CHECK(Rational(7, 2).floor() == 3);
  CHECK(Rational(-7, 2).floor() == -4);
  CHECK(Rational(-4).floor() == -4);
  CHECK(Rational(-1, 1000).floor() == -1);
  CHECK(Rational(0).floor() == 0);
}

TEST_CASE("A fraction is reduced modulo a period as long as the result fits") {
  CHECK(Rational(9, 4).modulo(2) == Rational(1, 4));
  CHECK(Rational(-1, 4).modulo(2) == Rational(7, 4));
  CHECK(Rational(-5, 6).modulo(Rational(1, 3)) == Rational(1, 6));
  CHECK(Rational(4).modulo(2) == Rational(0));
  CHECK(Rational(7, 4).symmetric_modulo(2) == Rational(-1, 4));
  CHECK(Rational(1).symmetric_modulo(2) == Rational(1));
  CHECK(Rational(-1).symmetric_modulo(2) == Rational(1));
  CHECK(Rational(-7, 24).symmetric_modulo(Rational(1, 4)) == Rational(-1, 24));
  // The result is small, but twice the fraction, or the fraction plus a period, would not fit.
  CHECK(Rational(-1, kLargestInteger).symmetric_modulo(4) == Rational(-1, kLargestInteger));
  const Rational near_one(kLargestInteger, kLargestInteger - 1);
  CHECK(near_one.symmetric_modulo(2) == Rational(-(kLargestInteger - 2), kLargestInteger - 1));
  CHECK(Rational(-1, std::int64_t{1} << 62U).modulo(2) ==
        Rational(kLargestInteger, std::int64_t{1} << 62U));
  CHECK_THROWS_AS(Rational(-1, kLargestInteger).modulo(2), OverflowError);
}

TEST_CASE("Results that need more than 64 bits are refused, never wrapped") {
  const Rational largest(kLargestInteger);
  CHECK_THROWS_AS(largest + Rational(1), OverflowError);
  CHECK_THROWS_AS(largest * Rational(2), OverflowError);
  CHECK_THROWS_AS(-largest - Rational(1), OverflowError);
  CHECK_THROWS_AS(Rational(1, kLargestInteger) * Rational(1, 2), OverflowError);
  CHECK_THROWS_AS(Rational(1, kLargestInteger) + Rational(1, kLargestInteger - 1), OverflowError);
  CHECK_THROWS_AS(-Rational(std::numeric_limits<std::int64_t>::min()), OverflowError);
  CHECK_THROWS_AS(Rational(1) / Rational(0), UsageError);
}

TEST_CASE("A large intermediate value does not overflow if the reduced result fits") {
  const Rational largest(kLargestInteger);
  CHECK(largest * Rational(1, kLargestInteger) == Rational(1));
  CHECK(largest / largest == Rational(1));
  CHECK(largest - largest == Rational(0));
  CHECK(Rational(kLargestInteger, 2) + Rational(kLargestInteger, 2) == largest);
  CHECK(Rational(1, kLargestInteger) + Rational(-1, kLargestInteger) == Rational(0));
  CHECK(Rational(kLargestInteger, kLargestInteger - 1) *
            Rational(kLargestInteger - 1, kLargestInteger) ==
        Rational(1));
}

TEST_CASE("Fractions are ordered by value even where cross products exceed 64 bits") {
  CHECK(Rational(kLargestInteger - 1, kLargestInteger) <
        Rational(kLargestInteger, kLargestInteger - 1));
  CHECK(Rational(kLargestInteger - 2, kLargestInteger - 1) <
        Rational(kLargestInteger - 1, kLargestInteger));
  CHECK(Rational(-1, 2) < Rational(-1, 3));
  CHECK(Rational(1, 3) > Rational(1, 4));
  CHECK((Rational(2, 4) <=> Rational(1, 2)) == std::strong_ordering::equal);
}

TEST_CASE("Random fractions obey the laws of a field") {
  const std::uint64_t seed = 20240711;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::int64_t> numerators(-1000, 1000);
  std::uniform_int_distribution<std::int64_t> denominators(1, 1000);
  for (int i = 0; i < 1000; ++i) {
    const Rational a(numerators(random), denominators(random));
    const Rational b(numerators(random), denominators(random));
    const Rational c(numerators(random), denominators(random));
    CHECK(a + b == b + a);
    CHECK((a + b) + c == a + (b + c));
    CHECK(a * (b + c) == a * b + a * c);
    CHECK((a - b) + b == a);
    if (!b.is_zero()) CHECK(a / b * b == a);
    CHECK((a < b) == (a.to_double() < b.to_double()));
    CHECK(Rational(a.floor()) <= a);
    CHECK(a < Rational(a.floor()) + Rational(1));
  }
}
