#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/products/product_network.hpp"
#include "optimize/rank_reduction/packed_parity.hpp"
#include "optimize/rank_reduction/square_span.hpp"

namespace quartz::optimizer {

/// A change of a table that keeps its cubic form: `vector` is added to the selected parities, and
/// is a further parity if an odd number of them is selected. Parities that become zero are removed,
/// and equal ones in pairs.
///
/// The cubic form is kept if the squares p p^T of the selected parities have a sum of the form
/// z w^T + w z^T + c z z^T, for the vector z (Heyfron and Campbell, arXiv 1712.01557; Vandaele,
/// arXiv 2407.08695).
template <std::size_t Words>
struct TableShift {
  PackedParity<Words> vector;
  LinearForm selection;
  int gain = 0;  ///< by how many parities the table becomes smaller
};

/// Applies a shift to a table of different parities, none of which is zero, and sorts it.
template <std::size_t Words>
void shift_table(const TableShift<Words>& shift, std::vector<PackedParity<Words>>& table) {
  for (std::size_t i = shift.selection.find_first(); i != LinearForm::npos;
       i = shift.selection.find_next(i)) {
    table[i] ^= shift.vector;
  }
  if (shift.selection.count() % 2 != 0) table.push_back(shift.vector);
  std::sort(table.begin(), table.end());
  std::vector<PackedParity<Words>> left;
  for (const PackedParity<Words>& parity : table) {
    if (parity.none()) continue;
    if (!left.empty() && left.back() == parity) {
      left.pop_back();
    } else {
      left.push_back(parity);
    }
  }
  table = std::move(left);
}

/// Finds shifts of a table whose vector is a parity of the table or the sum of two, as no others
/// make it smaller, but for those that select an odd number.
template <std::size_t Words>
class ShiftFinder {
 public:
  using Parity = PackedParity<Words>;

  ShiftFinder(std::span<const Parity> table, std::size_t dimension, FastRandom& random,
              const Budget& budget)
      : table_(table), dimension_(dimension), random_(random), span_(table, dimension, random) {
    find_vectors();
    // Echelon forms of bits, and a sorted list.
    budget.spend(table.size() * span_.rank() * (dimension * dimension / 2 + table.size()) /
                     kBitsOfTick +
                 pairs_.size() / kPairsOfTick);
  }

  /// Returns a shift with the greatest gain that was found, or one that gains nothing if none gains
  /// anything, or nothing if there is none at all, or the budget is spent before one is found.
  [[nodiscard]] std::optional<TableShift<Words>> find(const Budget& budget) {
    std::optional<TableShift<Words>> best;
    std::uint32_t neutral = 0;
    for (const Vector& vector : vectors_) {
      if (best && best->gain >= vector.most_gain()) break;
      if (budget.spent()) break;
      budget.spend(dimension_ * dimension_ * Words / kStepsOfTick + 1);
      std::vector<LinearForm> selections = selections_for(vector);
      if (selections.empty()) continue;
      TableShift<Words> shift = best_shift(vector, std::move(selections));
      if (shift.gain < 0 || (best && best->gain > shift.gain)) continue;
      if (shift.gain == 0) {
        // One of those that gain nothing is chosen at random.
        ++neutral;
        if (random_.below(neutral) != 0 || !changes_table(shift)) continue;
      } else if (best && best->gain == shift.gain) {
        continue;
      }
      best = std::move(shift);
    }
    return best;
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  /// Pairs of parities whose sums are candidates for vectors.
  static constexpr std::size_t kMaxPairs = std::size_t{1} << 20U;
  /// Work that takes about a microsecond.
  static constexpr std::size_t kBitsOfTick = 30'000;
  static constexpr std::size_t kPairsOfTick = 15;
  static constexpr std::size_t kStepsOfTick = 1'500;

  /// Two parities of the table; the second one is kNone for a vector that is the first one.
  struct Pair {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
  };
  /// A candidate for the vector of a shift, with the pairs of which it is the sum.
  struct Vector {
    Parity parity;
    std::uint32_t column = kNone;  ///< the parity of the table that it equals
    std::span<const Pair> pairs;

    [[nodiscard]] int most_gain() const {
      return 2 * static_cast<int>(pairs.size()) + (column == kNone ? 0 : 1);
    }
  };

  void find_vectors() {
    struct Sum {
      Parity parity;
      Pair pair;
    };
    const auto size = static_cast<std::uint32_t>(table_.size());
    std::vector<std::uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0U);
    shuffle(order);
    std::vector<Sum> sums;
    for (std::uint32_t i = 0; i < size && sums.size() < kMaxPairs; ++i) {
      sums.push_back({table_[order[i]], {order[i], kNone}});
      for (std::uint32_t j = 0; j < i; ++j) {
        sums.push_back({table_[order[i]] ^ table_[order[j]], {order[i], order[j]}});
      }
    }
    std::sort(sums.begin(), sums.end(),
              [](const Sum& left, const Sum& right) { return left.parity < right.parity; });
    pairs_.reserve(sums.size());
    for (std::size_t begin = 0; begin < sums.size();) {
      std::size_t end = begin;
      Vector vector{sums[begin].parity, kNone, {}};
      const std::size_t first_pair = pairs_.size();
      for (; end < sums.size() && sums[end].parity == vector.parity; ++end) {
        if (sums[end].pair.second == kNone) {
          vector.column = sums[end].pair.first;
        } else {
          pairs_.push_back(sums[end].pair);
        }
      }
      vector.pairs = std::span(pairs_).subspan(first_pair);
      vectors_.push_back(vector);
      begin = end;
    }
    shuffle(vectors_);
    std::ranges::stable_sort(vectors_, std::ranges::greater(), &Vector::most_gain);
  }

  template <typename Value>
  void shuffle(std::vector<Value>& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[random_.below(static_cast<std::uint32_t>(i))]);
    }
  }

  /// Returns a basis of selections for which the squares sum up to z w^T + w z^T for a vector z and
  /// some w. Without the multiples of z z^T, nothing is lost: the selection of the column z, or of
  /// a pair whose sum is z, has one, and changes nothing.
  [[nodiscard]] std::vector<LinearForm> selections_for(const Vector& vector) const {
    std::vector<LinearForm> result = span_.relations();
    const std::span<const Parity> first =
        span_.hashes_of(vector.column != kNone ? vector.column : vector.pairs[0].first);
    const std::span<const Parity> second = vector.column != kNone
                                               ? std::span<const Parity>()
                                               : span_.hashes_of(vector.pairs[0].second);
    const std::size_t left_out = vector.parity.lowest();  // w and w + z give the same matrix
    std::array<Parity, 64 * Words> rows;                  // by their lowest bits
    std::array<Parity, 64 * Words> sums{};  // the unit vectors of which the rows are made
    for (std::size_t i = 0; i < dimension_; ++i) {
      if (i == left_out) continue;
      Parity hash = second.empty() ? first[i] : first[i] ^ second[i];
      Parity sum;
      sum.set(i);
      while (!hash.none()) {
        const std::size_t lowest = hash.lowest();
        if (sums[lowest].none()) {
          rows[lowest] = hash;
          sums[lowest] = sum;
          break;
        }
        hash ^= rows[lowest];
        sum ^= sums[lowest];
      }
      if (!hash.none()) continue;
      if (auto selection = span_.selection_for(vector.parity, sum)) {
        result.push_back(*std::move(selection));
      }
    }
    return result;
  }

  /// Chooses a selection from a space, given by a basis, such that as many pairs as possible have
  /// one selected parity each, and at random otherwise.
  [[nodiscard]] TableShift<Words> best_shift(const Vector& vector, std::vector<LinearForm> basis) {
    LinearForm chosen(table_.size());
    int gain = 0;
    // Makes a linear function of the selection true if that is possible without changing those
    // before, and restricts the basis to its kernel.
    const auto require = [&](const auto& function, bool wanted) {
      std::size_t pivot = basis.size();
      for (std::size_t i = 0; i < basis.size(); ++i) {
        if (!function(basis[i])) continue;
        if (pivot == basis.size()) {
          pivot = i;
        } else {
          basis[i] ^= basis[pivot];
        }
      }
      const bool has_value = function(chosen) == wanted;
      if (pivot == basis.size()) return has_value;
      if (!has_value) chosen ^= basis[pivot];
      basis[pivot] = std::move(basis.back());
      basis.pop_back();
      return true;
    };
    for (const Pair& pair : vector.pairs) {
      const auto is_split = [&](const LinearForm& selection) {
        return selection[pair.first] != selection[pair.second];
      };
      if (require(is_split, true)) gain += 2;
    }
    // A column that equals the vector is removed in one of two ways: it is selected and becomes
    // zero, or the number is odd and the vector, as a further parity, cancels it.
    const bool is_column = vector.column != kNone;
    const auto parity = [&](const LinearForm& selection) {
      return (selection.count() % 2 != 0) != (is_column && selection[vector.column]);
    };
    const bool is_met = require(parity, is_column);
    if (is_column) {
      gain += is_met ? 1 : 0;
    } else {
      gain -= is_met ? 0 : 1;
    }
    for (const LinearForm& selection : basis) {
      if (random_.below(2) != 0) chosen ^= selection;
    }
    return {vector.parity, std::move(chosen), gain};
  }

  /// Returns whether a shift that gains nothing gives another table: one that only exchanges
  /// parities does not.
  [[nodiscard]] bool changes_table(const TableShift<Words>& shift) const {
    std::vector<Parity> shifted(table_.begin(), table_.end());
    shift_table(shift, shifted);
    return !std::ranges::equal(shifted, table_);
  }

  std::span<const Parity> table_;  ///< sorted
  std::size_t dimension_;
  FastRandom& random_;
  SquareSpan<Words> span_;
  std::vector<Pair> pairs_;
  std::vector<Vector> vectors_;
};

}  // namespace quartz::optimizer
