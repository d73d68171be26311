#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "multiplier_products.hpp"
#include "optimize/algebras/evaluation_maps.hpp"
#include "optimize/algebras/small_field.hpp"
#include "optimize/evaluation_tables/evaluation_tables.hpp"
#include "optimize/evaluation_tables/field_tables.hpp"
#include "optimize/evaluation_tables/orbit_table.hpp"
#include "optimize/products/parity_phases.hpp"
#include "random_linear_map.hpp"
#include "random_products.hpp"

using namespace quartz;
using namespace quartz::optimizer;

namespace {

/// Returns the parities of products that have a phase by an odd number of eighths.
ParityTable parities_of(const std::vector<Product>& products) {
  ProductNetwork network;
  network.products = products;
  ParityTable table;
  for (const auto& [form, eighths] : phases_of(network)) {
    if (eighths % 2 != 0) table.push_back(form);
  }
  return table;
}

/// Returns whether the sums of p (x) p (x) p are equal, entry by entry.
bool have_equal_cubes(const ParityTable& left, const ParityTable& right) {
  ParityTable all = left;
  all.insert(all.end(), right.begin(), right.end());
  const std::size_t wires = all[0].size();
  std::vector<LinearForm> rows(wires, LinearForm(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t wire = 0; wire < wires; ++wire) rows[wire][i] = all[i][wire];
  }
  for (std::size_t i = 0; i < wires; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const LinearForm both = rows[i] & rows[j];
      for (std::size_t k = 0; k <= j; ++k) {
        if ((both & rows[k]).count() % 2 != 0) return false;
      }
    }
  }
  return true;
}

bool has_different_parities(const ParityTable& table) {
  const std::set<LinearForm> different(table.begin(), table.end());
  return different.size() == table.size() && !different.contains(LinearForm(table[0].size()));
}

/// Returns the exponents of the modulus of a small field, the degree first.
std::vector<std::size_t> modulus_of_field(unsigned degree) {
  std::vector<std::size_t> exponents;
  for (unsigned i = degree + 1; i-- > 0;) {
    if ((SmallField(degree).modulus() >> i & 1U) != 0) exponents.push_back(i);
  }
  return exponents;
}

}  // namespace

TEST_CASE("an orbit of automorphisms is a table for the field of 16 elements",
          "[evaluation_tables]") {
  const std::optional<ParityTable> orbit = orbit_table(4);
  REQUIRE(orbit);
  CHECK(orbit->size() == 39);
  CHECK(has_different_parities(*orbit));
  CHECK(have_equal_cubes(*orbit, parities_of(multiplier_products(modulus_of_field(4)))));
}

TEST_CASE("orbits are tables wherever there are any", "[evaluation_tables]") {
  for (unsigned degree = 1; degree <= kMaxDegreeOfOrbit; ++degree) {
    INFO("degree " << degree);
    const std::optional<ParityTable> orbit = orbit_table(degree);
    if (!orbit) continue;
    CHECK(has_different_parities(*orbit));
    CHECK(have_equal_cubes(*orbit, parities_of(multiplier_products(modulus_of_field(degree)))));
  }
  CHECK_FALSE(orbit_table(kMaxDegreeOfOrbit + 1));
}

TEST_CASE("tables of small fields have the cubic form of the multiplication",
          "[evaluation_tables]") {
  FieldTables tables({}, 1);
  const std::map<unsigned, std::size_t> most{{1, 7}, {2, 17}, {3, 29}, {4, 39}, {8, 117}};
  for (unsigned degree = 1; degree <= kMaxDegreeOfTable; ++degree) {
    INFO("degree " << degree);
    const ParityTable& table = tables.of_field(degree);
    CHECK(has_different_parities(table));
    CHECK(have_equal_cubes(table, parities_of(multiplier_products(modulus_of_field(degree)))));
    if (most.contains(degree)) CHECK(table.size() <= most.at(degree));
  }
}

TEST_CASE("evaluated tables have the cubic form of the products, in any basis",
          "[evaluation_tables]") {
  FastRandom random(3);
  // Fields, a product of fields, and truncated polynomials.
  for (const std::vector<std::size_t>& modulus :
       std::vector<std::vector<std::size_t>>{{2, 1, 0},
                                             {4, 3, 2, 1, 0},
                                             {5, 2, 0},
                                             {6, 1, 0},
                                             {7, 1, 0},
                                             {9, 1, 0},
                                             {10, 3, 0},
                                             {5, 4, 1, 0},
                                             {4}}) {
    INFO("degree " << modulus.front());
    std::vector<Product> products = multiplier_products(modulus);
    const std::size_t wires = 3 * modulus.front();
    const BitMatrix map = random_invertible_matrix(random, wires);
    for (Product& product : products) {
      for (LinearForm& form : product.forms) form = multiply(form, map);
    }
    const auto tables = EvaluationTables::of_products(products, {}, random);
    REQUIRE(tables);
    const ParityTable expected = parities_of(products);
    CHECK(have_equal_cubes(tables->smallest(random), expected));
    for (int draw = 0; draw < 4; ++draw) {
      const ParityTable table = tables->draw(random);
      CHECK(has_different_parities(table));
      CHECK(have_equal_cubes(table, expected));
    }
  }
}

TEST_CASE("evaluated tables of multipliers are smaller than seven parities a product",
          "[evaluation_tables][figures]") {
  FastRandom random(4);
  const std::vector<std::pair<std::vector<std::size_t>, std::size_t>> rows{
      {{4, 1, 0}, 39},  {{6, 1, 0}, 85},   {{8, 4, 3, 1, 0}, 117},
      {{9, 1, 0}, 145}, {{10, 3, 0}, 163}, {{16, 5, 3, 1, 0}, 273}};
  for (const auto& [modulus, parities] : rows) {
    INFO("degree " << modulus.front());
    const auto tables = EvaluationTables::of_products(multiplier_products(modulus), {}, random);
    REQUIRE(tables);
    CHECK(tables->smallest(random).size() <= parities);
  }
}

TEST_CASE("products without the structure of an algebra have no evaluated tables",
          "[evaluation_tables]") {
  FastRandom random(5);
  std::vector<Product> products = multiplier_products({5, 2, 0});
  products.pop_back();
  CHECK_FALSE(EvaluationTables::of_products(products, {}, random));
  CHECK_FALSE(EvaluationTables::of_products({}, {}, random));
}

TEST_CASE("an element has the image zero under all evaluation maps only if it is zero",
          "[evaluation_tables]") {
  FastRandom random(6);
  FieldTables tables({}, 1);
  const EvaluationPlan plan = plan_of_tables(6, true, tables);
  for (int round = 0; round < 5; ++round) {
    const auto maps = evaluation_maps(form_of(7, 0b1000011), plan, round == 0 ? nullptr : &random);
    std::set<std::vector<SmallField::Element>> images;
    for (std::uint32_t element = 0; element < 64; ++element) {
      std::vector<SmallField::Element> image;
      for (const EvaluationMap& map : maps) {
        SmallField::Element sum = 0;
        for (unsigned i = 0; i < 6; ++i) sum ^= (element >> i & 1U) != 0 ? map.images[i] : 0;
        image.push_back(sum);
      }
      images.insert(std::move(image));
    }
    CHECK(images.size() == 64);
  }
}
