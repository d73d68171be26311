#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/rank_reduction/dependent_rows.hpp"
#include "optimize/rank_reduction/point_table.hpp"
#include "optimize/rank_reduction/selection.hpp"
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
      : space_(space), random_(random), span_(space.dimension()), rows_(space.dimension()) {}

  /// Returns a shift with the greatest gain that was found, or one that gains nothing if none gains
  /// anything, or nothing if there is none at all, or the budget is spent before one is found.
  [[nodiscard]] std::optional<TableShift<Words>> find(const PointTable<Words>& table,
                                                      const Budget& budget) {
    table_ = table;
    span_.read(table, random_);
    has_relations_ = !is_trivial(span_.relations());
    find_vectors();
    // Echelon forms of words, and a hash table.
    budget.spend(table.size() * span_.rank() * span_.width() / kWordsOfTick +
                 pairs_.size() / kPairsOfTick);
    best_.reset();
    neutral_ = 0;
    for (std::size_t i = 0; i < vectors_.size(); i += kSystems) {
      if (best_ && best_->gain >= vectors_[i].most_gain()) break;
      if (budget.spent()) break;
      const auto some = std::span(vectors_).subspan(i, std::min(kSystems, vectors_.size() - i));
      budget.spend(space_.dimension() * space_.dimension() * Words / kStepsOfTick + 1);
      const unsigned candidates = candidates_of(some);
      for (std::size_t j = 0; j < some.size(); ++j) {
        if ((candidates >> j & 1U) != 0) try_vector(some[j]);
      }
    }
    return std::move(best_);
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  /// Pairs of points whose differences are candidates for vectors.
  static constexpr std::size_t kMaxPairs = std::size_t{1} << 20U;
  /// Bases of at most as many selections are enumerated.
  static constexpr std::size_t kMaxEnumerated = 6;
  /// Work that takes about a microsecond.
  static constexpr std::size_t kWordsOfTick = 2'000;
  static constexpr std::size_t kPairsOfTick = 60;
  static constexpr std::size_t kStepsOfTick = 700;

  struct Pair {
    std::uint32_t first = 0;
    std::uint32_t second = 0;
  };
  /// A candidate for the vector of a shift.
  struct Vector {
    Parity parity;
    std::uint32_t first_pair = 0;
    std::uint32_t pairs = 0;  ///< pairs of points whose difference it is
    int gain_of_pairs = 0;    ///< if one point of each pair is selected
    /// A point whose selection changes whether the origin is in the table, and what that gains.
    std::uint32_t single = kNone;
    int gain_of_single = 0;

    [[nodiscard]] int most_gain() const { return gain_of_pairs + std::max(gain_of_single, 0); }
  };

  /// The sum of all squares is zero in a pure space, and a shift of all points changes nothing.
  [[nodiscard]] bool is_trivial(std::span<const Selection> relations) const {
    return relations.empty() ||
           (relations.size() == 1 && count_bits(relations[0]) == table_.size());
  }

  [[nodiscard]] std::span<const Pair> pairs_of(const Vector& vector) const {
    return std::span(pairs_).subspan(vector.first_pair, vector.pairs);
  }
  [[nodiscard]] bool counts_less(std::size_t point) const {
    return !space_.is_pure() && table_[point] == space_.origin();
  }

  void find_vectors() {
    vectors_.clear();
    pairs_.clear();
    vector_of_.clear();
    const auto size = static_cast<std::uint32_t>(table_.size());
    order_.resize(size);
    std::iota(order_.begin(), order_.end(), 0U);
    if (table_.size() * table_.size() / 2 > kMaxPairs) shuffle(order_);
    vector_at_.clear_for(std::min(kMaxPairs, table_.size() * table_.size() / 2) + table_.size());
    for (std::uint32_t i = 1; i < size && pairs_.size() < kMaxPairs; ++i) {
      for (std::uint32_t j = 0; j < i && pairs_.size() < kMaxPairs; ++j) {
        add_pair({order_[i], order_[j]});
      }
    }
    group_pairs();
    if (!space_.is_pure()) add_singles();
    shuffle(vectors_);
    std::ranges::stable_sort(vectors_, std::ranges::greater(), &Vector::most_gain);
  }

  void add_pair(const Pair& pair) {
    const Parity difference = table_[pair.first] ^ table_[pair.second];
    const auto [index, is_new] =
        vector_at_.insert(difference, static_cast<std::uint32_t>(vectors_.size()));
    if (is_new) vectors_.push_back({.parity = difference});
    Vector& vector = vectors_[index];
    ++vector.pairs;
    vector.gain_of_pairs += counts_less(pair.first) || counts_less(pair.second) ? 1 : 2;
    pairs_.push_back(pair);
    vector_of_.push_back(index);
  }

  /// Sorts the pairs by their vectors.
  void group_pairs() {
    std::uint32_t first = 0;
    for (Vector& vector : vectors_) {
      vector.first_pair = first;
      first += vector.pairs;
      vector.pairs = 0;
    }
    grouped_.resize(pairs_.size());
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      Vector& vector = vectors_[vector_of_[i]];
      grouped_[vector.first_pair + vector.pairs++] = pairs_[i];
    }
    std::swap(pairs_, grouped_);
  }

  /// Adds what it gains or costs if the origin enters or leaves the table.
  void add_singles() {
    const auto place = std::ranges::find(table_, space_.origin());
    if (place != table_.end()) {
      const auto origin = static_cast<std::uint32_t>(place - table_.begin());
      for (Vector& vector : vectors_) {
        if (std::ranges::any_of(pairs_of(vector), [&](const Pair& pair) {
              return pair.first == origin || pair.second == origin;
            })) {
          continue;
        }
        vector.single = origin;
        vector.gain_of_single = -1;
      }
      return;
    }
    for (std::uint32_t i = 0; i < table_.size(); ++i) {
      const Parity difference = table_[i] ^ space_.origin();
      const auto [index, is_new] =
          vector_at_.insert(difference, static_cast<std::uint32_t>(vectors_.size()));
      if (is_new) vectors_.push_back({.parity = difference});
      vectors_[index].single = i;
      vectors_[index].gain_of_single = 1;
    }
  }

  template <typename Value>
  void shuffle(std::vector<Value>& values) {
    for (std::size_t i = values.size(); i > 1; --i) {
      std::swap(values[i - 1], values[random_.below(static_cast<std::uint32_t>(i))]);
    }
  }

  /// Calls a function with each unit vector and the hash of z e^T + e z^T for a vector z.
  template <typename Function>
  void for_each_hash(const Vector& vector, Function function) const {
    const std::uint32_t one = vector.pairs > 0 ? pairs_[vector.first_pair].first : vector.single;
    const std::span<const Parity> first = span_.hashes_of(one);
    if (vector.pairs > 0) {
      const std::span<const Parity> second =
          span_.hashes_of(pairs_[vector.first_pair].second);
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
        for_each_hash(vector, [&](std::size_t i, const Parity& hash) {
          rows_[i][system] = hash.words[0];
        });
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
    for (const Pair& pair : pairs_of(vector)) {
      if (test_bit(selection, pair.first) == test_bit(selection, pair.second)) continue;
      gain += counts_less(pair.first) || counts_less(pair.second) ? 1 : 2;
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
    for (const Pair& pair : pairs_of(vector)) {
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
  bool has_relations_ = false;
  std::vector<RowsOfSystems> rows_;
  std::vector<std::uint32_t> order_;
  std::vector<Pair> pairs_;
  std::vector<Pair> grouped_;
  std::vector<std::uint32_t> vector_of_;  ///< for each pair
  std::vector<Vector> vectors_;
  PointMap<Words> vector_at_;
  std::optional<TableShift<Words>> best_;
  std::uint32_t neutral_ = 0;
};

}  // namespace quartz::optimizer
