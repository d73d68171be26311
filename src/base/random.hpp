#pragma once

#include <cstdint>

namespace quartz {

/// SplitMix64 (Steele, Lea, Flood 2014): a few instructions a number, which a search needs several
/// of in each of its millions of moves a second; the same on every platform.
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
  /// Uniform in [0, bound), but for a bias below bound / 2^32; bound is below 2^32.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((*this)() >> 32U) * bound >> 32U);
  }
  /// Uniform in [0, 1).
  double unit() { return static_cast<double>((*this)() >> 11U) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace quartz
