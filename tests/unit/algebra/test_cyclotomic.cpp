#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <vector>

#include "algebra/cyclotomic.hpp"
#include "quartz/base/errors.hpp"

using namespace quartz;
using namespace quartz::algebra;

TEST_CASE("roots of unity have the exponents of their angles") {
  const CyclotomicRing ring(24);
  CHECK(ring.exponent_of(Rational(0)) == 0);
  CHECK(ring.exponent_of(Rational(1, 4)) == 3);
  CHECK(ring.exponent_of(Rational(-1, 12)) == 23);
  CHECK(ring.exponent_of(Rational(7, 3)) == 4);
  CHECK_THROWS_AS(ring.exponent_of(Rational(1, 5)), UsageError);
  CHECK(ring.add(20, 9) == 5);
  CHECK(ring.subtract(3, 9) == 18);
  CHECK(ring.multiple(5, -3) == 9);
  CHECK(ring.opposite(20) == 8);
}

TEST_CASE("an order must be a multiple of eight that fits the representation") {
  CHECK_THROWS_AS(CyclotomicRing(4), UsageError);
  CHECK_THROWS_AS(CyclotomicRing(0), UsageError);
  CHECK_THROWS_AS(CyclotomicRing(std::uint64_t{1} << 32), OverflowError);
  CHECK(CyclotomicRing(std::uint64_t{1} << 31).has_canonical_basis());
  CHECK_FALSE(CyclotomicRing(24).has_canonical_basis());
}

TEST_CASE("exactly one of every root and its opposite is canonical") {
  for (const std::uint32_t order : {8U, 16U, 24U, 72U, 120U}) {
    const CyclotomicRing ring(order);
    for (std::uint32_t e = 0; e < order; ++e) {
      CHECK(ring.is_canonical(e) != ring.is_canonical(ring.opposite(e)));
    }
  }
}

TEST_CASE("sums of roots of unity are zero exactly if they are zero numerically") {
  const std::uint64_t seed = 20220611;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  int zeros = 0;
  for (const std::uint32_t order : {8U, 16U, 24U, 40U, 72U, 120U, 360U}) {
    const CyclotomicRing ring(order);
    for (int i = 0; i < 200; ++i) {
      // Sums over whole orbits of each prime's roots vanish; often one more term is added.
      std::vector<RootTerm> sum;
      for (const std::uint32_t prime : {2U, 3U, 5U}) {
        if (order % prime != 0 || random() % 2 == 0) continue;
        const auto start = static_cast<std::uint32_t>(random() % order);
        const auto factor = static_cast<std::int64_t>(random() % 7) - 3;
        for (std::uint32_t j = 0; j < prime; ++j) {
          sum.push_back({ring.add(start, order / prime * j), factor});
        }
      }
      if (random() % 2 == 0) sum.push_back({static_cast<std::uint32_t>(random() % order), 1});
      const bool zero = ring.is_zero(sum);
      zeros += zero ? 1 : 0;
      CHECK(zero == (std::abs(ring.value(sum)) < 1e-9));
    }
  }
  CHECK(zeros > 300);
}

TEST_CASE("an overflow of exact integers throws") {
  const std::int64_t large = std::numeric_limits<std::int64_t>::max();
  CHECK(checked_sum(large, -1) == large - 1);
  CHECK_THROWS_AS(checked_sum(large, 1), OverflowError);
  CHECK(checked_product(large, -1) == -large);
  CHECK_THROWS_AS(checked_product(large / 2, 3), OverflowError);
}
