#include "optimize/product_reduction/product_reduction.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "multiplier_products.hpp"
#include "optimize/product_reduction/polynomial_forms.hpp"
#include "optimize/product_variants/product_variants.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/coordinates.hpp"
#include "optimize/products/merging.hpp"
#include "optimize/products/trivector.hpp"
#include "random_products.hpp"

using namespace quartz;
using namespace quartz::optimizer;

namespace {

/// Returns the coefficients of the sum of trivectors from its definition, the determinants of three
/// rows of three bits.
std::vector<bool> coefficients_of(const std::vector<Product>& products, std::size_t wires) {
  std::vector<bool> coefficients;
  for (std::size_t i = 0; i < wires; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t k = 0; k < j; ++k) {
        bool sum = false;
        for (const auto& [forms] : products) {
          const auto minor = [&](std::size_t a, std::size_t b) {
            return (forms[1][a] && forms[2][b]) != (forms[1][b] && forms[2][a]);
          };
          sum ^= forms[0][i] && minor(j, k);
          sum ^= forms[0][j] && minor(i, k);
          sum ^= forms[0][k] && minor(i, j);
        }
        coefficients.push_back(sum);
      }
    }
  }
  return coefficients;
}

}  // namespace

TEST_CASE("sums of trivectors are compared by all their coefficients", "[product_reduction]") {
  FastRandom random(11);
  std::size_t equal = 0;
  for (int round = 0; round < 300; ++round) {
    INFO("seed 11, round " << round);
    const std::size_t wires = 3 + random.below(3);
    const auto left = random_products(random, wires, random.below(4));
    const auto right = random_products(random, wires, random.below(4));
    const bool expected = coefficients_of(left, wires) == coefficients_of(right, wires);
    CHECK(have_same_sum(left, right) == expected);
    equal += expected ? 1 : 0;
  }
  CHECK(equal > 30);
  CHECK(equal < 270);
}

TEST_CASE("coordinates express a form by the elements of the basis", "[product_reduction]") {
  FastRandom random(5);
  Coordinates coordinates;
  for (int i = 0; i < 20; ++i) coordinates.extend(random_form(random, 30));
  CHECK(coordinates.dimension() <= 20);
  for (int round = 0; round < 50; ++round) {
    LinearForm sum(30);
    LinearForm elements(coordinates.dimension());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (random.below(2) == 0) continue;
      elements.set(i);
      sum ^= coordinates.basis()[i];
    }
    CHECK(coordinates.of(sum) == elements);
    CHECK_FALSE(coordinates.extend(sum));
  }
  CHECK_FALSE(coordinates.of(form_of(30, 0) ^ random_form(random, 30)).has_value());
}

TEST_CASE("products with equal spans cancel, and dependent forms are no product",
          "[product_reduction]") {
  FastRandom random(1);
  const std::vector<Product> equal{product_of(4, 1, 2, 4), product_of(4, 3, 6, 4)};
  CHECK(with_fewer_products(equal, Budget(), random).empty());
  const std::vector<Product> dependent{product_of(4, 1, 2, 3), product_of(4, 0, 2, 1)};
  CHECK(with_fewer_products(dependent, Budget(), random).empty());
}

TEST_CASE("products whose spans share a plane become one", "[product_reduction]") {
  FastRandom random(2);
  const std::vector<Product> given{product_of(5, 1, 2, 4), product_of(5, 1, 2, 24)};
  CHECK(with_merged_products(given, random).size() == 1);
  // The shared plane is {3, 5, 6}, and no form of the products is in it.
  const std::vector<Product> hidden{product_of(5, 1, 2, 4), product_of(5, 8, 11, 13)};
  const std::vector<Product> merged = with_merged_products(hidden, random);
  CHECK(merged.size() == 1);
  CHECK(have_same_sum(hidden, merged));
  // All products with the wires 0 and 1 make one, and those of wire 4 another.
  std::vector<Product> star;
  for (std::size_t i = 2; i < 30; ++i) star.push_back(product_of(40, 1, 2, 1ULL << i));
  for (std::size_t i = 6; i < 30; ++i) star.push_back(product_of(40, 16, 32, 1ULL << i));
  const std::vector<Product> few = with_merged_products(star, random);
  CHECK(few.size() == 2);
  CHECK(have_same_sum(star, few));
}

TEST_CASE("merging products preserves the sum of their trivectors", "[product_reduction]") {
  FastRandom random(7);
  for (int round = 0; round < 100; ++round) {
    INFO("seed 7, round " << round);
    const std::size_t wires = 3 + random.below(5);
    const auto given = random_products(random, wires, random.below(12));
    const auto merged = with_merged_products(given, random);
    CHECK(merged.size() <= given.size());
    CHECK(coefficients_of(merged, wires) == coefficients_of(given, wires));
  }
}

TEST_CASE("sets of thousands of sparse products are reduced", "[product_reduction]") {
  // Chains of products on 9,000 wires: x_i x_(i+1) x_(i+2), twice with another third form.
  constexpr std::size_t kWires = 9000;
  std::vector<Product> chain;
  for (std::size_t i = 0; i + 3 < kWires; i += 3) {
    for (const std::size_t third : {i + 2, i + 3}) {
      chain.push_back(
          {{unit_vector(kWires, i), unit_vector(kWires, i + 1), unit_vector(kWires, third)}});
    }
  }
  FastRandom random(1);
  const Budget budget = Budget::of_ticks(1000);
  const auto found = with_fewer_products(chain, budget, random);
  CHECK(found.size() == chain.size() / 2);
}

TEST_CASE("products of polynomials need as few products as published",
          "[product_reduction][figures]") {
  FastRandom random(41);
  for (const auto& [coefficients, expected] :
       std::vector<std::pair<std::size_t, std::size_t>>{{5, 13}, {8, 26}, {9, 30}, {10, 35}}) {
    INFO("seed 41, " << coefficients << " coefficients");
    const std::size_t wires = 4 * coefficients - 1;
    std::vector<Product> given;
    for (std::size_t i = 0; i < coefficients; ++i) {
      for (std::size_t j = 0; j < coefficients; ++j) {
        given.push_back({{unit_vector(wires, i), unit_vector(wires, coefficients + j),
                          unit_vector(wires, 2 * coefficients + i + j)}});
      }
    }
    for (const bool is_changed : {false, true}) {
      if (is_changed) given = in_variables(given, random_invertible_matrix(random, wires));
      const auto found = with_fewer_products(given, Budget::of_ticks(1'000'000), random);
      CHECK(found.size() <= expected);
      CHECK(have_same_sum(given, found));
    }
  }
}

TEST_CASE("the structure of polynomials is found in any basis, and only there",
          "[product_reduction]") {
  FastRandom random(42);
  for (const auto& [variables, expected] :
       std::vector<std::pair<unsigned, std::size_t>>{{3, 6}, {4, 10}, {6, 18}, {8, 26}}) {
    INFO("seed 42, " << variables << " variables");
    const BitMatrix change = random_invertible_matrix(random, variables);
    std::vector<SymmetricMatrix> matrices;
    for (unsigned sum = 0; sum < 2 * variables - 1; ++sum) {
      BitMatrix hankel(variables, LinearForm(variables));
      for (unsigned row = 0; row < variables; ++row) {
        if (row <= sum && sum - row < variables) hankel[row].set(sum - row);
      }
      const BitMatrix changed = multiply(multiply(change, hankel), transpose(change));
      matrices.push_back(0);
      for (unsigned row = 0; row < variables; ++row) {
        for (unsigned column = 0; column <= row; ++column) {
          if (changed[row].test(column)) {
            matrices.back() |= SymmetricMatrix{1} << symmetric_bit(row, column);
          }
        }
      }
    }
    const Budget budget = Budget::of_ticks(200'000);
    const auto forms = polynomial_forms(variables, matrices, budget, random);
    REQUIRE(forms.has_value());
    CHECK(forms->size() <= expected);
    // Random matrices have no such basis, and neither do fewer ones.
    CHECK_FALSE(
        polynomial_forms(variables, std::span(matrices).first(2 * variables - 2), budget, random));
    for (SymmetricMatrix& matrix : matrices)
      matrix = random() >> (64 - variables * (variables + 1) / 2);
    if (variables > 3) CHECK_FALSE(polynomial_forms(variables, matrices, budget, random));
  }
}

TEST_CASE("variants of products have the same sum and one product more at most",
          "[product_reduction]") {
  FastRandom random(31);
  for (const std::vector<std::size_t>& modulus :
       {std::vector<std::size_t>{4, 1, 0}, std::vector<std::size_t>{5, 2, 0}}) {
    const std::vector<Product> products = multiplier_products(modulus);
    const std::vector<Product> fewest =
        with_fewer_products(products, Budget::of_ticks(500'000), random);
    ProductVariants variants(products, fewest);
    std::set<std::vector<LinearForm>> different;
    for (std::size_t i = 0; i < 80; ++i) {
      const auto drawn = variants.draw(Budget::of_ticks(1'000'000), random);
      if (!drawn) continue;
      CHECK(drawn->size() <= fewest.size() + 1);
      CHECK(have_same_sum(products, *drawn));
      std::vector<LinearForm> forms;
      for (const Product& product : *drawn) {
        forms.insert(forms.end(), product.forms.begin(), product.forms.end());
      }
      std::ranges::sort(forms);
      different.insert(std::move(forms));
      variants.learn(1);
    }
    CHECK(different.size() > 10);
  }
}

TEST_CASE("products of more than 64 forms have no variants", "[product_reduction]") {
  FastRandom random(32);
  std::vector<Product> products;
  for (std::size_t i = 0; i < 22; ++i) {
    products.push_back(
        {{unit_vector(66, 3 * i), unit_vector(66, 3 * i + 1), unit_vector(66, 3 * i + 2)}});
  }
  CHECK_FALSE(ProductVariants(products, products).draw(Budget::of_ticks(1'000), random));
}
