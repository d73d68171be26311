#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// A matrix over the integers modulo 2 as its rows. Vectors are rows, which matrices multiply from
/// the right.
using BitMatrix = std::vector<LinearForm>;

/// Returns the unit vector of an index.
[[nodiscard]] LinearForm unit_vector(std::size_t size, std::size_t index);
/// Returns the identity matrix of a size.
[[nodiscard]] BitMatrix identity_matrix(std::size_t size);
/// Returns the sum of the rows whose bits are set in the vector.
[[nodiscard]] LinearForm multiply(const LinearForm& vector, const BitMatrix& matrix);
[[nodiscard]] BitMatrix multiply(const BitMatrix& left, const BitMatrix& right);
[[nodiscard]] BitMatrix transpose(const BitMatrix& matrix);
/// Returns the inverse of a square matrix; nothing if it is singular.
[[nodiscard]] std::optional<BitMatrix> inverse(BitMatrix matrix);
/// Returns a basis of the vectors that a matrix maps to zero.
[[nodiscard]] BitMatrix kernel(const BitMatrix& matrix);
/// Returns the parity of the bits that two vectors have in common.
[[nodiscard]] bool inner_product(const LinearForm& left, const LinearForm& right);

}  // namespace quartz::optimizer
