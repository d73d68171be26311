#pragma once

#include <cstdint>

namespace quartz {

/// SplitMix64 (Steele, Lea, Flood 2014). A few instructions produce a number, which matters because
/// a search needs several numbers for each of millions of moves per second. The sequence is the
/// same on every platform.
class FastRandom {
 public:
  explicit FastRandom(std::uint64_t seed) : state_(seed) {}

  std::uint64_t operator()() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t value = state_;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
    return value ^ (value >> 31U);
  }
  /// Returns a number in [0, bound), uniform up to a bias below bound / 2^32; bound is below 2^32.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((*this)() >> 32U) * bound >> 32U);
  }
  /// Returns a number, uniform in [0, 1).
  double unit() { return static_cast<double>((*this)() >> 11U) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace quartz
