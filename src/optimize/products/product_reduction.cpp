#include "optimize/products/product_reduction.hpp"

#include <numeric>
#include <utility>

#include "optimize/products/algebra_products.hpp"
#include "optimize/products/algebra_structure.hpp"
#include "optimize/products/evaluation_forms.hpp"
#include "optimize/products/merging.hpp"
#include "optimize/products/trivector.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {

namespace {

std::size_t lower_bound_of_dimension(std::size_t dimension) { return (dimension + 2) / 3; }

/// Returns the products in groups that have no element of the basis in common.
std::vector<std::vector<Product>> groups_of(const ProductsInBasis& given) {
  std::vector<std::size_t> parent(given.dimension());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::size_t element) {
    while (parent[element] != element) element = parent[element] = parent[parent[element]];
    return element;
  };
  for (const auto& [forms] : given.products) {
    const std::size_t first = forms[0].find_first();
    const LinearForm elements = forms[0] | forms[1] | forms[2];
    for (std::size_t i = elements.find_first(); i != LinearForm::npos; i = elements.find_next(i)) {
      parent[root(i)] = root(first);
    }
  }
  std::vector<std::vector<Product>> groups(given.dimension());
  for (const Product& product : given.products) {
    groups[root(product.forms[0].find_first())].push_back(product);
  }
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

/// Replaces the products by those that the structure of an algebra gives, if they are fewer.
void use_algebra(ProductsInBasis& given, const Budget& budget, FastRandom& random) {
  const auto structure = algebra_structure_of(given.products, given.dimension(), random);
  if (!structure) return;
  EvaluationForms forms(budget, random);
  std::vector<Product> products =
      products_of_forms(*structure, forms.of_algebra(structure->modulus));
  if (products.size() < given.products.size() && have_same_sum(products, given.products)) {
    given.products = std::move(products);
  }
}

/// Returns fewer products for a group that does not fall apart.
std::vector<Product> reduced_group(std::span<const Product> products, const Budget& budget,
                                   FastRandom& random) {
  ProductsInBasis given = in_basis(products);
  if (given.products.size() > lower_bound_of_dimension(given.dimension())) {
    use_algebra(given, budget, random);
  }
  return on_wires(given);
}

}  // namespace

std::size_t lower_bound_of_products(std::span<const Product> products) {
  return lower_bound_of_dimension(in_basis(products).dimension());
}

std::vector<Product> with_fewer_products(std::span<const Product> products, const Budget& budget,
                                         FastRandom& random) {
  ProductsInBasis all = in_basis(with_merged_products(products, random));
  const std::vector<std::vector<Product>> groups = groups_of(all);
  all.products.clear();
  for (const std::vector<Product>& group : groups) {
    for (Product& product : reduced_group(group, budget, random)) {
      all.products.push_back(std::move(product));
    }
  }
  const std::vector<Product> result = on_wires(all);
  ensure(have_same_sum(products, result), "the reduced products have another sum of trivectors");
  return result;
}

}  // namespace quartz::optimizer
