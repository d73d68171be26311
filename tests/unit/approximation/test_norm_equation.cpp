#include <catch2/catch.hpp>

#include "approximation/rings/norm_equation.hpp"
#include "approximation/rings/prime_factors.hpp"
#include "base/random.hpp"

namespace quartz::approximation {
namespace {

TEST_CASE("prime factors multiply to the number and are prime", "[norm_equation]") {
  FastRandom random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const Integer n = Integer(random() >> (trial % 60)) + 1;
    const std::optional<std::vector<PrimePower>> factors = prime_factors(n);
    REQUIRE(factors);
    Integer product = 1;
    for (const PrimePower& factor : *factors) {
      product *= pow(factor.prime, factor.exponent);
      if (factor.prime > 2) CHECK(power_modulo(2, factor.prime - 1, factor.prime) == 1);
    }
    CHECK(product == n);
  }
}

TEST_CASE("products of two primes of 32 bits, squares and large primes are factored",
          "[norm_equation]") {
  const Integer p("4294967291");
  const Integer q("4294967279");
  const Integer large("170141183460469231731687303715884105727");  // 2^127 - 1
  CHECK(prime_factors(p * q)->size() == 2);
  CHECK(prime_factors(p * p)->front().exponent == 2);
  CHECK(prime_factors(large)->front().prime == large);
  CHECK(prime_factors(large * large * 6)->size() == 3);
}

TEST_CASE("the effort for a product of two large primes is bounded", "[norm_equation]") {
  const Integer p("170141183460469231731687303715884105727");  // 2^127 - 1
  const Integer q("162259276829213363391578010288127");        // 2^107 - 1
  CHECK_FALSE(prime_factors(p * q));
}

TEST_CASE("the norm equation has a solution for every norm, also of hard and repeated primes",
          "[norm_equation]") {
  FastRandom random(2);
  for (const unsigned size : {3U, 30U, 1000U, 1000000U}) {
    // Norms of 80 bits take a hundred times as long as small ones.
    const int trials = size < 1000000 ? 100 : 25;
    for (int trial = 0; trial < trials; ++trial) {
      CyclotomicInteger t;
      for (Integer& each : t.c) each = Integer(random.below(2 * size + 1)) - size;
      if (trial % 3 == 0) t = t * t;
      const RootTwoInteger xi = absolute_square(t);
      const std::optional<CyclotomicInteger> solution = solve_norm_equation(xi);
      if (!solution && norm(xi) > (Integer(1) << 64)) continue;  // may be too hard
      REQUIRE(solution);
      CHECK(absolute_square(*solution) == xi);
    }
  }
}

/// Returns all values of t^dagger t with coefficients up to 3 in magnitude.
std::vector<RootTwoInteger> small_norms() {
  std::vector<RootTwoInteger> norms;
  for (unsigned code = 0; code < 7 * 7 * 7 * 7; ++code) {
    CyclotomicInteger t;
    unsigned rest = code;
    for (Integer& each : t.c) {
      each = static_cast<int>(rest % 7) - 3;
      rest /= 7;
    }
    norms.push_back(absolute_square(t));
  }
  return norms;
}

TEST_CASE("the norm equation is solved exactly where a solution exists", "[norm_equation]") {
  // t^dagger t = a + b sqrt(2), where the squares of the coefficients of t add up to a.
  const std::vector<RootTwoInteger> norms = small_norms();
  for (int a = 0; a < 16; ++a) {
    for (int b = -11; b <= 11; ++b) {
      const RootTwoInteger xi{a, b};
      if (!is_doubly_nonnegative(xi)) continue;
      INFO(a << " + " << b << " sqrt(2)");
      const bool exists = std::find(norms.begin(), norms.end(), xi) != norms.end();
      CHECK(solve_norm_equation(xi).has_value() == exists);
    }
  }
}

}  // namespace
}  // namespace quartz::approximation
