#pragma once

#include <cstdint>

#include "parity_chains/chain/chain_memory.hpp"

namespace quartz::parity_chains {

/// A number that is no place of a point and no row.
inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

QUARTZ_PARITY_FUNCTION std::uint32_t lowest_bit(std::uint64_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__ffsll(static_cast<long long>(word))) - 1;
#else
  return static_cast<std::uint32_t>(__builtin_ctzll(word));
#endif
}
QUARTZ_PARITY_FUNCTION std::uint32_t popcount(std::uint64_t word) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__popcll(word));
#else
  return static_cast<std::uint32_t>(__builtin_popcountll(word));
#endif
}
[[nodiscard]] QUARTZ_PARITY_FUNCTION bool test_bit(const std::uint64_t* words,
                                                   std::uint32_t index) {
  return (words[index / 64] >> index % 64 & 1U) != 0;
}

/// Returns bits that look random, a bijection of 64 bits.
QUARTZ_PARITY_FUNCTION std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ value >> 30U) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ value >> 27U) * 0x94d049bb133111ebULL;
  return value ^ value >> 31U;
}
/// Returns a number below a bound from random bits.
QUARTZ_PARITY_FUNCTION std::uint32_t below(std::uint64_t bits, std::uint32_t bound) {
  return static_cast<std::uint32_t>((bits >> 32U) * bound >> 32U);
}

/// SplitMix64 (base/random.hpp). Every lane has the generator and draws the same numbers.
struct ChainRandom {
  std::uint64_t state;

  QUARTZ_PARITY_FUNCTION std::uint64_t operator()() {
    state += 0x9e3779b97f4a7c15ULL;
    return mixed(state);
  }
};

}  // namespace quartz::parity_chains
