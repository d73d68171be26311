#include "optimize/algebras/algebra_structure.hpp"

#include <catch2/catch.hpp>

#include "multiplier_products.hpp"
#include "optimize/algebras/quotient_algebra.hpp"
#include "optimize/algebras/small_field.hpp"
#include "optimize/product_reduction/algebra_products.hpp"
#include "optimize/product_reduction/evaluation_forms.hpp"
#include "optimize/product_reduction/product_reduction.hpp"
#include "optimize/product_reduction/recursive_forms.hpp"
#include "optimize/product_reduction/square_forms.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/trivector.hpp"
#include "quartz/base/errors.hpp"

using namespace quartz;
using namespace quartz::optimizer;

namespace {

/// A multiplier of a field of 2^n elements, and the number of products that must be reached.
struct Multiplier {
  std::vector<std::size_t> modulus;
  std::size_t products;
};

const std::vector<Multiplier> kMultipliers{
    {{2, 1, 0}, 3},         {{3, 1, 0}, 6},   {{4, 1, 0}, 9},        {{5, 2, 0}, 13},
    {{6, 1, 0}, 15},        {{7, 1, 0}, 21},  {{8, 4, 3, 1, 0}, 24}, {{9, 1, 0}, 30},
    {{10, 3, 0}, 33},       {{11, 2, 0}, 39}, {{12, 3, 0}, 42},      {{16, 5, 3, 1, 0}, 60},
    {{32, 7, 3, 2, 0}, 135}};

LinearForm polynomial_of(const std::vector<std::size_t>& exponents) {
  LinearForm polynomial(exponents.front() + 1);
  for (const std::size_t exponent : exponents) polynomial.set(exponent);
  return polynomial;
}

}  // namespace

TEST_CASE("the multipliers of finite fields need few products", "[algebra_structure][figures]") {
  for (const auto& [modulus, expected] : kMultipliers) {
    INFO("degree " << modulus.front());
    FastRandom random(1);
    const auto given = multiplier_products(modulus);
    const auto found = with_fewer_products(given, Budget::of_ticks(300'000), random);
    CHECK(found.size() <= expected);
    CHECK(have_same_sum(given, found));
  }
}

TEST_CASE("a random change of the variables does not hide a multiplier",
          "[algebra_structure][figures]") {
  for (const auto& [modulus, expected] : kMultipliers) {
    const bool is_quick = modulus.front() <= 10 || modulus.front() == 32;
    if (!is_quick) continue;
    INFO("degree " << modulus.front());
    FastRandom random(modulus.front());
    const auto given = multiplier_products(modulus);
    const BitMatrix change = random_invertible_matrix(random, 3 * modulus.front());
    auto changed = with_other_bases_of_spans(in_variables(given, change), random);
    REQUIRE(have_same_sum(changed, in_variables(given, change)));
    const auto found = with_fewer_products(changed, Budget::of_ticks(300'000), random);
    CHECK(found.size() <= expected);
    CHECK(have_same_sum(changed, found));
  }
}

TEST_CASE("products that share no variables are reduced apart", "[algebra_structure]") {
  std::vector<Product> both;
  std::size_t first_wire = 0;
  for (const auto& modulus : {std::vector<std::size_t>{4, 1, 0}, {5, 2, 0}}) {
    for (Product product : multiplier_products(modulus)) {
      for (LinearForm& form : product.forms) {
        form.resize(27);
        form <<= first_wire;
      }
      both.push_back(product);
    }
    first_wire = 12;
  }
  FastRandom random(3);
  const BitMatrix change = random_invertible_matrix(random, 27);
  CHECK(
      with_fewer_products(in_variables(both, change), Budget::of_ticks(1'000'000), random).size() ==
      9 + 13);
}

TEST_CASE("the structure of a multiplier is found in a sparse basis", "[algebra_structure]") {
  FastRandom random(1);
  const auto given = multiplier_products({8, 4, 3, 1, 0});
  const auto structure = algebra_structure_of(given, 24, random);
  REQUIRE(structure.has_value());
  CHECK(QuotientAlgebra(structure->modulus).is_field());
  for (const LinearForm& form : structure->first) CHECK(form.count() == 1);
  for (const LinearForm& form : structure->second) CHECK(form.count() == 1);
  CHECK_FALSE(algebra_structure_of(random_products(random, 24, 40), 24, random).has_value());
}

TEST_CASE("multiplications modulo a reducible polynomial have the structure as well",
          "[algebra_structure]") {
  // (x^2 + x + 1) (x^3 + x + 1), and x^4.
  for (const auto& [modulus, expected] :
       {Multiplier{{5, 4, 0}, 9}, Multiplier{{4}, 8}, Multiplier{{9}, 30}}) {
    INFO("degree " << modulus.front());
    FastRandom random(4);
    auto given = multiplier_products(modulus);
    const auto found = with_fewer_products(given, Budget::of_ticks(300'000), random);
    CHECK(found.size() <= expected);
    CHECK(have_same_sum(given, found));
  }
}

TEST_CASE("a small field has inverses and a Frobenius map", "[algebra_structure]") {
  for (unsigned degree = 1; degree <= 8; ++degree) {
    const SmallField field(degree);
    for (SmallField::Element element = 1; element < field.size(); ++element) {
      bool has_inverse = false;
      for (SmallField::Element other = 1; other < field.size(); ++other) {
        has_inverse = has_inverse || field.product(element, other) == 1;
      }
      CHECK(has_inverse);
      CHECK(field.frobenius(element, degree) == element);
      CHECK(field.frobenius(element, 1) == field.product(element, element));
    }
  }
}

TEST_CASE("subfields of a quotient algebra have generators", "[algebra_structure]") {
  const QuotientAlgebra field(polynomial_of({12, 3, 0}));
  CHECK(field.is_field());
  CHECK_FALSE(QuotientAlgebra(polynomial_of({12, 2, 0})).is_field());
  for (const std::size_t degree : {1, 2, 3, 4, 6}) {
    const auto generator = field.generator_of_subfield(degree);
    REQUIRE(generator.has_value());
    CHECK(field.minimal_polynomial(*generator).size() == degree + 1);
  }
  CHECK_FALSE(field.generator_of_subfield(5).has_value());
}

TEST_CASE("a search for square forms spans the given matrices", "[algebra_structure]") {
  FastRandom random(9);
  // The products of the coefficients of two polynomials of degree 1: Karatsuba's three.
  const std::vector<SymmetricMatrix> karatsuba{SymmetricMatrix{1} << symmetric_bit(0, 0),
                                               SymmetricMatrix{1} << symmetric_bit(0, 1),
                                               SymmetricMatrix{1} << symmetric_bit(1, 1)};
  CHECK(square_forms(2, karatsuba, 3, Budget(), random).size() == 3);
  // One matrix of rank 2 that alternates needs three squares.
  const std::vector<SymmetricMatrix> alternating{SymmetricMatrix{1} << symmetric_bit(0, 1)};
  CHECK(square_forms(4, alternating, 1, Budget::of_ticks(2000), random).size() == 3);
}

TEST_CASE("squares that do not span the multiplication table are refused", "[algebra_structure]") {
  const LinearForm modulus = polynomial_of({3, 1, 0});
  std::vector<LinearForm> forms;
  for (std::uint64_t bits = 1; bits < 6; ++bits) forms.push_back(form_of(3, bits));
  CHECK_THROWS_AS(formula_of_forms(modulus, forms), InternalError);
  forms.push_back(form_of(3, 6));
  CHECK(formula_of_forms(modulus, forms).values.size() == 6);
}

TEST_CASE("a formula multiplies all elements of an algebra", "[algebra_structure]") {
  for (const auto& exponents : {std::vector<std::size_t>{5, 2, 0}, {6, 1, 0}, {4}}) {
    FastRandom random(2);
    const LinearForm modulus = polynomial_of(exponents);
    const QuotientAlgebra algebra(modulus);
    EvaluationForms forms(Budget::of_ticks(100'000), random);
    const BilinearFormula formula = formula_of_forms(modulus, forms.of_algebra(modulus));
    const std::size_t size = algebra.degree();
    for (std::uint64_t a = 0; a < std::uint64_t{1} << size; ++a) {
      for (std::uint64_t b = 0; b < std::uint64_t{1} << size; ++b) {
        LinearForm sum(size);
        for (std::size_t i = 0; i < formula.values.size(); ++i) {
          const bool is_added = inner_product(formula.first[i], form_of(size, a)) &&
                                inner_product(formula.second[i], form_of(size, b));
          if (is_added) sum ^= formula.values[i];
        }
        REQUIRE(sum == algebra.product(form_of(size, a), form_of(size, b)));
      }
    }
  }
}

TEST_CASE("the products of a multiplier vary with the random numbers", "[algebra_structure]") {
  FastRandom random(3);
  const auto given = multiplier_products({8, 4, 3, 1, 0});
  const auto structure = algebra_structure_of(given, 24, random);
  REQUIRE(structure.has_value());
  EvaluationForms forms(Budget::of_ticks(100'000), random);
  const auto formula = formula_of_forms(structure->modulus, forms.of_algebra(structure->modulus));
  const auto bits_of = [](const std::vector<Product>& products) {
    std::size_t bits = 0;
    for (const auto& [f] : products) bits += f[0].count() + f[1].count() + f[2].count();
    return bits;
  };
  const auto one = lightest_products(*structure, formula, 1, random);
  const auto other = lightest_products(*structure, formula, 1, random);
  const auto lightest = lightest_products(*structure, formula, 200, random);
  for (const auto& products : {one, other, lightest}) {
    CHECK(products.size() == 24);
    CHECK(have_same_sum(products, given));
  }
  CHECK(one.front().forms != other.front().forms);
  std::size_t bits_of_draws = 0;
  for (int i = 0; i < 20; ++i) {
    bits_of_draws += bits_of(lightest_products(*structure, formula, 1, random));
  }
  CHECK(20 * bits_of(lightest) < bits_of_draws);
}

TEST_CASE("recursive forms compute the products of polynomials", "[algebra_structure]") {
  const std::vector<std::pair<std::size_t, std::size_t>> expected{
      {1, 1}, {2, 3}, {3, 6}, {4, 9}, {5, 15}, {6, 18}, {8, 27}, {9, 36}, {16, 81}};
  for (const auto& [terms, number] : expected) {
    INFO(terms << " terms");
    CHECK(recursive_forms(terms).size() == number);
    // Modulo x^(2 terms), the product of polynomials with half as many terms is complete.
    FastRandom random(1);
    const auto given = multiplier_products({2 * terms});
    const auto structure = algebra_structure_of(given, 6 * terms, random);
    REQUIRE(structure.has_value());
    const auto formula = formula_of_forms(structure->modulus, recursive_forms(2 * terms));
    CHECK(have_same_sum(products_of_formula(*structure, formula), given));
  }
}

TEST_CASE("a multiplier has a set of sparse products besides the fewest",
          "[algebra_structure][figures]") {
  FastRandom random(1);
  const auto given = multiplier_products({16, 5, 3, 1, 0});
  const auto sets = sets_of_fewer_products(given, Budget::of_ticks(500'000), random);
  REQUIRE(sets.size() == 2);
  CHECK(sets[0].size() == 60);
  CHECK(sets[1].size() == 81);
  std::vector<std::size_t> weights;
  for (const auto& set : sets) {
    CHECK(have_same_sum(set, given));
    weights.push_back(0);
    for (const auto& [forms] : set) weights.back() += forms[0].count() + forms[1].count();
  }
  // Karatsuba's forms of four levels have 4^4 bits in all.
  CHECK(weights[1] == 2 * 256);
  CHECK(weights[0] > weights[1]);
}

// Prints the products reached and the seconds: test_optimize "[products_figures]".
TEST_CASE("figures of multipliers", "[.][products_figures]") {
  std::vector<Multiplier> all = kMultipliers;
  all.push_back({{64, 4, 3, 1, 0}, 300});
  all.push_back({{128, 7, 2, 1, 0}, 669});
  for (const auto& [modulus, expected] : all) {
    for (const bool is_changed : {false, true}) {
      FastRandom random(1);
      auto given = multiplier_products(modulus);
      if (is_changed) {
        given = in_variables(given, random_invertible_matrix(random, 3 * modulus.front()));
      }
      const auto start = Budget::Clock::now();
      const auto sets = sets_of_fewer_products(given, Budget::of_seconds(20), random);
      const std::chrono::duration<double> elapsed = Budget::Clock::now() - start;
      WARN("gf2^" << modulus.front() << (is_changed ? " changed: " : ": ") << sets[0].size()
                  << " products, or " << sets.back().size() << " sparse ones, " << elapsed.count()
                  << " s");
      CHECK(sets[0].size() <= expected);
    }
  }
}
