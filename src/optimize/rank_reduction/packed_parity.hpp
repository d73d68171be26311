#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace quartz::optimizer {

/// A vector over the integers modulo 2 in a fixed number of words: a parity of up to 64 bits a
/// word, or a hash that is linear.
template <std::size_t Words>
struct PackedParity {
  std::array<std::uint64_t, Words> words{};

  [[nodiscard]] bool test(std::size_t bit) const { return (words[bit / 64] >> bit % 64 & 1U) != 0; }
  void set(std::size_t bit) { words[bit / 64] |= std::uint64_t{1} << bit % 64; }
  [[nodiscard]] bool none() const { return *this == PackedParity{}; }
  /// Returns the lowest bit that is set; there must be one.
  [[nodiscard]] std::size_t lowest() const {
    std::size_t word = 0;
    while (words[word] == 0) ++word;
    return 64 * word + static_cast<std::size_t>(std::countr_zero(words[word]));
  }

  PackedParity& operator^=(const PackedParity& other) {
    for (std::size_t i = 0; i < Words; ++i) words[i] ^= other.words[i];
    return *this;
  }
  friend PackedParity operator^(PackedParity left, const PackedParity& right) {
    return left ^= right;
  }
  friend bool operator==(const PackedParity&, const PackedParity&) = default;
  /// An order for sorting.
  friend bool operator<(const PackedParity& left, const PackedParity& right) {
    for (std::size_t i = 0; i + 1 < Words; ++i) {
      if (left.words[i] != right.words[i]) return left.words[i] < right.words[i];
    }
    return left.words[Words - 1] < right.words[Words - 1];
  }
};

/// Calls a function with each bit that is set, in order.
template <std::size_t Words, typename Function>
void for_each_bit(const PackedParity<Words>& parity, Function function) {
  for (std::size_t word = 0; word < Words; ++word) {
    for (std::uint64_t rest = parity.words[word]; rest != 0; rest &= rest - 1) {
      function(64 * word + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }
}

}  // namespace quartz::optimizer
