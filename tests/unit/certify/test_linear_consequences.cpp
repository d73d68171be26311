#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include "certify/path_sum/linear_consequences.hpp"
#include "polynomial_value.hpp"

using namespace quartz::certify;

namespace {

BooleanPolynomial sum_of(const std::vector<Monomial>& monomials) {
  BooleanPolynomial function;
  for (const Monomial& monomial : monomials) function.toggle(monomial);
  return function;
}

}  // namespace

TEST_CASE("Two variables for the same product are found to be equal") {
  constexpr Variable a = 0;
  constexpr Variable b = 1;
  constexpr Variable first = 2;
  constexpr Variable second = 3;
  const auto found =
      linear_consequences({sum_of({{first}, {a, b}}), sum_of({{second}, {a, b}})}, {});
  REQUIRE(found.size() == 1);
  CHECK(found[0] == sum_of({{first}, {second}}));
}

TEST_CASE("The product of a product with its own factor is found only through multiples") {
  constexpr Variable a = 0;
  constexpr Variable b = 1;
  constexpr Variable product = 2;  // a b
  constexpr Variable again = 3;    // a (a b)
  const std::vector<BooleanPolynomial> equations = {sum_of({{product}, {a, b}}),
                                                    sum_of({{again}, {a, product}})};
  CHECK(linear_consequences(equations, {}).empty());
  const auto found = linear_consequences(with_multiples(equations, {}), {});
  REQUIRE(found.size() == 1);
  CHECK(found[0] == sum_of({{product}, {again}}));
}

TEST_CASE("Consequences are linear and hold wherever the equations do") {
  constexpr std::uint64_t seed = 23;
  INFO("seed " << seed);
  std::mt19937_64 random(seed);
  constexpr Variable variables = 8;
  int found_in_all = 0;
  for (int round = 0; round < 200; ++round) {
    // Equations that have the solution `solution`.
    const auto solution = static_cast<std::uint32_t>(random() % (1U << variables));
    std::vector<BooleanPolynomial> equations;
    for (int i = 0; i < 9; ++i) {
      BooleanPolynomial equation;
      for (int k = 0; k < 3; ++k) {
        const auto first = static_cast<Variable>(random() % variables);
        const auto second = static_cast<Variable>(random() % variables);
        equation.toggle(product({first}, {second}));
      }
      if (value_of(equation, solution)) equation.toggle({});
      equations.push_back(equation);
    }
    for (const auto& system : {equations, with_multiples(equations, {})}) {
      for (const BooleanPolynomial& consequence : linear_consequences(system, {})) {
        ++found_in_all;
        CHECK(consequence.degree() <= 1);
        CHECK_FALSE(consequence.is_zero());
        for (std::uint32_t bits = 0; bits < (1U << variables); ++bits) {
          const bool solves = std::none_of(
              equations.begin(), equations.end(),
              [&](const BooleanPolynomial& equation) { return value_of(equation, bits); });
          if (solves && value_of(consequence, bits)) FAIL("round " << round << ", bits " << bits);
        }
      }
    }
  }
  CHECK(found_in_all > 200);
}
