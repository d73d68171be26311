#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "optimize/rank_reduction/packed_parity.hpp"
#include "optimize/rank_reduction/selection.hpp"

namespace quartz::optimizer {

/// The number of an entry of a symmetric matrix, of which each pair is counted once.
[[nodiscard]] constexpr std::size_t symmetric_index(std::size_t first, std::size_t second) {
  const std::size_t high = first < second ? second : first;
  const std::size_t low = first < second ? first : second;
  return high * (high + 1) / 2 + low;
}

/// The span of the squares p p^T of the points of a table, as symmetric matrices over the integers
/// modulo 2, in echelon form. An object is used for one table after the other, so that its memory
/// is allocated once.
///
/// Matrices are hashed by a linear map that is zero on the span. A matrix outside of it has a hash
/// of zero with a probability of 2^-(64 Words - 1): the last bit of a hash is never set.
template <std::size_t Words>
class SquareSpan {
 public:
  using Parity = PackedParity<Words>;
  using Hash = PackedParity<Words>;

  explicit SquareSpan(std::size_t dimension)
      : dimension_(dimension),
        entries_(dimension * (dimension + 1) / 2),
        words_of_entries_(words_for(entries_)),
        entry_hashes_(entries_) {}

  void read(std::span<const Parity> table, FastRandom& random) {
    size_ = table.size();
    width_ = words_of_entries_ + words_for(size_);
    rows_.resize((size_ + 1) * width_);
    pivots_.clear();
    relations_.clear();
    for (std::size_t i = 0; i < size_; ++i) add_square(table[i], i);
    hash_entries(random);
    hashes_.resize(size_ * dimension_);
    for (std::size_t i = 0; i < size_; ++i) hash_products(table[i], i);
  }

  [[nodiscard]] std::size_t rank() const { return pivots_.size(); }
  [[nodiscard]] std::size_t width() const { return width_; }
  /// Returns selections of points whose squares have the sum zero: a basis of all of them.
  [[nodiscard]] std::span<const Selection> relations() const { return relations_; }

  /// Returns the hashes of p e^T + e p^T for a point p of the table and all unit vectors e.
  [[nodiscard]] std::span<const Hash> hashes_of(std::size_t index) const {
    return std::span(hashes_).subspan(index * dimension_, dimension_);
  }

  /// Returns the hash of the symmetric matrix with one entry, or with two that mirror each other;
  /// zero for an entry of the diagonal.
  [[nodiscard]] Hash hash_of_entry(std::size_t first, std::size_t second) const {
    return first == second ? Hash{} : entry_hashes_[symmetric_index(first, second)];
  }

  /// Returns points of the table whose squares have the sum z w^T + w z^T, or nothing if the matrix
  /// is not in the span.
  [[nodiscard]] std::optional<Selection> selection_for(const Parity& z, const Parity& w) {
    matrix_.assign(width_, 0);
    for_each_bit(z, [&](std::size_t i) {
      for_each_bit(w, [&](std::size_t j) {
        if (i != j) flip_bit(matrix_, symmetric_index(i, j));
      });
    });
    reduce(matrix_, rank());
    const auto entries = std::span(matrix_).first(words_of_entries_);
    if (std::ranges::any_of(entries, [](std::uint64_t word) { return word != 0; })) {
      return std::nullopt;
    }
    return selection_of(matrix_);
  }

 private:
  /// Returns a row: the entries of a matrix, and then the selection whose squares it is the sum of.
  [[nodiscard]] std::span<std::uint64_t> row(std::size_t index) {
    return std::span(rows_).subspan(index * width_, width_);
  }
  [[nodiscard]] Selection selection_of(std::span<const std::uint64_t> bits) const {
    return {bits.begin() + static_cast<std::ptrdiff_t>(words_of_entries_), bits.end()};
  }

  /// Clears the pivots of the first rows.
  void reduce(std::span<std::uint64_t> bits, std::size_t rows) {
    for (std::size_t i = 0; i < rows; ++i) {
      if (test_bit(bits, pivots_[i])) add_words(bits, row(i));
    }
  }

  void add_square(const Parity& point, std::size_t index) {
    const std::span<std::uint64_t> bits = row(rank());
    std::ranges::fill(bits, 0);
    for_each_bit(point, [&](std::size_t high) {
      const std::size_t first = high * (high + 1) / 2;
      for_each_bit(point, [&](std::size_t low) {
        if (low <= high) flip_bit(bits, first + low);
      });
    });
    flip_bit(bits.subspan(words_of_entries_), index);
    reduce(bits, rank());
    for (std::size_t word = 0; word < words_of_entries_; ++word) {
      if (bits[word] == 0) continue;
      pivots_.push_back(64 * word + static_cast<std::size_t>(std::countr_zero(bits[word])));
      return;
    }
    relations_.push_back(selection_of(bits));
  }

  /// Hashes the symmetric matrices with one entry, or with two that mirror each other. A pivot is
  /// the lowest entry of its row and gets the sum of the hashes of the others.
  void hash_entries(FastRandom& random) {
    for (Hash& hash : entry_hashes_) {
      for (std::uint64_t& word : hash.words) word = random();
      hash.words[Words - 1] >>= 1U;
    }
    order_.resize(rank());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = {pivots_[i], i};
    std::ranges::sort(order_, std::ranges::greater());
    for (const auto& [pivot, index] : order_) {
      Hash hash;
      for_each_set_bit(row(index).first(words_of_entries_), [&, pivot = pivot](std::size_t entry) {
        if (entry != pivot) hash ^= entry_hashes_[entry];
      });
      entry_hashes_[pivot] = hash;
    }
  }

  void hash_products(const Parity& point, std::size_t index) {
    for (std::size_t i = 0; i < dimension_; ++i) {
      Hash hash;
      for_each_bit(point, [&](std::size_t j) {
        if (i != j) hash ^= entry_hashes_[symmetric_index(i, j)];
      });
      hashes_[index * dimension_ + i] = hash;
    }
  }

  std::size_t dimension_;
  std::size_t entries_;
  std::size_t words_of_entries_;
  std::size_t size_ = 0;
  std::size_t width_ = 0;  ///< words of a row
  std::vector<std::uint64_t> rows_;
  std::vector<std::size_t> pivots_;
  std::vector<Selection> relations_;
  std::vector<std::pair<std::size_t, std::size_t>> order_;  ///< pivots with their rows
  std::vector<std::uint64_t> matrix_;
  std::vector<Hash> entry_hashes_;
  std::vector<Hash> hashes_;
};

}  // namespace quartz::optimizer
