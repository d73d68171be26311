#include "optimize/evaluation_tables/evaluation_tables.hpp"

#include <cstddef>
#include <utility>

#include "optimize/algebras/quotient_algebra.hpp"
#include "optimize/evaluation_tables/field_tables.hpp"
#include "optimize/evaluation_tables/orbit_table.hpp"
#include "optimize/products/bit_matrix.hpp"
#include "optimize/products/merging.hpp"
#include "optimize/products/trivector.hpp"

namespace quartz::optimizer {
namespace {

/// Returns the products a_i b_j c(x^(i + j)) that a structure describes.
std::vector<Product> products_of(const AlgebraStructure& structure) {
  const std::size_t degree = structure.degree();
  const BitMatrix powers = QuotientAlgebra(structure.modulus).powers_of_x(2 * degree);
  std::vector<Product> products;
  for (std::size_t i = 0; i < degree; ++i) {
    for (std::size_t j = 0; j < degree; ++j) {
      products.push_back(
          {{structure.first[i], structure.second[j], multiply(powers[i + j], structure.third)}});
    }
  }
  return products;
}

/// Returns the structure of products, in forms on their wires; nothing if there is none.
std::optional<AlgebraStructure> structure_of(std::span<const Product> products,
                                             FastRandom& random) {
  const ProductsInBasis merged =
      in_basis(with_merged_products(with_frequent_forms(products, random), random));
  // The multiplication in an algebra of degree n takes 2n - 1 products at least.
  if (merged.products.empty() || merged.dimension() > kMaxDimensionOfTable ||
      merged.products.size() + 1 < 2 * (merged.dimension() / 3)) {
    return std::nullopt;
  }
  auto structure = algebra_structure_of(merged.products, merged.dimension(), random);
  if (!structure || !have_same_sum(products_of(*structure), merged.products)) return std::nullopt;
  for (auto* forms : {&structure->first, &structure->second, &structure->third}) {
    *forms = multiply(*forms, merged.basis);
  }
  return structure;
}

/// Returns the isomorphism from a field to the small field of the same degree.
EvaluationMap isomorphism(const LinearForm& modulus) {
  const auto degree = static_cast<unsigned>(modulus.size() - 1);
  const SmallField field(degree);
  for (SmallField::Element root = 1;; ++root) {
    std::vector<SmallField::Element> powers{1};
    while (powers.size() <= degree) powers.push_back(field.product(powers.back(), root));
    SmallField::Element value = 0;
    for (unsigned i = 0; i <= degree; ++i) value ^= modulus.test(i) ? powers[i] : 0;
    if (value != 0) continue;
    powers.pop_back();
    return {degree, std::move(powers)};
  }
}

}  // namespace

std::optional<EvaluationTables> EvaluationTables::of_products(std::span<const Product> products,
                                                              const std::stop_token& stop,
                                                              FastRandom& random) {
  auto structure = structure_of(products, random);
  if (!structure) return std::nullopt;
  EvaluationTables result(*std::move(structure));
  result.plan(stop, random);
  return result;
}

void EvaluationTables::plan(const std::stop_token& stop, FastRandom& random) {
  FieldTables fields(stop, random());
  const std::size_t degree = structure_.degree();
  is_field_ = QuotientAlgebra(structure_.modulus).is_field();
  plan_ = plan_of_tables(degree, is_field_, fields);
  if (is_field_ && degree <= kMaxDegreeOfOrbit) {
    const auto small = static_cast<unsigned>(degree);
    const std::optional<ParityTable> orbit = orbit_table(small);
    if (orbit && orbit->size() < plan_.cost) {
      to_field_ = isomorphism(structure_.modulus);
      (void)fields.of_field(small);
    }
  }
  tables_ = fields.known();
}

ParityTable EvaluationTables::smallest(FastRandom& random) const {
  if (to_field_) return evaluated_table(structure_, std::vector{*to_field_}, tables_, random);
  return table_of(plan_, random);
}

ParityTable EvaluationTables::draw(FastRandom& random) const {
  if (to_field_ || random.below(2) == 0) return smallest(random);
  return table_of(random_plan_of_tables(structure_.degree(), is_field_, tables_, random), random);
}

ParityTable EvaluationTables::table_of(const EvaluationPlan& plan, FastRandom& random) const {
  const std::vector<EvaluationMap> maps = evaluation_maps(structure_.modulus, plan, &random);
  return evaluated_table(structure_, maps, tables_, random);
}

}  // namespace quartz::optimizer
