#include <catch2/catch.hpp>

#include "approximation/rings/cyclotomic_integer.hpp"
#include "base/random.hpp"

namespace quartz::approximation {
namespace {

Integer random_integer(FastRandom& random) { return Integer(random.below(2001)) - 1000; }

RootTwoInteger random_real(FastRandom& random) {
  return {random_integer(random), random_integer(random)};
}

CyclotomicInteger random_cyclotomic(FastRandom& random) {
  return {{random_integer(random), random_integer(random), random_integer(random),
           random_integer(random)}};
}

TEST_CASE("quotients by rounding and shifting are those of the integers", "[rings]") {
  for (int a = -20; a <= 20; ++a) {
    CHECK(floor_shift(a, 2) == static_cast<int>(std::floor(a / 4.0)));
    for (int b = 1; b <= 7; ++b) {
      CHECK(rounded_quotient(a, b) == static_cast<int>(std::floor(a * 1.0 / b + 0.5)));
    }
  }
  CHECK(scaled_to_double(Integer(-3) << 200, 201) == -1.5);
  CHECK(scaled_to_integer(0.375, 200) == Integer(3) << 197);
  CHECK(scaled_to_integer(0x1p-60, 59) == 0);
}

TEST_CASE("products in Z[sqrt 2] have the product of the norms and can be divided", "[rings]") {
  FastRandom random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const RootTwoInteger x = random_real(random);
    const RootTwoInteger y = random_real(random);
    if (y.is_zero()) continue;
    CHECK(norm(x * y) == norm(x) * norm(y));
    CHECK(divided(x * y, y) == x);
    CHECK_FALSE(divided(x * y + RootTwoInteger{1, 0}, RootTwoInteger{3, 0} * y));
    CHECK(cyclotomic(x) * cyclotomic(y) == cyclotomic(x * y));
  }
}

TEST_CASE("a greatest common divisor in Z[sqrt 2] divides both numbers and contains common factors",
          "[rings]") {
  FastRandom random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const RootTwoInteger common = random_real(random);
    const RootTwoInteger x = common * random_real(random);
    const RootTwoInteger y = common * random_real(random);
    if (common.is_zero() || (x.is_zero() && y.is_zero())) continue;
    const RootTwoInteger divisor = gcd(x, y);
    CHECK(divided(x, divisor));
    CHECK(divided(y, divisor));
    CHECK(divided(divisor, common));
  }
}

TEST_CASE("a greatest common divisor in Z[w] divides both numbers and contains common factors",
          "[rings]") {
  FastRandom random(3);
  const auto divides = [](const CyclotomicInteger& divisor, const CyclotomicInteger& x) {
    const RootTwoInteger square = absolute_square(divisor);
    const CyclotomicInteger exact = x * adjoint(divisor) * cyclotomic(conjugate(square));
    return std::all_of(exact.c.begin(), exact.c.end(),
                       [&](const Integer& each) { return each % norm(square) == 0; });
  };
  for (int trial = 0; trial < 200; ++trial) {
    const CyclotomicInteger common = random_cyclotomic(random);
    const CyclotomicInteger x = common * random_cyclotomic(random);
    const CyclotomicInteger y = common * random_cyclotomic(random);
    if (common.is_zero() || (x.is_zero() && y.is_zero())) continue;
    const CyclotomicInteger divisor = gcd(x, y);
    CHECK(divides(divisor, x));
    CHECK(divides(divisor, y));
    CHECK(divides(common, divisor));
  }
}

TEST_CASE("conjugates, turns and real parts in Z[w] agree with the multiplication", "[rings]") {
  FastRandom random(4);
  const CyclotomicInteger omega{{0, 1, 0, 0}};
  for (int trial = 0; trial < 100; ++trial) {
    const CyclotomicInteger x = random_cyclotomic(random);
    CHECK(turned(x, 3) == x * omega * omega * omega);
    CHECK(turned(turned(x, 5), 3) == x);
    CHECK(cyclotomic(absolute_square(x)) == x * adjoint(x));
    CHECK(cyclotomic(twice_real_part(x)) == x + adjoint(x));
    CHECK(turned(cyclotomic(twice_imaginary_part(x)), 2) == x - adjoint(x));
    CHECK(is_divisible_by_root_two(times_root_two(x, 1)));
    CHECK(times_root_two(x, 4) == x * CyclotomicInteger{{4, 0, 0, 0}});
  }
  CHECK_FALSE(is_divisible_by_root_two(one_plus_omega()));
}

}  // namespace
}  // namespace quartz::approximation
