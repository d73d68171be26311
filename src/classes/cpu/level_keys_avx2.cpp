#include "classes/cpu/level_keys_avx2.hpp"

#ifdef __x86_64__
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

// These pragmas come after all includes whose code may be shared with other files.
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#include "classes/cpu/level_keys_vector.hpp"

namespace quartz::classes::avx2 {
namespace {

struct Words {
  static constexpr std::size_t kLanes = 4;
  static constexpr std::size_t kChains = 3;
  __m256i lanes;

  static Words all(std::uint64_t word) {
    return {_mm256_set1_epi64x(static_cast<long long>(word))};
  }
  static Words load(const std::uint64_t* words) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(words))};
  }
  void store(std::uint64_t* words) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(words), lanes);
  }
  template <int bits>
  [[nodiscard]] Words shifted_left() const {
    return {_mm256_slli_epi64(lanes, bits)};
  }
  template <int bits>
  [[nodiscard]] Words shifted_right() const {
    return {_mm256_srli_epi64(lanes, bits)};
  }
};

// Not friends, because GCC 12 compiles friend functions without the enabled instructions.
Words operator+(Words a, Words b) { return {_mm256_add_epi64(a.lanes, b.lanes)}; }
Words operator-(Words a, Words b) { return {_mm256_sub_epi64(a.lanes, b.lanes)}; }
Words multiply_low_halves(Words a, Words b) { return {_mm256_mul_epu32(a.lanes, b.lanes)}; }
Words high_halves(Words a) { return a.shifted_right<32>(); }
Words low_halves(Words a) {
  return {_mm256_blend_epi32(a.lanes, _mm256_setzero_si256(), 0b10101010)};
}
/// Combines the low half of `low` with the low half of `high`, shifted above it.
Words join(Words low, Words high) {
  return {_mm256_blend_epi32(low.lanes, high.shifted_left<32>().lanes, 0b10101010)};
}
/// Sets all bits of a lane where a < b. The instruction compares signed words.
Words less(Words a, Words b) {
  const __m256i sign = Words::all(std::uint64_t{1} << 63U).lanes;
  return {_mm256_cmpgt_epi64(_mm256_xor_si256(b.lanes, sign), _mm256_xor_si256(a.lanes, sign))};
}
Words epsilon_where_less(Words a, Words b) { return high_halves(less(a, b)); }
/// Returns a - b + c. Signed comparisons order words correctly once they are shifted by 2^63, which
/// is done once for both comparisons.
Words minus_plus(Words a, Words b, Words c) {
  const __m256i half = Words::all(std::uint64_t{1} << 63U).lanes;
  const __m256i moved = _mm256_xor_si256(a.lanes, half);
  const Words difference = Words{moved} - b;
  const Words first = difference - high_halves({_mm256_cmpgt_epi64(difference.lanes, moved)});
  const Words sum = first + c;
  const Words last = sum + high_halves({_mm256_cmpgt_epi64(first.lanes, sum.lanes)});
  return {_mm256_xor_si256(last.lanes, half)};
}
Words epsilon_where_not_less(Words a, Words b) {
  return Words::all(0xffff'ffff) - epsilon_where_less(a, b);
}
Words words_one_where_zero(Words a) {
  return {_mm256_sub_epi64(a.lanes, _mm256_cmpeq_epi64(a.lanes, _mm256_setzero_si256()))};
}
/// Returns a mask with a bit set for each lane where the words are equal.
unsigned equal_lanes(Words a, Words b) {
  return static_cast<unsigned>(
      _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(a.lanes, b.lanes))));
}

}  // namespace

bool available() { return __builtin_cpu_supports("avx2") != 0; }

std::size_t form_level_keys(const ExtensionPlan& plan, const Goldilocks* states,
                            const std::uint64_t* masks, std::size_t count,
                            const LevelKeyLines& lines, LevelKeys& keys) {
  return classes::form_level_keys<VectorResidues<Words>>(plan, states, masks, count, lines, keys);
}

void sift_level_keys(const LevelKeyLines& lines, const LevelKeys& keys, std::size_t count,
                     SiftedKeys& sifted) {
  classes::sift_level_keys<VectorResidues<Words>>(lines, keys, count, sifted);
}

}  // namespace quartz::classes::avx2
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
