#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

#include "algebra/laurent.hpp"
#include "quartz/base/errors.hpp"

using namespace quartz;
using namespace quartz::algebra;

namespace {

using Exponents = std::vector<std::int64_t>;

/// Builds polynomials in two symbols.
class Polynomials {
 public:
  explicit Polynomials(std::uint32_t order) : ring(CyclotomicRing(order)) {}

  [[nodiscard]] Monomial monomial(std::int64_t x, std::int64_t y, std::uint32_t root) const {
    return {packing.pack(0, x) + packing.pack(1, y), root};
  }
  [[nodiscard]] Laurent term(std::int64_t coefficient, int sqrt2_power,
                             const Monomial& monomial) const {
    Laurent result = ring.one();
    ring.scale(result, coefficient, sqrt2_power, monomial);
    return result;
  }
  [[nodiscard]] Laurent sum(const Laurent& a, const Laurent& b) const {
    Laurent result = a;
    Laurent addend = b;
    ring.add(result, addend);
    return result;
  }
  [[nodiscard]] std::complex<double> value(const Laurent& polynomial) const {
    std::complex<double> total = 0;
    for (const LaurentTerm& term : polynomial.terms) {
      const Exponents exponents = packing.unpack(term.monomial.exponents);
      const double angle = 0.7 * static_cast<double>(exponents[0]) -
                           1.9 * static_cast<double>(exponents[1]) +
                           2 * std::numbers::pi * term.monomial.root / ring.coefficients().order();
      total += std::polar(static_cast<double>(term.coefficient), angle);
    }
    return total * std::pow(2.0, -0.5 * polynomial.sqrt2_power);
  }
  [[nodiscard]] Laurent random(std::mt19937_64& source, unsigned terms) const {
    Laurent result;
    for (unsigned i = 0; i < terms; ++i) {
      Laurent next = term(static_cast<std::int64_t>(source() % 9) + 1,
                          static_cast<int>(source() % 4), random_monomial(source));
      ring.add(result, next);
    }
    return result;
  }
  [[nodiscard]] Monomial random_monomial(std::mt19937_64& source) const {
    const auto small = [&] { return static_cast<std::int64_t>(source() % 5) - 2; };
    const std::int64_t x = small();
    const std::int64_t y = small();
    return monomial(x, y, static_cast<std::uint32_t>(source() % ring.coefficients().order()));
  }

  LaurentRing ring;
  ExponentPacking packing{Exponents{100, 100}};
};

}  // namespace

TEST_CASE("packed exponents unpack to the same exponents, and add") {
  const ExponentPacking packing(Exponents{3, 1000000000000, 0, 17});
  const Exponents exponents = {-3, 999999999999, 0, -17};
  PackedExponents packed = 0;
  for (std::size_t j = 0; j < exponents.size(); ++j) packed += packing.pack(j, exponents[j]);
  CHECK(packing.unpack(packed) == exponents);
  CHECK(packing.unpack(packed - packing.pack(1, 1) - packing.pack(3, -20)) ==
        Exponents{-3, 999999999998, 0, 3});
  CHECK(packing.unpack(-packed) == Exponents{3, -999999999999, 0, 17});
}

TEST_CASE("exponents that together need too many bits are refused") {
  const std::int64_t large = std::int64_t{1} << 61;
  CHECK_NOTHROW(ExponentPacking(Exponents{large, large}));
  CHECK_THROWS_AS(ExponentPacking(Exponents{large, large, 1}), OverflowError);
}

TEST_CASE("the value of a sum of Laurent polynomials is the sum of their values") {
  const std::uint64_t seed = 7;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (const std::uint32_t order : {8U, 16U, 24U}) {
    const Polynomials polynomials(order);
    for (int i = 0; i < 100; ++i) {
      const Laurent a = polynomials.random(random, 4);
      const Laurent b = polynomials.random(random, 4);
      const Laurent sum = polynomials.sum(a, b);
      CHECK(std::abs(polynomials.value(sum) - polynomials.value(a) - polynomials.value(b)) < 1e-9);
      CHECK(polynomials.ring.equal(sum, polynomials.sum(b, a)));
      CHECK(polynomials.ring.equal(a, b) ==
            (std::abs(polynomials.value(a) - polynomials.value(b)) < 1e-9));
      Laurent minus = b;
      polynomials.ring.scale(minus, -1, 0, {});
      CHECK(polynomials.ring.equal(polynomials.sum(sum, minus), a));
      CHECK(polynomials.ring.is_zero(
                polynomials.sum(polynomials.sum(sum, minus), polynomials.sum(b, minus))) ==
            polynomials.ring.is_zero(a));
    }
  }
}

TEST_CASE("two forms of the same number are equal") {
  const Polynomials polynomials(24);
  const auto root = [&](std::uint32_t e) { return polynomials.term(1, 0, {0, e}); };
  // sqrt(2) = zeta_8 + 1/zeta_8 = 2 / sqrt(2).
  CHECK(polynomials.ring.equal(polynomials.sum(root(3), root(21)), polynomials.term(2, 1, {})));
  // 1 + zeta_3 = -zeta_3^2 = zeta_6.
  CHECK(polynomials.ring.equal(polynomials.sum(root(0), root(8)), root(4)));
  CHECK(polynomials.ring.is_zero(polynomials.sum(polynomials.sum(root(0), root(8)), root(16))));
  CHECK_FALSE(polynomials.ring.equal(polynomials.sum(root(0), root(8)), root(5)));
}

TEST_CASE("a quotient that is a monomial is found") {
  const std::uint64_t seed = 11;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  for (const std::uint32_t order : {8U, 32U, 24U, 40U}) {
    const Polynomials polynomials(order);
    for (int i = 0; i < 100; ++i) {
      const Laurent divisor = polynomials.random(random, 3);
      if (polynomials.ring.is_zero(divisor)) continue;
      const Monomial monomial = polynomials.random_monomial(random);
      Laurent multiple = divisor;
      polynomials.ring.scale(multiple, 2, 2, monomial);  // multiplied by 2 / sqrt(2)^2
      const auto found = polynomials.ring.ratio(multiple, divisor);
      REQUIRE(found.has_value());
      CHECK(*found == monomial);
      // Half of the multiple, or the multiple with another term, is not a multiple by a monomial.
      polynomials.ring.scale(multiple, 1, 2, {});
      CHECK_FALSE(polynomials.ring.ratio(multiple, divisor).has_value());
      const Laurent longer =
          polynomials.sum(divisor, polynomials.term(1, 0, polynomials.monomial(9, 9, 0)));
      CHECK_FALSE(polynomials.ring.ratio(longer, divisor).has_value());
    }
  }
}

TEST_CASE("a root is found although the two sides are written differently") {
  const Polynomials polynomials(24);
  const auto root = [&](std::uint32_t e) { return polynomials.term(1, 0, {0, e}); };
  // 1 + zeta_3 = zeta_6, so its quotient by zeta_24 is zeta_24^3.
  const auto found = polynomials.ring.ratio(polynomials.sum(root(0), root(8)), root(1));
  REQUIRE(found.has_value());
  CHECK(found->root == 3);
}

TEST_CASE("an overflow of coefficients throws") {
  const Polynomials polynomials(8);
  Laurent large = polynomials.term(std::int64_t{1} << 62, 0, {});
  CHECK_THROWS_AS(polynomials.ring.scale(large, 2, 0, {}), OverflowError);
  Laurent one = polynomials.term(std::int64_t{1} << 62, 0, {});
  Laurent other = one;
  CHECK_THROWS_AS(polynomials.ring.add(one, other), OverflowError);
}
