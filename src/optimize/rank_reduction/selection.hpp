#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quartz::optimizer {

/// Points of a table that are selected: bit i of the words for point i.
using Selection = std::vector<std::uint64_t>;

[[nodiscard]] constexpr std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }

[[nodiscard]] inline bool test_bit(std::span<const std::uint64_t> words, std::size_t bit) {
  return (words[bit / 64] >> bit % 64 & 1U) != 0;
}

inline void flip_bit(std::span<std::uint64_t> words, std::size_t bit) {
  words[bit / 64] ^= std::uint64_t{1} << bit % 64;
}

inline void add_words(std::span<std::uint64_t> words, std::span<const std::uint64_t> other) {
  for (std::size_t i = 0; i < words.size(); ++i) words[i] ^= other[i];
}

[[nodiscard]] inline std::size_t count_selected(std::span<const std::uint64_t> words) {
  std::size_t sum = 0;
  for (const std::uint64_t word : words) sum += static_cast<std::size_t>(std::popcount(word));
  return sum;
}

/// Calls a function with each bit that is set, in order.
template <typename Function>
void for_each_set_bit(std::span<const std::uint64_t> words, Function function) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::uint64_t rest = words[i]; rest != 0; rest &= rest - 1) {
      function(64 * i + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }
}

}  // namespace quartz::optimizer
