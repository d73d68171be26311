#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"

namespace quartz::optimizer {

/// Maximum number of variables of a search for square forms: a symmetric matrix fits one word.
inline constexpr unsigned kSquareFormVariables = 10;

/// A symmetric matrix over the integers modulo 2, packed: the entry of row i and column j <= i is
/// bit i (i + 1) / 2 + j.
using SymmetricMatrix = std::uint64_t;

/// Returns the bit of an entry of a symmetric matrix.
[[nodiscard]] constexpr unsigned symmetric_bit(unsigned row, unsigned column) {
  return row >= column ? row * (row + 1) / 2 + column : column * (column + 1) / 2 + row;
}

/// Returns the matrix y y^T of a linear form y, given as bits.
[[nodiscard]] SymmetricMatrix square_of_form(std::uint32_t form, unsigned variables);

/// Returns linear forms y on `variables` bits, as words, whose squares y y^T are independent
/// matrices with a span that contains the given symmetric matrices: as few as are found within the
/// budget, or until there are `sufficient` of them. The squares of all forms span all symmetric
/// matrices.
///
/// Method (Barbulescu, Detrey, Estibals, Zimmermann, "Finding optimal formulae for bilinear maps",
/// as local search): modulo the given k matrices, r squares span a space that contains the images
/// of r + k independent squares if the r are well chosen. The search removes some of the r and adds
/// those that most of the other squares are equal to modulo the rest.
[[nodiscard]] std::vector<std::uint32_t> square_forms(unsigned variables,
                                                      std::span<const SymmetricMatrix> matrices,
                                                      std::size_t sufficient, const Budget& budget,
                                                      FastRandom& random);

}  // namespace quartz::optimizer
