#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "optimize/rank_reduction/point_table.hpp"

namespace quartz::optimizer {

/// Two points of a table, by their places.
struct PointPair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
};

/// A candidate for the vector of a shift.
template <std::size_t Words>
struct ShiftVector {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  PackedParity<Words> parity;
  std::uint32_t first_pair = 0;
  std::uint32_t pairs = 0;  ///< pairs of points whose difference it is
  int gain_of_pairs = 0;    ///< if one point of each pair is selected
  /// A point whose selection changes whether the origin is in the table, and what that gains.
  std::uint32_t single = kNone;
  int gain_of_single = 0;

  [[nodiscard]] int most_gain() const { return gain_of_pairs + std::max(gain_of_single, 0); }
};

/// The candidates for vectors of shifts of a table, with the pairs of points that vanish if one of
/// the two is selected. An object is used for one table after the other, so that its memory is
/// allocated once.
template <std::size_t Words>
class ShiftVectors {
 public:
  using Parity = PackedParity<Words>;
  using Pair = PointPair;
  using Vector = ShiftVector<Words>;

  ShiftVectors(const PointSpace<Words>& space, FastRandom& random)
      : space_(space), random_(random) {}

  /// Finds the vectors of a table.
  void read(const PointTable<Words>& given) {
    table_ = given;
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
    sort_vectors();
  }

  /// Puts the vectors that may gain most first, and leaves the others in their random order.
  void sort_vectors() {
    int most = 0;
    for (const Vector& vector : vectors_) most = std::max(most, vector.most_gain());
    places_.assign(static_cast<std::size_t>(most) + 2, 0);
    const auto bucket = [&](const Vector& vector) {
      return static_cast<std::size_t>(most - std::max(vector.most_gain(), 0));
    };
    for (const Vector& vector : vectors_) ++places_[bucket(vector) + 1];
    std::partial_sum(places_.begin(), places_.end(), places_.begin());
    sorted_.resize(vectors_.size());
    for (const Vector& vector : vectors_) sorted_[places_[bucket(vector)]++] = vector;
    std::swap(vectors_, sorted_);
  }

  /// Returns the vectors, those that may gain most first, and in a random order otherwise.
  [[nodiscard]] std::span<const Vector> vectors() const { return vectors_; }
  [[nodiscard]] std::size_t pair_count() const { return pairs_.size(); }
  [[nodiscard]] std::span<const Pair> pairs_of(const Vector& vector) const {
    return std::span(pairs_).subspan(vector.first_pair, vector.pairs);
  }
  /// Returns by how much the table becomes smaller if one point of a pair is selected.
  [[nodiscard]] int gain_of(const Pair& pair) const {
    return counts_less(pair.first) || counts_less(pair.second) ? 1 : 2;
  }

 private:
  static constexpr std::uint32_t kNone = Vector::kNone;
  /// Pairs of points whose differences are candidates for vectors.
  static constexpr std::size_t kMaxPairs = std::size_t{1} << 20U;

  [[nodiscard]] bool counts_less(std::size_t point) const {
    return !space_.is_pure() && table_[point] == space_.origin();
  }

  void add_pair(const Pair& pair) {
    const Parity difference = table_[pair.first] ^ table_[pair.second];
    const auto [index, is_new] =
        vector_at_.insert(difference, static_cast<std::uint32_t>(vectors_.size()));
    if (is_new) vectors_.push_back({.parity = difference});
    Vector& vector = vectors_[index];
    ++vector.pairs;
    vector.gain_of_pairs += gain_of(pair);
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

  const PointSpace<Words>& space_;
  FastRandom& random_;
  PointTable<Words> table_;  ///< sorted
  std::vector<std::uint32_t> order_;
  std::vector<Pair> pairs_;
  std::vector<Pair> grouped_;
  std::vector<std::uint32_t> vector_of_;  ///< for each pair
  std::vector<Vector> vectors_;
  std::vector<Vector> sorted_;
  std::vector<std::size_t> places_;
  PointMap<Words> vector_at_;
};

}  // namespace quartz::optimizer
