#include <bit>
#include <catch2/catch.hpp>

#include "optimize/product_reduction/flip_search.hpp"
#include "optimize/product_reduction/form_slots.hpp"
#include "optimize/product_reduction/product_reduction.hpp"
#include "optimize/product_reduction/shared_forms.hpp"
#include "optimize/product_reduction/symmetric_products.hpp"
#include "optimize/products/merging.hpp"
#include "optimize/products/trivector.hpp"
#include "random_products.hpp"

using namespace quartz;
using namespace quartz::optimizer;

namespace {

/// Returns the products of the entries of two square matrices.
std::vector<WordProduct> matrix_products(unsigned size) {
  std::vector<WordProduct> products;
  const auto bit = [&](unsigned matrix, unsigned row, unsigned column) {
    return std::uint64_t{1} << ((matrix * size + row) * size + column);
  };
  for (unsigned i = 0; i < size; ++i) {
    for (unsigned j = 0; j < size; ++j) {
      for (unsigned k = 0; k < size; ++k) {
        products.push_back({bit(0, i, j), bit(1, j, k), bit(2, i, k)});
      }
    }
  }
  return products;
}

/// Returns the products of the coefficients of two polynomials with as many terms.
std::vector<WordProduct> polynomial_products(unsigned terms) {
  std::vector<WordProduct> products;
  for (unsigned i = 0; i < terms; ++i) {
    for (unsigned j = 0; j < terms; ++j) {
      products.push_back({std::uint64_t{1} << i, std::uint64_t{1} << (terms + j),
                          std::uint64_t{1} << (2 * terms + i + j)});
    }
  }
  return products;
}

std::vector<Product> on_wires_of(const std::vector<WordProduct>& words, std::size_t wires) {
  std::vector<Product> products;
  for (const auto& [f, g, h] : words) products.push_back(product_of(wires, f, g, h));
  return products;
}

/// Returns the products in other variables and with other bases of their spans.
std::vector<Product> hidden(const std::vector<Product>& products, FastRandom& random) {
  const std::size_t wires = products[0].forms[0].size();
  return with_other_bases_of_spans(in_variables(products, random_invertible_matrix(random, wires)),
                                   random);
}

}  // namespace

TEST_CASE("equal entries of a table are found after any changes", "[product_searches]") {
  FastRandom random(3);
  SharedForms table(20);
  std::vector<std::uint64_t> values(20, 0);
  for (int round = 0; round < 5000; ++round) {
    const SharedForms::Entry entry = random.below(20);
    values[entry] = random.below(12);
    table.set(entry, values[entry]);
    std::size_t shared = 0;
    for (SharedForms::Entry i = 0; i < 20; ++i) {
      if (values[i] == 0) continue;
      const auto equal = std::count(values.begin(), values.end(), values[i]);
      shared += equal > 1 ? 1 : 0;
      std::ptrdiff_t in_ring = 0;
      SharedForms::Entry other = i;
      do {
        REQUIRE(values[other] == values[i]);
        other = table.next(other);
        ++in_ring;
      } while (other != i);
      REQUIRE(in_ring == equal);
    }
    REQUIRE(table.shared() == shared);
    if (shared > 0) {
      const SharedForms::Entry drawn = table.random_shared(random);
      REQUIRE(std::count(values.begin(), values.end(), values[drawn]) > 1);
    }
  }
}

TEST_CASE("flips preserve the sum of trivectors", "[product_searches]") {
  FastRandom random(8);
  for (int round = 0; round < 60; ++round) {
    INFO("seed 8, round " << round);
    std::vector<WordProduct> given;
    for (unsigned i = 0; i < 10; ++i) {
      given.push_back({1 + random.below(7), (1 + random.below(7)) << 3U,
                       std::uint64_t{1 + random.below(7)} << 6U});
    }
    for (const FlipKind kind : {FlipKind::kGraded, FlipKind::kUngraded}) {
      const auto found = flipped_products(given, kind, 0, Budget::of_ticks(3000), random);
      CHECK(found.size() <= given.size());
      CHECK(have_same_sum(on_wires_of(given, 9), on_wires_of(found, 9)));
      if (kind == FlipKind::kUngraded) continue;
      for (const auto& [f, g, h] : found) {
        CHECK((f >> 3U) == 0);
        CHECK((g & ~std::uint64_t{0b111000}) == 0);
        CHECK((h & 0b111111U) == 0);
      }
    }
  }
}

TEST_CASE("flips find the algorithms of Strassen and Laderman", "[product_searches]") {
  FastRandom random(1);
  const Budget budget = Budget::of_ticks(3'000'000);
  CHECK(flipped_products(matrix_products(2), FlipKind::kGraded, 7, budget, random).size() == 7);
  CHECK(flipped_products(matrix_products(3), FlipKind::kGraded, 23, budget, random).size() == 23);
}

TEST_CASE("the products of 3 x 3 matrices need fewer than 23 products without slots",
          "[product_searches]") {
  FastRandom random(3);
  const auto best = flipped_products(matrix_products(3), FlipKind::kUngraded, 21,
                                     Budget::of_ticks(1'000'000), random);
  CHECK(best.size() <= 21);
  CHECK(have_same_sum(on_wires_of(matrix_products(3), 27), on_wires_of(best, 27)));
}

TEST_CASE("slots of forms are found whatever the order of the forms", "[product_searches]") {
  FastRandom random(6);
  std::vector<WordProduct> products = matrix_products(3);
  for (WordProduct& product : products) {
    std::swap(product[0], product[random.below(3)]);
    std::swap(product[1], product[1 + random.below(2)]);
  }
  const auto graded = in_slots(products);
  REQUIRE(graded.has_value());
  CHECK((graded->slots[0] ^ graded->slots[1] ^ graded->slots[2]) == (1U << 27U) - 1);
  for (const std::uint64_t slot : graded->slots) CHECK(std::popcount(slot) == 9);
  for (const WordProduct& product : graded->products) {
    for (unsigned slot = 0; slot < 3; ++slot) CHECK((product[slot] & ~graded->slots[slot]) == 0);
  }
  // Four elements of which every three are a product cannot be in three slots.
  CHECK_FALSE(in_slots(std::vector<WordProduct>{{1, 2, 4}, {1, 2, 8}, {1, 4, 8}}).has_value());
}

TEST_CASE("the symmetric search identifies two slots", "[product_searches]") {
  FastRandom random(4);
  for (const auto& [terms, expected] : {std::pair{2U, 3U}, {3U, 6U}, {4U, 9U}, {5U, 13U}}) {
    // The second slot in another basis, so that the identification is not the obvious one.
    std::vector<WordProduct> products = polynomial_products(terms);
    const BitMatrix change = random_invertible_matrix(random, terms);
    for (WordProduct& product : products) {
      product[1] = multiply(LinearForm(terms, product[1] >> terms), change).to_ulong() << terms;
    }
    const auto graded = in_slots(products);
    REQUIRE(graded.has_value());
    const auto found = symmetric_products(*graded, expected, Budget::of_ticks(2'000'000), random);
    REQUIRE(found.has_value());
    CHECK(found->size() == expected);
    CHECK(have_same_sum(on_wires_of(products, 4 * terms), on_wires_of(*found, 4 * terms)));
  }
  // A slot of one form has nothing to be identified with.
  const auto star = in_slots(std::vector<WordProduct>{{1, 2, 4}, {1, 8, 16}, {1, 32, 4}});
  REQUIRE(star.has_value());
  CHECK_FALSE(symmetric_products(*star, 1, Budget::of_ticks(1000), random).has_value());
}

TEST_CASE("products of polynomials and matrices are reduced after any change of variables",
          "[product_searches]") {
  FastRandom random(12);
  const auto reduced = [&](const std::vector<WordProduct>& products, std::size_t wires) {
    const auto given = hidden(on_wires_of(products, wires), random);
    const auto found = with_fewer_products(given, Budget::of_ticks(300'000), random);
    CHECK(have_same_sum(given, found));
    return found.size();
  };
  CHECK(reduced(polynomial_products(3), 12) <= 6);
  CHECK(reduced(polynomial_products(5), 20) <= 13);
  CHECK(reduced(polynomial_products(6), 24) <= 17);
  CHECK(reduced(matrix_products(2), 12) <= 7);
  CHECK(reduced(matrix_products(3), 27) <= 23);
}

TEST_CASE("there are never more products than given, and their sum stays", "[product_searches]") {
  FastRandom random(21);
  for (int round = 0; round < 60; ++round) {
    INFO("seed 21, round " << round);
    const auto given = random_products(random, 3 + random.below(6), random.below(9));
    const auto found = with_fewer_products(given, Budget::of_ticks(5000), random);
    CHECK(found.size() <= given.size());
    CHECK(have_same_sum(given, found));
  }
}

TEST_CASE("products at their lower bound take no time", "[product_searches]") {
  FastRandom random(5);
  std::vector<Product> apart;
  for (unsigned i = 0; i < 60; i += 3) {
    apart.push_back(
        product_of(60, std::uint64_t{1} << i, std::uint64_t{2} << i, std::uint64_t{4} << i));
  }
  const auto given = hidden(apart, random);
  CHECK(lower_bound_of_products(given) == 20);
  const Budget budget = Budget::of_ticks(1000);
  CHECK(with_fewer_products(given, budget, random).size() == 20);
  CHECK(budget.ticks_left() == 1000);
}

TEST_CASE("a budget in ticks gives the same products each time", "[product_searches]") {
  const auto given = on_wires_of(matrix_products(3), 27);
  std::vector<std::vector<Product>> results;
  for (int i = 0; i < 2; ++i) {
    FastRandom random(17);
    results.push_back(with_fewer_products(given, Budget::of_ticks(100'000), random));
  }
  REQUIRE(results[0].size() == results[1].size());
  for (std::size_t i = 0; i < results[0].size(); ++i) {
    CHECK(results[0][i].forms == results[1][i].forms);
  }
}
