#pragma once

#include <cstdint>

#include "parity_chains/chain/chain_memory.hpp"
#include "parity_chains/chain/chain_words.hpp"
#include "parity_chains/chain/point_set.hpp"

namespace quartz::parity_chains {

/// Adds affine spaces of four dimensions to a table, where they cancel the points that are there.
template <typename Lanes>
class FlatMove {
 public:
  QUARTZ_PARITY_FUNCTION FlatMove(const Lanes& lanes, const ChainShape& shape,
                                  const ChainMemory& memory, PointSet<Lanes>& points,
                                  ChainRandom& random)
      : lanes_(lanes), shape_(shape), memory_(memory), points_(points), random_(random) {}

  /// Adds some spaces, as long as there is room for their points.
  QUARTZ_PARITY_FUNCTION void apply() {
    const std::uint32_t count = 1 + below(random_(), kMostFlats);
    const std::uint32_t tries = below(random_(), 2) == 0 ? 60 : 150;
    for (std::uint32_t i = 0; i < count && points_.size + 16 <= shape_.capacity && points_.size > 0;
         ++i) {
      if (!choose_flat(tries)) return;
      exchange_flat();
      points_.place();
    }
  }

 private:
  /// Spaces that are added to a table at once, at most.
  static constexpr std::uint32_t kMostFlats = 6;
  /// A word that is no point.
  static constexpr std::uint64_t kNoPoint = 0;

  /// Chooses a space in which many points of the table are.
  QUARTZ_PARITY_FUNCTION bool choose_flat(std::uint32_t tries) {
    std::uint64_t* const flat = memory_.flat;
    const std::uint64_t first = points_.points[below(random_(), points_.size)];
    lanes_.leader([&] { flat[0] = first; });
    lanes_.wait();
    for (std::uint32_t half = 1; half < 16; half *= 2) {
      const std::uint64_t seed = random_();
      const auto direction = [&](std::uint32_t attempt) {
        return points_.points[below(mixed(seed + attempt), points_.size)] ^ first;
      };
      // The attempt with the most points, and the first one of those.
      const std::uint64_t most = lanes_.max_of(half == 1 ? 4 : tries, [&](std::uint32_t attempt) {
        const std::uint64_t vector = direction(attempt);
        std::uint64_t points = 0;
        for (std::uint32_t i = 0; i < half; ++i) {
          if ((flat[i] ^ first) == vector) return std::uint64_t{0};
          if (points_.place_of(flat[i] ^ vector) != kNone) ++points;
        }
        return points << 32U | (kNone - attempt);
      });
      if (most >> 32U == 0) return false;
      const std::uint64_t vector = direction(kNone - static_cast<std::uint32_t>(most));
      lanes_.for_each_below(half, [&](std::uint32_t i) { flat[half + i] = flat[i] ^ vector; });
      lanes_.wait();
    }
    return true;
  }

  /// Adds the points of the space that are missing and removes the others.
  QUARTZ_PARITY_FUNCTION void exchange_flat() {
    lanes_.for_each_below(points_.size, [&](std::uint32_t i) { memory_.partners[i] = 0; });
    lanes_.wait();
    lanes_.for_each_below(16, [&](std::uint32_t i) {
      const std::uint32_t place = points_.place_of(memory_.flat[i]);
      if (place != kNone) {
        memory_.partners[place] = 1;
        memory_.flat[i] = kNoPoint;
      }
    });
    lanes_.wait();
    lanes_.leader([&] {
      std::uint32_t left = 0;
      for (std::uint32_t i = 0; i < points_.size; ++i) {
        if (memory_.partners[i] == 0) points_.points[left++] = points_.points[i];
      }
      for (std::uint32_t i = 0; i < 16; ++i) {
        if (memory_.flat[i] != kNoPoint) points_.points[left++] = memory_.flat[i];
      }
      memory_.partners[0] = left;
    });
    lanes_.wait();
    points_.size = memory_.partners[0];
    lanes_.wait();
  }

  Lanes lanes_;
  const ChainShape& shape_;
  const ChainMemory& memory_;
  PointSet<Lanes>& points_;
  ChainRandom& random_;
};

}  // namespace quartz::parity_chains
