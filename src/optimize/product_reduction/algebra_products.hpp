#pragma once

#include <span>
#include <vector>

#include "optimize/product_reduction/algebra_structure.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Returns the products y(first) y(second) z(third) for linear forms y on the algebra, where the z
/// follow from the multiplication table by linear algebra; forms that are not needed have no
/// product. Throws InternalError unless the squares of the forms span the multiplication table.
[[nodiscard]] std::vector<Product> products_of_forms(const AlgebraStructure& structure,
                                                     std::span<const LinearForm> forms);

}  // namespace quartz::optimizer
