#pragma once

#include <cstdint>

#include "parity_chains/chain/chain_memory.hpp"
#include "parity_chains/chain/chain_words.hpp"

namespace quartz::parity_chains {

/// The points of a chain's table, with a hash table of their places.
template <typename Lanes>
class PointSet {
 public:
  QUARTZ_PARITY_FUNCTION PointSet(const Lanes& lanes, const ChainShape& shape,
                                  const ChainMemory& memory)
      : points(memory.points),
        origin(std::uint64_t{1} << (shape.dimension - 1)),
        lanes_(lanes),
        slots_(memory.slots),
        is_pure_(shape.is_pure) {}

  /// Makes the hash table of the points.
  QUARTZ_PARITY_FUNCTION void place() {
    // Other threads may still look for points in the table as it was.
    lanes_.wait();
    lanes_.for_each_below(kSlots, [&](std::uint32_t i) { slots_[i] = 0; });
    lanes_.wait();
    lanes_.for_each_below(size, [&](std::uint32_t i) {
      std::uint32_t slot = slot_of(points[i]);
      while (!lanes_.claim(slots_ + slot, i + 1)) slot = (slot + 1) % kSlots;
    });
    lanes_.wait();
  }
  /// Returns the place of a point in the table as it was when place() was called, or kNone.
  [[nodiscard]] QUARTZ_PARITY_FUNCTION std::uint32_t place_of(std::uint64_t point) const {
    for (std::uint32_t slot = slot_of(point);; slot = (slot + 1) % kSlots) {
      const std::uint32_t number = slots_[slot];
      if (number == 0) return kNone;
      if (points[number - 1] == point) return number - 1;
    }
  }
  [[nodiscard]] QUARTZ_PARITY_FUNCTION bool has_origin() const { return place_of(origin) != kNone; }
  /// Returns whether a point is the origin of a table that is not pure, and hence no parity.
  [[nodiscard]] QUARTZ_PARITY_FUNCTION bool is_free(std::uint64_t point) const {
    return !is_pure_ && point == origin;
  }
  /// Returns how many parities the points stand for.
  [[nodiscard]] QUARTZ_PARITY_FUNCTION std::uint32_t parities() const {
    if (size == 0) return 0;
    return is_pure_ || has_origin() ? size - 1 : size;
  }
  /// Returns the same hash for the same points in another order.
  [[nodiscard]] QUARTZ_PARITY_FUNCTION std::uint64_t hash() const {
    return lanes_.sum_of(size, [&](std::uint32_t i) { return mixed(points[i]); });
  }

  std::uint64_t* points;  ///< in any order
  std::uint32_t size = 0;
  std::uint64_t origin;

 private:
  QUARTZ_PARITY_FUNCTION static std::uint32_t slot_of(std::uint64_t point) {
    return static_cast<std::uint32_t>(point * 0x9e3779b97f4a7c15ULL >> 53U);
  }

  Lanes lanes_;
  std::uint32_t* slots_;  ///< places plus one
  bool is_pure_;
};

}  // namespace quartz::parity_chains
