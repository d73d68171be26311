#pragma once

#include <cstddef>
#include <cstdint>

#include "classes/cpu/form_level_keys.hpp"

/// Vectors of residues modulo p, for any vector instruction set.
///
/// `Words` is a vector of unsigned 64-bit words. It can multiply 32-bit words, but not 64-bit ones.
/// form_level_keys.hpp describes where this file may be included.
namespace quartz::classes {

template <typename Words>
struct VectorResidues {
  static constexpr std::size_t kLanes = Words::kLanes;
  /// Number of vectors in which keys are formed at the same time.
  static constexpr std::size_t kChains = Words::kChains;

  Words words;

  static VectorResidues all(std::uint64_t word) { return {Words::all(word)}; }
  static VectorResidues load(const std::uint64_t* from) { return {Words::load(from)}; }
  void store(std::uint64_t* to) const { words.store(to); }

  /// Returns low - high + 2^64 middle, like Goldilocks::reduce_loosely.
  static VectorResidues reduce(Words low, Words high, Words middle) {
    const Words product = multiply_low_halves(middle, Words::all(0xffff'ffff));
    // A carry or borrow of 2^64 equals 2^32 - 1 modulo p.
    return {minus_plus(low, high, product)};
  }
  /// Returns the same residues as words below p.
  [[nodiscard]] VectorResidues canonical() const {
    return {words + epsilon_where_not_less(words, Words::all(Goldilocks::kModulus))};
  }
  [[nodiscard]] VectorResidues one_where_zero() const { return {words_one_where_zero(words)}; }

  /// Adds words below p. After a carry, adding 2^64 = 2^32 - 1 (mod p) does not carry again.
  [[nodiscard]] VectorResidues plus_canonical(VectorResidues other) const {
    const Words sum = words + other.words;
    return {sum + epsilon_where_less(sum, other.words)};
  }
  [[nodiscard]] VectorResidues minus_canonical(VectorResidues other) const {
    return {words - other.words - epsilon_where_less(words, other.words)};
  }

  /// Compares the tags of a line with `tag`; bit i is set if tag i is equal to it.
  static unsigned equal_tags(const std::uint64_t* tags, std::uint64_t tag) {
    const Words wanted = Words::all(tag);
    unsigned bits = 0;
    for (std::size_t i = 0; i < KeyLine::kTags; i += kLanes) {
      bits |= equal_lanes(Words::load(tags + i), wanted) << i;
    }
    return bits;
  }

  /// An unreduced product, lower + 2^32 upper, with room for the carries of a sum. `lower` may be
  /// negative.
  struct Summand {
    static constexpr std::size_t kWords = 2;
    Words lower;
    Words upper;

    static Summand product(VectorResidues a, VectorResidues b) {
      const Product product(a.words, b.words);
      // Modulo p, 2^64 = 2^32 - 1 and 2^96 = -1.
      const Words high_low = low_halves(product.high);
      return {low_halves(product.low) - high_low - high_halves(product.high),
              low_halves(product.middle) + high_low};
    }
    static Summand load(const std::uint64_t* from) {
      return {Words::load(from), Words::load(from + kLanes)};
    }
    void store(std::uint64_t* to) const {
      lower.store(to);
      upper.store(to + kLanes);
    }
  };
  /// A sum of at most 2^10 summands. It starts with p so that no part becomes negative.
  struct Sum {
    Words lower = Words::all((std::uint64_t{1} << 44U) + 1);
    Words upper = Words::all(0xffff'ffff - (std::uint64_t{1} << 12U));

    void add(Summand summand) {
      lower = lower + summand.lower;
      upper = upper + summand.upper;
    }
    /// Returns the sum as words below p.
    [[nodiscard]] VectorResidues value() const {
      // 2^64 = 2^32 - 1: the overflow of the upper part is added to `small`, which is below 2^46.
      const Words over = high_halves(upper);
      const Words small = lower + over.template shifted_left<32>() - over;
      const Words sum = upper.template shifted_left<32>() + small;
      return VectorResidues{sum + epsilon_where_less(sum, small)}.canonical();
    }
  };

  /// The product of two words: the low half of `low`, the low half of `middle`, then `high`.
  struct Product {
    Words low;
    Words middle;
    Words high;

    Product(Words a, Words b) {
      const Words a_high = high_halves(a);
      const Words b_high = high_halves(b);
      low = multiply_low_halves(a, b);
      // Neither sum exceeds 2^64 - 1.
      const Words first = multiply_low_halves(a_high, b) + high_halves(low);
      middle = multiply_low_halves(a, b_high) + low_halves(first);
      high = multiply_low_halves(a_high, b_high) + high_halves(first) + high_halves(middle);
    }
  };
};

// Not a friend, because GCC 12 compiles friend functions without the enabled instructions.
template <typename Words>
VectorResidues<Words> operator*(VectorResidues<Words> a, VectorResidues<Words> b) {
  const typename VectorResidues<Words>::Product product(a.words, b.words);
  return VectorResidues<Words>::reduce(join(product.low, product.middle), high_halves(product.high),
                                       product.high);
}

}  // namespace quartz::classes
