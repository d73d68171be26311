#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "fingerprint/level_keys.hpp"

/// Keys of several letters at once, for any set of vector instructions.
///
/// `Words` is a vector of unsigned 64-bit words, one a letter. It has no product of 64-bit words,
/// only of 32-bit ones. A dot product of full words would have to take the carry out of each; so
/// the state's elements are cut into three limbs of 22 bits, whose products with halves of the
/// functionals leave room for 2^10 to be added up. There are six sums then, of products at the bit
/// positions 0, 22, 44, 32, 54 and 76, which are put together once.
///
/// To be included after the instructions are switched on for all that follows, and used with a
/// `Words` that no other file has, so that no code of one set gets into another's.
namespace quartz {

/// Residues modulo p as any 64-bit words: LooseGoldilocks, several at a time.
template <typename Words>
struct LooseGoldilocksWords {
  Words words;

  /// low - high + 2^64 middle, as Goldilocks::reduce_loosely.
  static LooseGoldilocksWords reduce(Words low, Words high, Words middle) {
    const Words difference = low - high;
    const Words first = difference - epsilon_where_less(low, high);
    const Words product = multiply_low_halves(middle, Words::all(0xffff'ffff));
    const Words sum = first + product;
    return {sum + epsilon_where_less(sum, product)};
  }
  /// Below p.
  [[nodiscard]] Words canonical() const { return words + epsilon_where_not_less(words, modulus()); }

  static Words modulus() { return Words::all(Goldilocks::modulus); }
};

template <typename Words>
LooseGoldilocksWords<Words> operator*(LooseGoldilocksWords<Words> a,
                                      LooseGoldilocksWords<Words> b) {
  const Words a_high = high_halves(a.words);
  const Words b_high = high_halves(b.words);
  const Words low = multiply_low_halves(a.words, b.words);
  // Neither sum is over 2^64 - 1.
  const Words middle = multiply_low_halves(a_high, b.words) + high_halves(low);
  const Words rest = multiply_low_halves(a.words, b_high) + low_halves(middle);
  const Words high = multiply_low_halves(a_high, b_high) + high_halves(middle) + high_halves(rest);
  return LooseGoldilocksWords<Words>::reduce(join(low, rest), high_halves(high), high);
}

/// A sum of products of the state's limbs with the halves of functionals.
template <typename Words>
class LimbSum {
 public:
  /// Each limb is the same word in all lanes.
  void add_products(Words limb0, Words limb1, Words limb2, Words functional) {
    const Words high = high_halves(functional);
    low_[0] = low_[0] + multiply_low_halves(limb0, functional);
    low_[1] = low_[1] + multiply_low_halves(limb1, functional);
    low_[2] = low_[2] + multiply_low_halves(limb2, functional);
    high_[0] = high_[0] + multiply_low_halves(limb0, high);
    high_[1] = high_[1] + multiply_low_halves(limb1, high);
    high_[2] = high_[2] + multiply_low_halves(limb2, high);
  }
  [[nodiscard]] LooseGoldilocksWords<Words> value() const {
    // Digits in base 2^32, each below 2^36. 2^64 = 2^32 - 1, 2^96 = -1 and 2^128 = -2^32 modulo p:
    // the value is (digit[0] - digit[2] - digit[3]) + 2^32 (digit[1] + digit[2] - digit[4]).
    const Words digit0 = low_halves(low_[0]) + low_halves(low_[1].template shifted_left<22>());
    const Words digit1 = high_halves(low_[0]) + low_halves(low_[1].template shifted_right<10>()) +
                         low_halves(low_[2].template shifted_left<12>()) + low_halves(high_[0]) +
                         low_halves(high_[1].template shifted_left<22>());
    const Words digit2 = low_[1].template shifted_right<42>() +
                         low_halves(low_[2].template shifted_right<20>()) + high_halves(high_[0]) +
                         low_halves(high_[1].template shifted_right<10>()) +
                         low_halves(high_[2].template shifted_left<12>());
    const Words digit3 = low_[2].template shifted_right<52>() +
                         high_[1].template shifted_right<42>() +
                         low_halves(high_[2].template shifted_right<20>());
    const Words digit4 = high_[2].template shifted_right<52>();
    // As low + 2^64 middle - high; digit[4] < 2^6, so that of 2^32 more in digit[1] enough is left.
    const Words upper = digit1 + digit2 + Words::all(std::uint64_t{1} << 32U) - digit4;
    const Words low = upper.template shifted_left<32>();
    const Words middle = high_halves(upper);
    // The 2^32 more are 2^64 = 2^32 - 1 too much.
    const Words high = digit2 + digit3 + Words::all(0xffff'ffff);
    const LooseGoldilocksWords<Words> result =
        LooseGoldilocksWords<Words>::reduce(low, high, middle);
    const Words sum = result.words + digit0;
    return {sum + epsilon_where_less(sum, digit0)};
  }

 private:
  std::array<Words, 3> low_ = {Words::all(0), Words::all(0), Words::all(0)};
  std::array<Words, 3> high_ = {Words::all(0), Words::all(0), Words::all(0)};
};

/// level_key for several letters.
template <typename Words>
void store_level_keys(LooseGoldilocksWords<Words> u, LooseGoldilocksWords<Words> v,
                      std::uint64_t* tags, std::uint64_t* places) {
  const LooseGoldilocksWords<Words> u3 = u * u * u;
  const LooseGoldilocksWords<Words> u6 = u3 * u3;
  const LooseGoldilocksWords<Words> u15 = u6 * u6 * u3;
  one_where_zero((u15 * v).canonical()).store(tags);
  (u15 * u).canonical().store(places);
}

template <std::size_t Dimension>
using StateLimbs = std::array<std::array<std::uint64_t, 3>, Dimension>;

template <typename Words, std::size_t Dimension>
LooseGoldilocksWords<Words> functional_value(const StateLimbs<Dimension>& limbs,
                                             const Goldilocks* functional) {
  LimbSum<Words> sum;
  for (std::size_t i = 0; i < Dimension; ++i) {
    sum.add_products(Words::all(limbs[i][0]), Words::all(limbs[i][1]), Words::all(limbs[i][2]),
                     Words::load(functional + i * Words::kLanes));
  }
  return sum.value();
}

/// All of it in one function: vectors that are handed from one to another go through memory.
template <typename Words, std::size_t Dimension>
[[gnu::flatten]] void form_level_keys(const LetterGroups& letters, const Goldilocks* state,
                                      std::uint64_t mask, LevelKeys& keys) {
  constexpr std::uint64_t limb = (std::uint64_t{1} << 22U) - 1;
  constexpr std::size_t lanes = Words::kLanes;
  StateLimbs<Dimension> limbs;
  for (std::size_t i = 0; i < Dimension; ++i) {
    const std::uint64_t word = state[i].value();
    limbs[i] = {word & limb, word >> 22U & limb, word >> 44U};
  }
  constexpr std::uint64_t group_mask = (std::uint64_t{1} << lanes) - 1;
  for (std::uint64_t rest = mask; rest != 0;) {
    const std::size_t group = static_cast<std::size_t>(std::countr_zero(rest)) / lanes;
    rest &= ~(group_mask << group * lanes);
    const Goldilocks* functionals = letters.functionals.data() + group * 2 * Dimension * lanes;
    // One after the other: six sums and what goes into them are all that the registers hold.
    const LooseGoldilocksWords<Words> numerator =
        functional_value<Words, Dimension>(limbs, functionals);
    const LooseGoldilocksWords<Words> denominator =
        functional_value<Words, Dimension>(limbs, functionals + Dimension * lanes);
    store_level_keys(numerator, denominator, keys.tags.data() + group * lanes,
                     keys.places.data() + group * lanes);
  }
}

template <typename Words>
FormLevelKeys form_level_keys_of(unsigned qubits) {
  constexpr std::array<FormLevelKeys, LevelTables::kMostQubits + 1> forms = {
      &form_level_keys<Words, 1>, &form_level_keys<Words, 2>, &form_level_keys<Words, 4>,
      &form_level_keys<Words, 8>, &form_level_keys<Words, 16>};
  return forms[qubits];
}

}  // namespace quartz
