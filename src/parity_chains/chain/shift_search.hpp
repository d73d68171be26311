#pragma once

#include <cstdint>

#include "parity_chains/chain/chain_memory.hpp"
#include "parity_chains/chain/chain_words.hpp"
#include "parity_chains/chain/dependent_rows.hpp"
#include "parity_chains/chain/point_set.hpp"
#include "parity_chains/chain/square_echelon.hpp"

namespace quartz::parity_chains {

/// A change of a table that keeps its cubic form (optimize/rank_reduction/table_shift.hpp): the
/// vector is added to the points that `chosen` of the memory selects.
struct ChainShift {
  bool exists;
  std::int32_t gain;  ///< by how much the table becomes smaller
  std::uint64_t vector;
};

/// Finds shifts by the difference of two points. All threads test a batch of differences, and then
/// groups of threads look at those that may have a selection.
template <typename Lanes, int kRows>
class ShiftSearch {
 public:
  QUARTZ_PARITY_FUNCTION ShiftSearch(const Lanes& lanes, const ChainShape& shape,
                                     const ChainMemory& memory, std::uint64_t* product_hashes,
                                     const PointSet<Lanes>& points, SquareEchelon<Lanes>& echelon)
      : lanes_(lanes),
        shape_(shape),
        memory_(memory),
        product_hashes_(product_hashes),
        points_(points),
        echelon_(echelon),
        entry_words_(entry_words_of(shape)),
        selection_words_(selection_words_of(shape)) {}

  /// Tests differences from a random batch on, until a batch has one that makes the table smaller.
  /// Otherwise, returns the first that changes it, if there is one.
  QUARTZ_PARITY_FUNCTION ChainShift find(ChainRandom& random) {
    echelon_.read(random());
    relations_ = echelon_.relations();
    best_ = {false, 0, 0};
    count_ = points_.size + (shape_.is_pure || points_.has_origin() ? 0 : 1);
    hash_products();
    const std::uint32_t differences = count_ * (count_ / 2);
    const std::uint32_t count = (differences + kBatch - 1) / kBatch;
    std::uint32_t batch = below(random(), count);
    std::uint32_t stride = 1 + below(random(), count);
    while (common_divisor(stride, count) != 1) ++stride;
    for (std::uint32_t i = 0; i < count && best_.gain <= 0; ++i) {
      test_batch(batch, differences);
      batch = (batch + stride) % count;
      ++batches_;
    }
    return best_;
  }
  /// Returns the batches that have been tested so far.
  [[nodiscard]] QUARTZ_PARITY_FUNCTION std::uint32_t batches() const { return batches_; }

 private:
  /// Candidates of a batch that are looked at if each of them has a selection.
  static constexpr std::uint32_t kMostTried = 32;
  /// The bit that no hash has.
  static constexpr std::uint64_t kFreeBit = std::uint64_t{1} << 63U;

  QUARTZ_PARITY_FUNCTION static std::uint32_t common_divisor(std::uint32_t left,
                                                             std::uint32_t right) {
    while (right != 0) {
      const std::uint32_t rest = left % right;
      left = right;
      right = rest;
    }
    return left;
  }

  /// Hashes p e^T + e p^T for all points p and unit vectors e.
  QUARTZ_PARITY_FUNCTION void hash_products() {
    lanes_.for_each_below(shape_.dimension * count_, [&](std::uint32_t i) {
      const std::uint32_t unit = i / count_;
      const std::uint32_t place = i % count_;
      std::uint64_t hash = 0;
      for (std::uint64_t rest = point_at(place); rest != 0; rest &= rest - 1) {
        const std::uint32_t other = lowest_bit(rest);
        if (other != unit) hash ^= memory_.hashes[symmetric_index(unit, other)];
      }
      product_hashes_[i] = hash;
    });
    lanes_.wait();
  }
  [[nodiscard]] QUARTZ_PARITY_FUNCTION std::uint64_t point_at(std::uint32_t place) const {
    return place < points_.size ? points_.points[place] : points_.origin;
  }

  struct Difference {
    std::uint32_t first, second;  // NOLINT: places of two points
  };
  /// Returns a pair of points by its number. All pairs have one, some have two.
  [[nodiscard]] QUARTZ_PARITY_FUNCTION Difference difference(std::uint32_t number) const {
    const std::uint32_t first = number % count_;
    return {first, (first + 1 + number / count_) % count_};
  }

  QUARTZ_PARITY_FUNCTION void test_batch(std::uint32_t batch, std::uint32_t differences) {
    const std::uint32_t begin = batch * kBatch;
    const std::uint32_t size = differences - begin < kBatch ? differences - begin : kBatch;
    flag_candidates(begin, size);
    lanes_.for_each_below(size, [&](std::uint32_t i) {
      if ((memory_.flags[i / 32] >> i % 32 & 1U) != 0) memory_.flagged[flags_before(i)] = i;
    });
    lanes_.for_each_below(kGroups, [&](std::uint32_t i) { memory_.shifts[i].gain = -1; });
    lanes_.wait();
    std::uint32_t count = flags_before(kBatch);
    if (relations_ > 0 && count > kMostTried) count = kMostTried;
    lanes_.for_each_item(count, [&](std::uint32_t item, std::uint32_t number, const auto& group) {
      const std::uint32_t index = memory_.flagged[item];
      try_difference(difference(begin + index), index, group, number);
    });
    lanes_.wait();
    choose_shift();
  }

  /// Flags the candidates that may have a selection, and notes how many.
  QUARTZ_PARITY_FUNCTION void flag_candidates(std::uint32_t begin, std::uint32_t size) {
    lanes_.for_each_below(kBatch / 32, [&](std::uint32_t i) { memory_.flags[i] = 0; });
    lanes_.wait();
    lanes_.for_each_below(size, [&](std::uint32_t i) {
      const std::uint32_t nullity = relations_ > 0 ? 0 : nullity_of(difference(begin + i));
      memory_.nullities[i] = nullity;
      if (relations_ > 0 || nullity > 0) lanes_.set_bit(memory_.flags, i);
    });
    lanes_.wait();
  }
  [[nodiscard]] QUARTZ_PARITY_FUNCTION std::uint32_t flags_before(std::uint32_t index) const {
    std::uint32_t count = 0;
    for (std::uint32_t word = 0; word < index / 32; ++word) {
      count += popcount(memory_.flags[word]);
    }
    if (index % 32 == 0) return count;
    return count + popcount(memory_.flags[index / 32] & ((std::uint32_t{1} << index % 32) - 1));
  }

  /// Takes the best shift of all groups if it is better than the one so far: of those that gain
  /// equally much, the first candidate's.
  QUARTZ_PARITY_FUNCTION void choose_shift() {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < kGroups; ++i) {
      const GroupShift& shift = memory_.shifts[i];
      const GroupShift& other = memory_.shifts[best];
      if (shift.gain > other.gain || (shift.gain == other.gain && shift.index < other.index)) {
        best = i;
      }
    }
    const GroupShift& shift = memory_.shifts[best];
    if (shift.gain >= 0 && (!best_.exists || shift.gain > best_.gain)) {
      best_ = {true, shift.gain, shift.vector};
      lanes_.for_each_below(selection_words_, [&](std::uint32_t i) {
        memory_.chosen[i] = memory_.group(best).best[i];
      });
    }
    lanes_.wait();
  }

  /// Returns the nullity of the matrices z e^T + e z^T of a difference z modulo the squares. One
  /// unit vector e is left out, as z e^T + e z^T is zero for e = z.
  [[nodiscard]] QUARTZ_PARITY_FUNCTION std::uint32_t nullity_of(const Difference& pair) const {
    const std::uint32_t left_out = lowest_bit(point_at(pair.first) ^ point_at(pair.second));
    const std::uint64_t* const first = product_hashes_ + pair.first;
    const std::uint64_t* const second = product_hashes_ + pair.second;
    std::uint64_t rows[kRows];  // NOLINT: registers of the device
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int i = 0; i < kRows; ++i) {
      const auto unit = static_cast<std::uint32_t>(i);
      rows[i] = 0;
      if (unit < shape_.dimension) rows[i] = first[unit * count_] ^ second[unit * count_];
      if (unit == left_out) rows[i] = kFreeBit;
    }
    return count_dependent_rows<kRows>(rows, static_cast<int>(shape_.dimension));
  }

  /// Has a group compute what a shift by a difference gains, and note the shift if it is the best
  /// one of the group.
  template <typename Group>
  QUARTZ_PARITY_FUNCTION void try_difference(const Difference& difference, std::uint32_t index,
                                             const Group& group, std::uint32_t number) {
    const GroupMemory memory = memory_.group(number);
    const std::uint64_t vector = point_at(difference.first) ^ point_at(difference.second);
    const std::uint32_t pairs =
        group.collect(points_.size, memory.pairs, kMaxPairs, [&](std::uint32_t i) {
          const std::uint32_t partner = points_.place_of(points_.points[i] ^ vector);
          return partner != kNone && partner < i;
        });
    if (relations_ == 0) {
      group.leader([&] { *memory.numbers = rank_of_pairs(memory, pairs, vector); });
      group.wait();
      const std::uint32_t rank = *memory.numbers;
      group.wait();
      if (memory_.nullities[index] <= rank) return;
    }
    const std::uint32_t basis = find_selections(difference, vector, group, memory);
    if (basis == 0) return;
    // The gain of each sum of the basis, and the first one of the greatest gain.
    const std::uint64_t best = group.max_of((std::uint32_t{1} << basis) - 1, [&](std::uint32_t i) {
      const std::int32_t gain = gain_of(i + 1, basis, memory, pairs, vector);
      return gain < 0 ? std::uint64_t{0}
                      : static_cast<std::uint64_t>(gain + 1) << 32U | (kNone - i);
    });
    const auto gain = static_cast<std::int32_t>(best >> 32U) - 1;
    GroupShift& shift = memory_.shifts[number];
    const std::int32_t least = shift.gain;
    group.wait();
    if (gain <= least) return;
    const std::uint32_t mask = kNone - static_cast<std::uint32_t>(best) + 1;
    group.for_each_below(selection_words_, [&](std::uint32_t word) {
      memory.best[word] = word_of_sum(mask, basis, memory, word);
    });
    group.leader([&] { shift = {vector, gain, index}; });
    group.wait();
  }

  /// Returns the rank of the differences between pairs, modulo their common difference: the number
  /// of independent selections that only exchange the points of some pairs.
  [[nodiscard]] QUARTZ_PARITY_FUNCTION std::uint32_t rank_of_pairs(const GroupMemory& memory,
                                                                   std::uint32_t count,
                                                                   std::uint64_t vector) const {
    std::uint64_t* const basis = memory.system;  // at most as many as dimensions
    std::uint32_t rank = 0;
    basis[0] = vector;
    for (std::uint32_t i = 1; i < count; ++i) {
      std::uint64_t row = points_.points[memory.pairs[i]] ^ points_.points[memory.pairs[0]];
      for (std::uint32_t j = 0; j <= rank; ++j) {
        if ((row & basis[j] & (~basis[j] + 1)) != 0) row ^= basis[j];
      }
      if (row != 0) basis[++rank] = row;
    }
    return rank;
  }

  /// Returns a word of the sum of some selections.
  [[nodiscard]] QUARTZ_PARITY_FUNCTION std::uint64_t word_of_sum(std::uint32_t mask,
                                                                 std::uint32_t basis,
                                                                 const GroupMemory& memory,
                                                                 std::uint32_t word) const {
    std::uint64_t bits = 0;
    for (std::uint32_t i = 0; i < basis; ++i) {
      if ((mask >> i & 1U) != 0) bits ^= memory.basis[i * selection_words_ + word];
    }
    return bits;
  }

  /// Returns by how much a shift of the points of a sum makes the table smaller, or -1 if it makes
  /// it larger or does not change it.
  [[nodiscard]] QUARTZ_PARITY_FUNCTION std::int32_t gain_of(std::uint32_t mask, std::uint32_t basis,
                                                            const GroupMemory& memory,
                                                            std::uint32_t pairs,
                                                            std::uint64_t vector) const {
    const auto is_selected = [&](std::uint32_t place) {
      return (word_of_sum(mask, basis, memory, place / 64) >> place % 64 & 1U) != 0;
    };
    std::int32_t gain = 0;
    std::uint32_t in_pairs = 0;
    for (std::uint32_t i = 0; i < pairs; ++i) {
      const std::uint32_t place = memory.pairs[i];
      const std::uint64_t point = points_.points[place];
      const bool first = is_selected(place);
      const bool second = is_selected(points_.place_of(point ^ vector));
      in_pairs += (first ? 1U : 0U) + (second ? 1U : 0U);
      if (first != second)
        gain += points_.is_free(point) || points_.is_free(point ^ vector) ? 1 : 2;
    }
    gain += gain_of_origin(vector, is_selected);
    if (gain != 0) return gain;
    std::uint32_t selected = 0;
    for (std::uint32_t i = 0; i < selection_words_; ++i) {
      selected += popcount(word_of_sum(mask, basis, memory, i));
    }
    return selected > in_pairs ? 0 : -1;
  }
  /// Returns what it gains or costs if the origin, which is no parity, enters or leaves the table.
  template <typename Test>
  [[nodiscard]] QUARTZ_PARITY_FUNCTION std::int32_t gain_of_origin(std::uint64_t vector,
                                                                   const Test& is_selected) const {
    if (shape_.is_pure) return 0;
    const std::uint32_t origin = points_.place_of(points_.origin);
    const std::uint32_t partner = points_.place_of(points_.origin ^ vector);
    if (origin == kNone) return partner != kNone && is_selected(partner) ? 1 : 0;
    return partner == kNone && is_selected(origin) ? -1 : 0;
  }

  /// Finds selections for which the squares sum up to z w^T + w z^T for some w. Returns how many
  /// are in the basis, the relations included.
  template <typename Group>
  QUARTZ_PARITY_FUNCTION std::uint32_t find_selections(const Difference& pair, std::uint64_t vector,
                                                       const Group& group,
                                                       const GroupMemory& memory) {
    const std::uint32_t left_out = lowest_bit(vector);
    group.for_each_below(shape_.dimension, [&](std::uint32_t i) {
      const std::uint64_t* const row = product_hashes_ + i * count_;
      memory.system[i] = i == left_out ? kFreeBit : row[pair.first] ^ row[pair.second];
      memory.sums[i] = std::uint64_t{1} << i;
    });
    group.for_each_below(relations_ * selection_words_,
                         [&](std::uint32_t i) { memory.basis[i] = memory_.relations[i]; });
    group.wait();
    std::uint32_t basis = relations_;
    for (std::uint32_t i = 0; i < shape_.dimension && basis < kMaxBasis; ++i) {
      const std::uint64_t row = memory.system[i];
      const std::uint64_t sum = memory.sums[i];
      if (row == 0) {
        if (!echelon_.reduce_product(vector, sum, group, memory)) continue;
        std::uint64_t* const selection = memory.basis + basis * selection_words_;
        group.for_each_below(selection_words_, [&](std::uint32_t word) {
          selection[word] = memory.matrix[entry_words_ + word];
        });
        group.wait();
        ++basis;
        continue;
      }
      const std::uint64_t pivot = row & (~row + 1);
      group.for_each_below(shape_.dimension - i - 1, [&](std::uint32_t other) {
        const std::uint32_t j = i + 1 + other;
        if ((memory.system[j] & pivot) == 0) return;
        memory.system[j] ^= row;
        memory.sums[j] ^= sum;
      });
      group.wait();
    }
    return basis;
  }

  Lanes lanes_;
  const ChainShape& shape_;
  const ChainMemory& memory_;
  std::uint64_t* product_hashes_;  ///< by unit vector, and then by point
  const PointSet<Lanes>& points_;
  SquareEchelon<Lanes>& echelon_;
  std::uint32_t entry_words_;
  std::uint32_t selection_words_;
  std::uint32_t count_ = 0;      ///< points of which differences are formed, the origin as the last
  std::uint32_t relations_ = 0;  ///< the first selections of the basis
  std::uint32_t batches_ = 0;
  ChainShift best_{};
};

}  // namespace quartz::parity_chains
