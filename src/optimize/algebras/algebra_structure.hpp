#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// A sum of trivectors that is the multiplication of the algebra K = F2[x] / f followed by linear
/// forms: the sum over i, j < n of first[i] ^ second[j] ^ third(x^(i + j)), where third is linear
/// on K. Multipliers of finite fields have this structure, with an irreducible f.
struct AlgebraStructure {
  LinearForm modulus;              ///< n + 1 bits: bit i for the coefficient of x^i in f
  std::vector<LinearForm> first;   ///< n forms
  std::vector<LinearForm> second;  ///< n forms
  std::vector<LinearForm> third;   ///< n forms, the values at x^0 to x^(n - 1)

  [[nodiscard]] std::size_t degree() const { return first.size(); }
};

/// Returns such a structure of the sum of trivectors of products whose forms span the space of all
/// forms on `dimension` bits; nothing if none is found. The structure does not depend on the basis:
/// the trivector is that of a determinant over K^3, and the kernel of its contraction with a vector
/// is the line of the vector over K. Three lines give the slots of the forms, and the
/// multiplication of one by elements of another gives K. Bases in which the forms are sparse are
/// preferred.
///
/// The caller has to compare the sum of trivectors (have_same_sum): that the structure holds for
/// all vectors is not tested here.
[[nodiscard]] std::optional<AlgebraStructure> algebra_structure_of(
    std::span<const Product> products, std::size_t dimension, FastRandom& random);

}  // namespace quartz::optimizer
