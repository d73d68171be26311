#pragma once

#include <vector>

#include "base/random.hpp"
#include "optimize/algebras/evaluation_plan.hpp"
#include "optimize/algebras/small_field.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// A linear map from an algebra F2[x] / f to the field of 2^degree elements: a value at a place, or
/// a sum of derivatives there.
struct EvaluationMap {
  unsigned degree = 0;
  std::vector<SmallField::Element> images;  ///< the images of the powers of x from 0 to n - 1
};

/// Returns the maps of a plan, such that the product of two elements is a linear function of the
/// products of their images under each map. The algebra is given by the n + 1 bits of f. A source
/// of random numbers has other places chosen, and the polynomials written in another element than
/// x; without one, the maps depend on f and the plan only.
[[nodiscard]] std::vector<EvaluationMap> evaluation_maps(const LinearForm& modulus,
                                                         const EvaluationPlan& plan,
                                                         FastRandom* random = nullptr);

}  // namespace quartz::optimizer
