#pragma once

#include <cstdint>

#include "parity_chains/chain/chain_memory.hpp"
#include "parity_chains/chain/chain_words.hpp"
#include "parity_chains/chain/flat_move.hpp"
#include "parity_chains/chain/point_set.hpp"
#include "parity_chains/chain/shift_search.hpp"

namespace quartz::parity_chains {

/// A chain of walks through tables with the same cubic form (optimize/rank_reduction), which the
/// threads of a block carry out together. A walk adds affine spaces of four dimensions to the
/// chain's table, and then shifts points by the difference of two of them as long as that makes
/// the table smaller. The result takes the place of the table unless it is larger.
///
/// For each shift, all threads eliminate in the matrix of the squares of the points; then each
/// tests differences of its own (shift_search.hpp). The first batch of differences with one that
/// makes the table smaller ends the search.
///
/// `Lanes` are the threads: for_each_below(end, function) divides the numbers below an end among
/// them, for_each_cell(rows, columns, test, function) the cells of the rows that pass a test;
/// wait() lets every thread finish its reads and writes; leader(function) has one thread call a
/// function; xor_of, sum_of and max_of combine a function's values below an end; first_word returns
/// the place of the first word that is not zero, or the number of words; claim writes a number to a
/// place that is zero, and returns whether it was; set_bit sets a bit of an array;
/// for_each_item(count, function) divides items among groups of lanes, which have such functions,
/// too, and collect(end, numbers, most, test), which lists the numbers below an end that pass a
/// test. On the host one thread takes the place of all lanes.
template <typename Lanes, int kRows>
class ParityChain {
 public:
  QUARTZ_PARITY_FUNCTION ParityChain(const Lanes& lanes, const ChainMemory& memory,
                                     PointSet<Lanes>& points, FlatMove<Lanes>& flats,
                                     ShiftSearch<Lanes, kRows>& shifts, ChainRandom& random,
                                     ChainTable& table, ChainState& state)
      : lanes_(lanes),
        memory_(memory),
        points_(points),
        flats_(flats),
        shifts_(shifts),
        random_(random),
        table_(table),
        state_(state) {}

  /// Makes walks until a number of batches of candidates have been tested; the last walk ends.
  QUARTZ_PARITY_FUNCTION void run(std::uint32_t batches) {
    std::uint32_t walks = 0;
    const std::uint32_t walks_before = state_.walks;
    dead_ends_ = state_.dead_ends_seen;
    // A walk that has nothing to test takes time as well.
    for (; shifts_.batches() + walks < batches; ++walks) walk(walks_before + walks > 0);
    lanes_.leader([&] {
      state_.random = random_.state;
      state_.candidates += std::uint64_t{shifts_.batches()} * kBatch;
      state_.walks = walks_before + walks;
      state_.dead_ends_seen = dead_ends_;
    });
    lanes_.wait();
  }

 private:
  /// Shifts that gain nothing, one after the other, after which a walk ends.
  static constexpr std::uint32_t kIdleShifts = 6;

  QUARTZ_PARITY_FUNCTION void walk(bool adds_flats) {
    points_.size = table_.size;
    lanes_.for_each_below(points_.size,
                          [&](std::uint32_t i) { points_.points[i] = table_.points[i]; });
    lanes_.wait();
    points_.place();
    const std::uint32_t before = points_.parities();
    if (adds_flats) flats_.apply();
    descend();
    points_.place();
    if (points_.parities() <= before) {
      lanes_.for_each_below(points_.size,
                            [&](std::uint32_t i) { table_.points[i] = points_.points[i]; });
      lanes_.leader([&] { table_.size = points_.size; });
    }
    lanes_.wait();
  }

  /// Shifts points until that makes the table no smaller, or it is one that no shift changes.
  QUARTZ_PARITY_FUNCTION void descend() {
    for (std::uint32_t idle = 0; idle < kIdleShifts && points_.size > 1;) {
      points_.place();
      const std::uint64_t hash = points_.hash();
      if (is_dead_end(hash)) return;
      const ChainShift shift = shifts_.find(random_);
      if (!shift.exists) {
        lanes_.leader([&] { state_.dead_ends[dead_ends_ % kDeadEnds] = hash; });
        ++dead_ends_;
        lanes_.wait();
        return;
      }
      idle = shift.gain > 0 ? 0 : idle + 1;
      apply(shift.vector);
    }
  }
  [[nodiscard]] QUARTZ_PARITY_FUNCTION bool is_dead_end(std::uint64_t hash) const {
    const std::uint32_t known = dead_ends_ < kDeadEnds ? dead_ends_ : kDeadEnds;
    for (std::uint32_t i = 0; i < known; ++i) {
      if (state_.dead_ends[i] == hash) return true;
    }
    return false;
  }

  /// Adds the vector to the chosen points and removes equal ones in pairs.
  QUARTZ_PARITY_FUNCTION void apply(std::uint64_t vector) {
    lanes_.for_each_below(points_.size, [&](std::uint32_t i) {
      memory_.partners[i] = points_.place_of(points_.points[i] ^ vector);
    });
    lanes_.wait();
    lanes_.leader([&] {
      std::uint32_t left = 0;
      for (std::uint32_t i = 0; i < points_.size; ++i) {
        const std::uint32_t partner = memory_.partners[i];
        const bool is_chosen = test_bit(memory_.chosen, i);
        if (partner != kNone && test_bit(memory_.chosen, partner) != is_chosen) continue;
        points_.points[left++] = points_.points[i] ^ (is_chosen && partner == kNone ? vector : 0);
      }
      memory_.partners[0] = left;
    });
    lanes_.wait();
    points_.size = memory_.partners[0];
    lanes_.wait();
  }

  Lanes lanes_;
  const ChainMemory& memory_;
  PointSet<Lanes>& points_;
  FlatMove<Lanes>& flats_;
  ShiftSearch<Lanes, kRows>& shifts_;
  ChainRandom& random_;
  ChainTable& table_;
  ChainState& state_;
  std::uint32_t dead_ends_ = 0;
};

/// Runs a chain (ParityChain) on its table and its state. Its parts are variables of this function,
/// and refer to each other: inside of one object, which would then contain its own address, they
/// would all be in the local memory of the device.
template <int kRows, typename Lanes>
QUARTZ_PARITY_FUNCTION void run_chain(const Lanes& lanes, const ChainShape& shape,
                                      const ChainMemory& memory, std::uint64_t* product_hashes,
                                      ChainTable& table, ChainState& state, std::uint32_t batches) {
  PointSet<Lanes> points(lanes, shape, memory);
  ChainRandom random{state.random};
  FlatMove<Lanes> flats(lanes, shape, memory, points, random);
  SquareEchelon<Lanes> echelon(lanes, shape, memory, points);
  ShiftSearch<Lanes, kRows> shifts(lanes, shape, memory, product_hashes, points, echelon);
  ParityChain<Lanes, kRows>(lanes, memory, points, flats, shifts, random, table, state)
      .run(batches);
}

}  // namespace quartz::parity_chains
