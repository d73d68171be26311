#include "optimize/products/product_reduction.hpp"

#include "optimize/products/merging.hpp"
#include "optimize/products/trivector.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {

std::size_t lower_bound_of_products(std::span<const Product> products) {
  return (basis_of_forms(products).size() + 2) / 3;
}

std::vector<Product> with_fewer_products(std::span<const Product> products,
                                         [[maybe_unused]] const Budget& budget,
                                         FastRandom& random) {
  std::vector<Product> result = with_merged_products(products, random);
  ensure(have_same_sum(products, result), "the reduced products have another sum of trivectors");
  return result;
}

}  // namespace quartz::optimizer
