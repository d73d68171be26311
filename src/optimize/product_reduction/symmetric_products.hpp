#pragma once

#include <cstddef>
#include <optional>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/product_reduction/form_slots.hpp"

namespace quartz::optimizer {

/// Returns products with the same sum of trivectors that are products y(a) y(b) z(c) of a form on
/// one slot, the same form on a second slot of the same dimension, and a form on the third; nothing
/// if no two slots can be identified in this way. The identification is a linear map P for which
/// all slices M_k P of the sum are symmetric: a linear system. The squares of forms that span the
/// slices (square_forms.hpp) give the products, at least `sufficient` ones if the search has its
/// way.
[[nodiscard]] std::optional<std::vector<WordProduct>> symmetric_products(
    const GradedProducts& given, std::size_t sufficient, const Budget& budget, FastRandom& random);

}  // namespace quartz::optimizer
