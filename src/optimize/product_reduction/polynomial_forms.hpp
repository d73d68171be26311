#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/product_reduction/square_forms.hpp"

namespace quartz::optimizer {

/// Returns linear forms as square_forms() does, with a span that contains the given matrices, if
/// these are the multiplication of polynomials: if in some basis x^0, x^1, ... of the variables
/// they span all matrices whose entries depend only on the sum of row and column (Hankel matrices).
/// Returns nothing otherwise.
///
/// The forms are the values of polynomials at places of small degree (evaluation_forms.hpp). The
/// basis is found as follows: three squares are in the span, those of the values at 0, 1 and
/// infinity. Two of them serve as 0 and infinity. The multiplication by x leads from the
/// polynomials that are 0 at infinity to those that are 0 at 0; it is the only linear map between
/// these two under which (x a) b = a (x b) for all a and b.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> polynomial_forms(
    unsigned variables, std::span<const SymmetricMatrix> matrices, const Budget& budget,
    FastRandom& random);

}  // namespace quartz::optimizer
