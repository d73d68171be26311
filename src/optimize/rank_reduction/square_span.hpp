#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "optimize/products/product_network.hpp"
#include "optimize/rank_reduction/packed_parity.hpp"

namespace quartz::optimizer {

/// The number of an entry of a symmetric matrix, of which each pair is counted once.
[[nodiscard]] constexpr std::size_t symmetric_index(std::size_t first, std::size_t second) {
  const std::size_t high = first < second ? second : first;
  const std::size_t low = first < second ? first : second;
  return high * (high + 1) / 2 + low;
}

/// The span of the squares p p^T of the parities of a table, as symmetric matrices over the
/// integers modulo 2, in reduced echelon form.
///
/// Matrices are hashed by a linear map that is zero on the span. A matrix outside of it has a hash
/// of zero with a probability of 2^-(64 Words).
template <std::size_t Words>
class SquareSpan {
 public:
  using Parity = PackedParity<Words>;
  using Hash = PackedParity<Words>;

  SquareSpan(std::span<const Parity> table, std::size_t dimension, FastRandom& random)
      : dimension_(dimension), entries_(dimension * (dimension + 1) / 2), size_(table.size()) {
    for (std::size_t i = 0; i < table.size(); ++i) add_square(table[i], i);
    reduce_rows();
    hash_entries(random);
    hashes_.resize(table.size() * dimension);
    for (std::size_t i = 0; i < table.size(); ++i) hash_products(table[i], row_of_hashes(i));
  }

  [[nodiscard]] std::size_t rank() const { return rows_.size(); }
  /// Returns selections of parities whose squares have the sum zero: a basis of all of them.
  [[nodiscard]] const std::vector<LinearForm>& relations() const { return relations_; }

  /// Returns the hashes of p e^T + e p^T for a parity p of the table and all unit vectors e.
  [[nodiscard]] std::span<const Hash> hashes_of(std::size_t index) const {
    return std::span(hashes_).subspan(index * dimension_, dimension_);
  }

  /// Returns parities of the table whose squares have the sum z w^T + w z^T, or nothing if the
  /// matrix is not in the span.
  [[nodiscard]] std::optional<LinearForm> selection_for(const Parity& z, const Parity& w) const {
    LinearForm matrix(entries_ + size_);
    for_each_bit(z, [&](std::size_t i) {
      for_each_bit(w, [&](std::size_t j) {
        if (i != j) matrix.flip(symmetric_index(i, j));
      });
    });
    for (const auto& [pivot, row] : rows_) {
      if (matrix.test(pivot)) matrix ^= row;
    }
    if (matrix.find_first() < entries_) return std::nullopt;
    return selection_of(matrix);
  }

 private:
  /// A matrix whose lowest entry is the pivot, followed by the selection whose squares it is the
  /// sum of.
  struct Row {
    std::size_t pivot = 0;
    LinearForm bits;
  };

  [[nodiscard]] LinearForm selection_of(const LinearForm& bits) const {
    LinearForm selection(size_);
    for (std::size_t i = bits.find_next(entries_ - 1); i != LinearForm::npos;
         i = bits.find_next(i)) {
      selection.set(i - entries_);
    }
    return selection;
  }

  void add_square(const Parity& parity, std::size_t index) {
    LinearForm bits(entries_ + size_);
    for_each_bit(parity, [&](std::size_t high) {
      for_each_bit(parity, [&](std::size_t low) {
        if (low <= high) bits.set(symmetric_index(low, high));
      });
    });
    bits.set(entries_ + index);
    for (const auto& [pivot, row] : rows_) {
      if (bits.test(pivot)) bits ^= row;
    }
    const std::size_t pivot = bits.find_first();
    if (pivot < entries_) {
      rows_.push_back({pivot, std::move(bits)});
    } else {
      relations_.push_back(selection_of(bits));
    }
  }

  /// Clears the pivot of each row in the rows before it, which later rows have put there.
  void reduce_rows() {
    for (std::size_t i = rows_.size(); i-- > 0;) {
      for (std::size_t before = 0; before < i; ++before) {
        if (rows_[before].bits.test(rows_[i].pivot)) rows_[before].bits ^= rows_[i].bits;
      }
    }
  }

  /// Hashes the symmetric matrices with one entry, or with two that mirror each other.
  void hash_entries(FastRandom& random) {
    entry_hashes_.resize(entries_);
    for (Hash& hash : entry_hashes_) {
      for (std::uint64_t& word : hash.words) word = random();
    }
    for (const auto& [pivot, row] : rows_) {
      Hash hash;
      for (std::size_t i = row.find_next(pivot); i < entries_; i = row.find_next(i)) {
        hash ^= entry_hashes_[i];
      }
      entry_hashes_[pivot] = hash;
    }
  }

  [[nodiscard]] std::span<Hash> row_of_hashes(std::size_t index) {
    return std::span(hashes_).subspan(index * dimension_, dimension_);
  }
  void hash_products(const Parity& parity, std::span<Hash> hashes) const {
    for (std::size_t i = 0; i < dimension_; ++i) {
      Hash hash;
      for_each_bit(parity, [&](std::size_t j) {
        if (i != j) hash ^= entry_hashes_[symmetric_index(i, j)];
      });
      hashes[i] = hash;
    }
  }

  std::size_t dimension_;
  std::size_t entries_;
  std::size_t size_;
  std::vector<Row> rows_;
  std::vector<LinearForm> relations_;
  std::vector<Hash> entry_hashes_;
  std::vector<Hash> hashes_;
};

}  // namespace quartz::optimizer
