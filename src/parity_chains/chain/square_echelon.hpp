#pragma once

#include <cstdint>

#include "parity_chains/chain/chain_memory.hpp"
#include "parity_chains/chain/chain_words.hpp"
#include "parity_chains/chain/point_set.hpp"

namespace quartz::parity_chains {

/// The number of an entry of a symmetric matrix, of which each pair is counted once.
[[nodiscard]] QUARTZ_PARITY_FUNCTION std::uint32_t symmetric_index(std::uint32_t first,
                                                                   std::uint32_t second) {
  const std::uint32_t high = first < second ? second : first;
  const std::uint32_t low = first < second ? first : second;
  return high * (high + 1) / 2 + low;
}

/// The span of the squares p p^T of the points of a table, as symmetric matrices over the integers
/// modulo 2 in echelon form, and hashes of the entries that are zero on it
/// (optimize/rank_reduction/square_span.hpp).
template <typename Lanes>
class SquareEchelon {
 public:
  QUARTZ_PARITY_FUNCTION SquareEchelon(const Lanes& lanes, const ChainShape& shape,
                                       const ChainMemory& memory, const PointSet<Lanes>& points)
      : lanes_(lanes),
        shape_(shape),
        memory_(memory),
        points_(points),
        entry_words_(entry_words_of(shape)),
        selection_words_(selection_words_of(shape)),
        width_(entry_words_ + selection_words_) {}

  /// Reads the points. A seed determines the hashes.
  QUARTZ_PARITY_FUNCTION void read(std::uint64_t seed) {
    eliminate();
    hash_entries(seed);
  }

  /// Returns the number of selections in `relations` of the memory: those of points whose squares
  /// have the sum zero, at most kMaxRelations of them.
  [[nodiscard]] QUARTZ_PARITY_FUNCTION std::uint32_t relations() const { return relations_; }

  /// Writes z w^T + w z^T as a sum of squares: `matrix` of the group's memory then has the
  /// selection behind the entries. Returns whether it is one.
  template <typename Group>
  [[nodiscard]] QUARTZ_PARITY_FUNCTION bool reduce_product(std::uint64_t z, std::uint64_t w,
                                                           const Group& group,
                                                           const GroupMemory& memory) const {
    group.for_each_below(width_, [&](std::uint32_t word) {
      memory.matrix[word] = word < entry_words_ ? word_of_product(z, w, word) : 0;
    });
    group.wait();
    while (true) {
      const std::uint32_t word = group.first_word(memory.matrix, entry_words_);
      if (word == entry_words_) return true;
      const std::uint32_t index = memory_.row_at[64 * word + lowest_bit(memory.matrix[word])];
      group.wait();
      if (index == kNone) return false;
      const std::uint64_t* const row = memory_.rows + index * width_;
      group.for_each_below(width_, [&](std::uint32_t i) { memory.matrix[i] ^= row[i]; });
      group.wait();
    }
  }

 private:
  /// Returns 64 entries of the lower triangle of z w^T + w z^T.
  [[nodiscard]] QUARTZ_PARITY_FUNCTION std::uint64_t word_of_product(std::uint64_t z,
                                                                     std::uint64_t w,
                                                                     std::uint32_t word) const {
    std::uint32_t high = 0;
    while ((high + 1) * (high + 2) / 2 <= 64 * word) ++high;
    std::uint32_t low = 64 * word - high * (high + 1) / 2;
    std::uint64_t bits = 0;
    for (std::uint32_t i = 0; i < 64 && high < shape_.dimension; ++i) {
      bits |= (((z >> high & w >> low) ^ (w >> high & z >> low)) & 1U) << i;
      if (++low > high) {
        ++high;
        low = 0;
      }
    }
    return bits;
  }

  /// Makes the matrix of the squares of all points an echelon form.
  QUARTZ_PARITY_FUNCTION void eliminate() {
    lanes_.for_each_below(points_.size * width_, [&](std::uint32_t i) { memory_.rows[i] = 0; });
    lanes_.for_each_below(entries_of(shape_), [&](std::uint32_t i) { memory_.row_at[i] = kNone; });
    lanes_.wait();
    lanes_.for_each_below(points_.size, [&](std::uint32_t i) { write_square(i); });
    lanes_.wait();
    relations_ = 0;
    for (std::uint32_t i = 0; i < points_.size; ++i) {
      const std::uint64_t* const row = memory_.rows + i * width_;
      const std::uint32_t word = lanes_.first_word(row, entry_words_);
      if (word == entry_words_) {
        add_relation(row);
        continue;
      }
      const std::uint32_t pivot = 64 * word + lowest_bit(row[word]);
      lanes_.leader([&] { memory_.row_at[pivot] = i; });
      std::uint64_t* const next = memory_.rows + (i + 1) * width_;
      lanes_.for_each_cell(
          points_.size - i - 1, width_,
          [&](std::uint32_t other) { return test_bit(next + other * width_, pivot); },
          [&](std::uint32_t other, std::uint32_t column) {
            next[other * width_ + column] ^= row[column];
          });
      lanes_.wait();
    }
  }

  /// Writes the lower triangle of p p^T for a point p, and the selection of this point.
  QUARTZ_PARITY_FUNCTION void write_square(std::uint32_t place) {
    const std::uint64_t point = points_.points[place];
    std::uint64_t* const row = memory_.rows + place * width_;
    for (std::uint64_t rest = point; rest != 0; rest &= rest - 1) {
      const std::uint32_t high = lowest_bit(rest);
      const std::uint64_t lower = point & ((std::uint64_t{2} << high) - 1);
      const std::uint32_t begin = high * (high + 1) / 2;
      row[begin / 64] ^= lower << begin % 64;
      if (begin % 64 + high >= 64) row[begin / 64 + 1] ^= lower >> (64 - begin % 64);
    }
    row[entry_words_ + place / 64] ^= std::uint64_t{1} << place % 64;
  }

  /// Notes a selection of points whose squares have the sum zero. In a pure space all points are
  /// one, and a shift of all of them changes nothing.
  QUARTZ_PARITY_FUNCTION void add_relation(const std::uint64_t* row) {
    if (relations_ == kMaxRelations) return;
    const std::uint64_t* const selection = row + entry_words_;
    if (count_bits(selection) == points_.size) return;
    std::uint64_t* const relation = memory_.relations + relations_ * selection_words_;
    lanes_.for_each_below(selection_words_, [&](std::uint32_t i) { relation[i] = selection[i]; });
    ++relations_;
  }
  [[nodiscard]] QUARTZ_PARITY_FUNCTION std::uint32_t count_bits(
      const std::uint64_t* selection) const {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < selection_words_; ++i) count += popcount(selection[i]);
    return count;
  }

  /// Hashes the entries of symmetric matrices by a linear map that is zero on all rows: an entry
  /// gets random bits, and a pivot the sum of the hashes of the other entries of its row.
  QUARTZ_PARITY_FUNCTION void hash_entries(std::uint64_t seed) {
    const std::uint32_t entries = entries_of(shape_);
    lanes_.for_each_below(entries,
                          [&](std::uint32_t i) { memory_.hashes[i] = mixed(seed + i) >> 1U; });
    lanes_.wait();
    for (std::uint32_t pivot = entries; pivot-- > 0;) {
      if (memory_.row_at[pivot] == kNone) continue;
      const std::uint64_t* const row = memory_.rows + memory_.row_at[pivot] * width_;
      const std::uint64_t sum = lanes_.xor_of(entries - pivot - 1, [&](std::uint32_t i) {
        const std::uint32_t entry = pivot + 1 + i;
        return test_bit(row, entry) ? memory_.hashes[entry] : 0;
      });
      lanes_.leader([&] { memory_.hashes[pivot] = sum; });
      lanes_.wait();
    }
  }

  Lanes lanes_;
  const ChainShape& shape_;
  const ChainMemory& memory_;
  const PointSet<Lanes>& points_;
  std::uint32_t entry_words_;
  std::uint32_t selection_words_;
  std::uint32_t width_;  ///< words of a row
  std::uint32_t relations_ = 0;
};

}  // namespace quartz::parity_chains
