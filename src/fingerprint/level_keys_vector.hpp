#pragma once

#include <cstddef>
#include <cstdint>

#include "fingerprint/form_level_keys.hpp"

/// Residues modulo p in vectors, for any set of vector instructions.
///
/// `Words` is a vector of unsigned 64-bit words. It has no product of 64-bit words, only of 32-bit
/// ones. See form_level_keys.hpp for where this may be included.
namespace quartz {

template <typename Words>
struct VectorResidues {
  static constexpr std::size_t kLanes = Words::kLanes;
  /// Keys are formed in so many vectors at a time.
  static constexpr std::size_t kChains = Words::kChains;

  Words words;

  static VectorResidues all(std::uint64_t word) { return {Words::all(word)}; }
  static VectorResidues load(const std::uint64_t* from) { return {Words::load(from)}; }
  void store(std::uint64_t* to) const { words.store(to); }

  /// low - high + 2^64 middle, as Goldilocks::reduce_loosely.
  static VectorResidues reduce(Words low, Words high, Words middle) {
    const Words difference = low - high;
    const Words first = difference - epsilon_where_less(low, high);
    const Words product = multiply_low_halves(middle, Words::all(0xffff'ffff));
    const Words sum = first + product;
    return {sum + epsilon_where_less(sum, product)};
  }
  /// Below p.
  [[nodiscard]] VectorResidues canonical() const {
    return {words + epsilon_where_not_less(words, Words::all(Goldilocks::modulus))};
  }
  [[nodiscard]] VectorResidues one_where_zero() const { return {words_one_where_zero(words)}; }

  /// Plus what is below p: after a carry 2^64 = 2^32 - 1 more does not carry again.
  [[nodiscard]] VectorResidues plus_canonical(VectorResidues other) const {
    const Words sum = words + other.words;
    return {sum + epsilon_where_less(sum, other.words)};
  }
  [[nodiscard]] VectorResidues minus_canonical(VectorResidues other) const {
    return {words - other.words - epsilon_where_less(words, other.words)};
  }

  /// What sums are made of: halves, which leave room for carries.
  struct Summand {
    static constexpr std::size_t kWords = 2;
    Words lower;
    Words upper;

    Summand(Words a, Words b) : lower(a), upper(b) {}
    explicit Summand(VectorResidues residue)
        : lower(low_halves(residue.words)), upper(high_halves(residue.words)) {}
    static Summand load(const std::uint64_t* from) {
      return {Words::load(from), Words::load(from + kLanes)};
    }
    void store(std::uint64_t* to) const {
      lower.store(to);
      upper.store(to + kLanes);
    }
  };
  /// Of at most 2^10 summands.
  struct Sum {
    Words lower = Words::all(0);
    Words upper = Words::all(0);

    void add(Summand summand) {
      lower = lower + summand.lower;
      upper = upper + summand.upper;
    }
    /// Below p.
    [[nodiscard]] VectorResidues value() const {
      // 2^64 = 2^32 - 1: what is over in the upper halves goes into `small`, which is below 2^43.
      const Words over = high_halves(upper);
      const Words small = lower + over.template shifted_left<32>() - over;
      const Words sum = upper.template shifted_left<32>() + small;
      return VectorResidues{sum + epsilon_where_less(sum, small)}.canonical();
    }
  };
};

// Not a friend: GCC 12 compiles those without the instructions.
template <typename Words>
VectorResidues<Words> operator*(VectorResidues<Words> a, VectorResidues<Words> b) {
  const Words a_high = high_halves(a.words);
  const Words b_high = high_halves(b.words);
  const Words low = multiply_low_halves(a.words, b.words);
  // Neither sum is over 2^64 - 1.
  const Words middle = multiply_low_halves(a_high, b.words) + high_halves(low);
  const Words rest = multiply_low_halves(a.words, b_high) + low_halves(middle);
  const Words high = multiply_low_halves(a_high, b_high) + high_halves(middle) + high_halves(rest);
  return VectorResidues<Words>::reduce(join(low, rest), high_halves(high), high);
}

}  // namespace quartz
