#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// A matrix over the integers modulo 2 as its rows. Vectors are rows, which matrices multiply from
/// the right.
using BitMatrix = std::vector<LinearForm>;

/// Calls a function with the index of each bit that is set, in ascending order.
template <typename Function>
void for_each_bit(const LinearForm& form, Function function) {
  for (std::size_t i = form.find_first(); i != LinearForm::npos; i = form.find_next(i)) function(i);
}

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
