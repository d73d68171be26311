#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/rank_reduction/dependent_rows.hpp"
#include "optimize/rank_reduction/point_table.hpp"
#include "optimize/rank_reduction/selection.hpp"
#include "optimize/rank_reduction/shift_vectors.hpp"
#include "optimize/rank_reduction/square_span.hpp"

namespace quartz::optimizer {

/// A change of a table that keeps its cubic form: `vector` is added to the selected points, an even
/// number of them, and equal points are removed in pairs.
///
/// The cubic form is kept if the squares p p^T of the selected points have a sum of the form
/// z w^T + w z^T + c z z^T, for the vector z (Heyfron and Campbell, arXiv 1712.01557; Vandaele,
/// arXiv 2407.08695).
template <std::size_t Words>
struct TableShift {
  PackedParity<Words> vector;
  Selection selection;
  int gain = 0;  ///< by how much the size of the table decreases
};

/// Applies a shift to a table.
template <std::size_t Words>
void shift_table(const TableShift<Words>& shift, PointTable<Words>& table) {
  for_each_set_bit(shift.selection, [&](std::size_t i) { table[i] ^= shift.vector; });
  normalize(table);
}

/// Finds shifts whose vector is the difference of two points, as no others make a table smaller. An
/// object is used for one table after the other, so that its memory is allocated once.
template <std::size_t Words>
class ShiftFinder {
 public:
  using Parity = PackedParity<Words>;

  ShiftFinder(const PointSpace<Words>& space, FastRandom& random)
      : space_(space),
        random_(random),
        span_(space.dimension()),
        vectors_(space, random),
        rows_(space.dimension()) {}

  /// Returns a shift with the greatest gain that was found, or one that gains nothing if none gains
  /// anything, or nothing if there is none at all, or the budget is spent before one is found.
  [[nodiscard]] std::optional<TableShift<Words>> find(const PointTable<Words>& table,
                                                      const Budget& budget) {
    table_ = table;
    span_.read(table, random_);
    has_relations_ = !is_trivial(span_.relations());
    vectors_.read(table);
    // Echelon forms of words, and a hash table.
    budget.spend(table.size() * span_.rank() * span_.width() / kWordsOfTick +
                 vectors_.pair_count() / kPairsOfTick);
    best_.reset();
    neutral_ = 0;
    const std::span<const Vector> vectors = vectors_.vectors();
    for (std::size_t i = 0; i < vectors.size(); i += kSystems) {
      if (best_ && best_->gain >= vectors[i].most_gain()) break;
      if (budget.spent()) break;
      const auto some = vectors.subspan(i, std::min(kSystems, vectors.size() - i));
      budget.spend(space_.dimension() * space_.dimension() * Words / kStepsOfTick + 1);
      const unsigned candidates = candidates_of(some);
      for (std::size_t j = 0; j < some.size(); ++j) {
        if ((candidates >> j & 1U) != 0) try_vector(some[j]);
      }
    }
    return std::move(best_);
  }

 private:
  /// Bases of at most as many selections are enumerated.
  static constexpr std::size_t kMaxEnumerated = 6;
  /// Work that takes about a microsecond.
  static constexpr std::size_t kWordsOfTick = 2'000;
  static constexpr std::size_t kPairsOfTick = 60;
  static constexpr std::size_t kStepsOfTick = 700;

  using Pair = PointPair;
  using Vector = ShiftVector<Words>;
  static constexpr std::uint32_t kNone = Vector::kNone;

  /// The sum of all squares is zero in a pure space, and a shift of all points changes nothing.
  [[nodiscard]] bool is_trivial(std::span<const Selection> relations) const {
    return relations.empty() ||
           (relations.size() == 1 && count_selected(relations[0]) == table_.size());
  }

  /// Calls a function with each unit vector and the hash of z e^T + e z^T for a vector z.
  template <typename Function>
  void for_each_hash(const Vector& vector, Function function) const {
    const std::uint32_t one = vector.pairs > 0 ? vectors_.pairs_of(vector)[0].first : vector.single;
    const std::span<const Parity> first = span_.hashes_of(one);
    if (vector.pairs > 0) {
      const std::span<const Parity> second = span_.hashes_of(vectors_.pairs_of(vector)[0].second);
      for (std::size_t i = 0; i < first.size(); ++i) function(i, first[i] ^ second[i]);
    } else {
      for (std::size_t i = 0; i < first.size(); ++i) {
        function(i, first[i] ^ span_.hash_of_entry(i, space_.dimension() - 1));
      }
    }
  }

  /// Returns for which of some vectors there may be selections, as bits.
  [[nodiscard]] unsigned candidates_of(std::span<const Vector> vectors) {
    if constexpr (Words == 1) {
      if (has_relations_) return ~0U;
      for (std::size_t system = 0; system < kSystems; ++system) {
        const Vector& vector = vectors[std::min(system, vectors.size() - 1)];
        for_each_hash(vector,
                      [&](std::size_t i, const Parity& hash) { rows_[i][system] = hash.words[0]; });
        // w and w + z give the same matrix: one unit vector is left out. Its row gets the bit that
        // no hash has.
        rows_[vector.parity.lowest()][system] = std::uint64_t{1} << 63U;
      }
      return dependent_systems(rows_);
    }
    return ~0U;
  }

  void try_vector(const Vector& vector) {
    std::vector<Selection> selections = selections_for(vector);
    if (selections.empty()) return;
    TableShift<Words> shift = best_shift(vector, std::move(selections));
    if (shift.gain < 0 || (best_ && best_->gain > shift.gain)) return;
    if (shift.gain == 0) {
      // One of those that gain nothing is chosen at random.
      if (random_.below(neutral_ + 1) != 0 || !changes_table(shift)) return;
      ++neutral_;
    } else if (best_ && best_->gain == shift.gain) {
      return;
    }
    best_ = std::move(shift);
  }

  /// Returns a basis of selections for which the squares sum up to z w^T + w z^T for a vector z and
  /// some w. Without the multiples of z z^T, nothing is lost: the selection of a pair whose
  /// difference is z has one, and changes nothing.
  [[nodiscard]] std::vector<Selection> selections_for(const Vector& vector) {
    std::vector<Selection> result;
    if (has_relations_) result.assign(span_.relations().begin(), span_.relations().end());
    const std::size_t left_out = vector.parity.lowest();  // w and w + z give the same matrix
    std::array<Parity, 64 * Words> rows;                  // by their lowest bits
    std::array<Parity, 64 * Words> sums{};  // the unit vectors of which the rows are made
    for_each_hash(vector, [&](std::size_t i, Parity hash) {
      if (i == left_out) return;
      Parity sum;
      sum.set(i);
      while (!hash.none()) {
        const std::size_t lowest = hash.lowest();
        if (sums[lowest].none()) {
          rows[lowest] = hash;
          sums[lowest] = sum;
          return;
        }
        hash ^= rows[lowest];
        sum ^= sums[lowest];
      }
      if (auto selection = span_.selection_for(vector.parity, sum)) {
        result.push_back(*std::move(selection));
      }
    });
    return result;
  }

  /// Chooses a selection from a space, given by a basis, that gains much, and at random otherwise.
  [[nodiscard]] TableShift<Words> best_shift(const Vector& vector, std::vector<Selection> basis) {
    Selection chosen = basis.size() <= kMaxEnumerated ? best_of_all(vector, basis)
                                                      : greedy_selection(vector, std::move(basis));
    const int gain = gain_of(vector, chosen);
    return {vector.parity, std::move(chosen), gain};
  }

  [[nodiscard]] int gain_of(const Vector& vector, const Selection& selection) const {
    int gain = 0;
    for (const Pair& pair : vectors_.pairs_of(vector)) {
      if (test_bit(selection, pair.first) == test_bit(selection, pair.second)) continue;
      gain += vectors_.gain_of(pair);
    }
    if (vector.single != kNone && test_bit(selection, vector.single)) {
      gain += vector.gain_of_single;
    }
    return gain;
  }

  [[nodiscard]] Selection best_of_all(const Vector& vector, std::span<const Selection> basis) {
    Selection sum(basis[0].size());
    Selection best;
    int most = std::numeric_limits<int>::min();
    std::uint32_t equal = 0;
    for (std::uint32_t i = 1; i < std::uint32_t{1} << basis.size(); ++i) {
      add_words(sum, basis[static_cast<std::size_t>(std::countr_zero(i))]);
      const int gain = gain_of(vector, sum);
      if (gain < most) continue;
      equal = gain > most ? 1 : equal + 1;
      most = gain;
      if (random_.below(equal) == 0) best = sum;
    }
    return best;
  }

  /// Has as many pairs as possible with one selected point each, one after the other.
  [[nodiscard]] Selection greedy_selection(const Vector& vector, std::vector<Selection> basis) {
    Selection chosen(basis[0].size());
    // Makes a linear function of the selection have a value if that is possible without changing
    // those before, and restricts the basis to its kernel.
    const auto require = [&](const auto& function, bool value) {
      std::size_t pivot = basis.size();
      for (std::size_t i = 0; i < basis.size(); ++i) {
        if (!function(basis[i])) continue;
        if (pivot == basis.size()) {
          pivot = i;
        } else {
          add_words(basis[i], basis[pivot]);
        }
      }
      if (pivot == basis.size()) return;
      if (function(chosen) != value) add_words(chosen, basis[pivot]);
      basis[pivot] = std::move(basis.back());
      basis.pop_back();
    };
    for (const Pair& pair : vectors_.pairs_of(vector)) {
      require(
          [&](const Selection& selection) {
            return test_bit(selection, pair.first) != test_bit(selection, pair.second);
          },
          true);
    }
    if (vector.single != kNone) {
      require([&](const Selection& selection) { return test_bit(selection, vector.single); },
              vector.gain_of_single > 0);
    }
    for (const Selection& selection : basis) {
      if (random_.below(2) != 0) add_words(chosen, selection);
    }
    return chosen;
  }

  /// Returns whether a shift that gains nothing gives another table: one that only exchanges points
  /// does not.
  [[nodiscard]] bool changes_table(const TableShift<Words>& shift) {
    shifted_ = table_;
    shift_table(shift, shifted_);
    return shifted_ != table_;
  }

  const PointSpace<Words>& space_;
  FastRandom& random_;
  PointTable<Words> table_;  ///< sorted
  PointTable<Words> shifted_;
  SquareSpan<Words> span_;
  ShiftVectors<Words> vectors_;
  bool has_relations_ = false;
  std::vector<RowsOfSystems> rows_;
  std::optional<TableShift<Words>> best_;
  std::uint32_t neutral_ = 0;
};

}  // namespace quartz::optimizer
