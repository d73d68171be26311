#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "classes/backend/level_key.hpp"

namespace quartz::classes {

/// The tags of one cache line, filled from the first slot; an empty slot is 0.
struct alignas(64) KeyLine {
  static constexpr std::size_t kTags = 8;
  std::array<std::uint64_t, kTags> tags;
};

/// The lines of a hash table for one share of the keys (share_of).
struct LevelKeyLines {
  const KeyLine* lines = nullptr;
  std::uint64_t count = 0;  ///< 0: a table that needs no prefetching
  std::uint64_t shares = 1;
  std::uint64_t own_share = 0;

  /// Returns the number of the line where the search for a place begins.
  [[nodiscard]] std::uint64_t home(std::uint64_t place) const {
    return home_slot(share_of(place, shares).place, count);
  }
  /// Prefetches the home line of a place if the place belongs to this share.
  void prefetch(std::uint64_t place) const {
    const KeyShare share = share_of(place, shares);
    if (share.owner != own_share || count == 0) return;
    __builtin_prefetch(&lines[home_slot(share.place, count)], 1);
  }
};

}  // namespace quartz::classes
