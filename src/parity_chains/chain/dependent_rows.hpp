#pragma once

#include <cstdint>

#include "parity_chains/chain/chain_memory.hpp"

namespace quartz::parity_chains {

/// Eliminates by the first rows of a system, one after the other, and returns how many of them
/// vanish. Each step takes the first row, eliminates its lowest bit from all others, and moves
/// them up by one, so that a row's place is known when the code is compiled: all rows stay in
/// registers of the device. There are fewer others after every eight steps.
template <int kRows>
QUARTZ_PARITY_FUNCTION std::uint32_t count_dependent_rows(std::uint64_t (&rows)[kRows],
                                                          int left) {  // NOLINT
  std::uint32_t vanished = 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int begin = 0; begin < kRows; begin += 8) {
    const int others = kRows - begin - 1;
    for (int step = 0; step < 8; ++step) {
      if (left == 0) return vanished;
      --left;
      const std::uint64_t first = rows[0];
      const std::uint64_t pivot = first & (~first + 1);
      vanished += first == 0 ? 1 : 0;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
      for (int i = 0; i < kRows - 1; ++i) {
        if (i >= others) break;
        const std::uint64_t row = rows[i + 1];
        rows[i] = (row & pivot) != 0 ? row ^ first : row;
      }
    }
  }
  return vanished;
}

}  // namespace quartz::parity_chains
