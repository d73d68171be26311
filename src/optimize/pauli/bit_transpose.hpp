#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace quartz::optimizer {

/// Transposes 64 x 64 bits: bit j of word i becomes bit i of word j.
inline void transpose_block(std::array<std::uint64_t, 64>& block) {
  // Each round exchanges two of the four quarters of all squares of one size (Hacker's Delight,
  // section 7-3).
  std::uint64_t mask = 0x00000000FFFFFFFF;
  for (unsigned size = 32; size != 0; size >>= 1U, mask ^= mask << size) {
    for (unsigned row = 0; row < 64; row = (row + size + 1) & ~size) {
      const std::uint64_t difference = ((block[row] >> size) ^ block[row + size]) & mask;
      block[row] ^= difference << size;
      block[row + size] ^= difference;
    }
  }
}

/// A matrix of bits, whose rows are words in memory of the caller.
template <typename Word>
struct BitRows {
  Word* first;             ///< the first word of the first row
  std::size_t stride = 0;  ///< words from one row to the next one
  std::size_t row_count = 0;
};

/// Writes the transpose of a matrix of a.row_count x b.row_count bits to b, whose words it
/// overwrites. The bits behind the last column of `a` are 0.
inline void transpose(BitRows<const std::uint64_t> a, BitRows<std::uint64_t> b) {
  std::array<std::uint64_t, 64> block{};
  for (std::size_t row = 0; row < a.row_count; row += 64) {
    const std::size_t rows = std::min<std::size_t>(64, a.row_count - row);
    for (std::size_t column = 0; column < b.row_count; column += 64) {
      const std::size_t columns = std::min<std::size_t>(64, b.row_count - column);
      for (std::size_t i = 0; i < 64; ++i) {
        block[i] = i < rows ? a.first[(row + i) * a.stride + column / 64] : 0;
      }
      transpose_block(block);
      for (std::size_t i = 0; i < columns; ++i) {
        b.first[(column + i) * b.stride + row / 64] = block[i];
      }
    }
  }
}

}  // namespace quartz::optimizer
