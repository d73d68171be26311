#include "classes/cpu/level_keys_avx512.hpp"

#ifdef __x86_64__
// GCC 12 warns about variables that its own header leaves uninitialized on purpose (bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

// These pragmas come after all includes whose code may be shared with other files.
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC target("avx512f")
#endif
#include "classes/cpu/level_keys_vector.hpp"

namespace quartz::classes::avx512 {
namespace {

struct Words {
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t kChains = 4;
  __m512i lanes;

  static Words all(std::uint64_t word) { return {_mm512_set1_epi64(static_cast<long long>(word))}; }
  static Words load(const std::uint64_t* words) { return {_mm512_loadu_si512(words)}; }
  void store(std::uint64_t* words) const { _mm512_storeu_si512(words, lanes); }
  template <unsigned bits>
  [[nodiscard]] Words shifted_left() const {
    return {_mm512_slli_epi64(lanes, bits)};
  }
  template <unsigned bits>
  [[nodiscard]] Words shifted_right() const {
    return {_mm512_srli_epi64(lanes, bits)};
  }
};

// Not friends, because GCC 12 compiles friend functions without the enabled instructions.
Words operator+(Words a, Words b) { return {_mm512_add_epi64(a.lanes, b.lanes)}; }
Words operator-(Words a, Words b) { return {_mm512_sub_epi64(a.lanes, b.lanes)}; }
constexpr __mmask16 kHighHalves = 0xaaaa;

Words multiply_low_halves(Words a, Words b) { return {_mm512_mul_epu32(a.lanes, b.lanes)}; }
Words high_halves(Words a) { return a.shifted_right<32>(); }
Words low_halves(Words a) { return {_mm512_and_si512(a.lanes, Words::all(0xffff'ffff).lanes)}; }
/// Combines the low half of `low` with the low half of `high`, shifted above it.
Words join(Words low, Words high) {
  return {_mm512_mask_blend_epi32(kHighHalves, low.lanes, high.shifted_left<32>().lanes)};
}
Words epsilon_where_less(Words a, Words b) {
  return {_mm512_maskz_mov_epi64(_mm512_cmplt_epu64_mask(a.lanes, b.lanes),
                                 Words::all(0xffff'ffff).lanes)};
}
/// Returns a - b + c.
Words minus_plus(Words a, Words b, Words c) {
  const Words first = a - b - epsilon_where_less(a, b);
  const Words sum = first + c;
  return sum + epsilon_where_less(sum, c);
}
Words epsilon_where_not_less(Words a, Words b) {
  return {_mm512_maskz_mov_epi64(_mm512_cmpge_epu64_mask(a.lanes, b.lanes),
                                 Words::all(0xffff'ffff).lanes)};
}
Words words_one_where_zero(Words a) {
  return {_mm512_mask_mov_epi64(a.lanes, _mm512_cmpeq_epu64_mask(a.lanes, _mm512_setzero_si512()),
                                Words::all(1).lanes)};
}
/// Returns a mask with a bit set for each lane where the words are equal.
unsigned equal_lanes(Words a, Words b) { return _mm512_cmpeq_epu64_mask(a.lanes, b.lanes); }

}  // namespace

bool available() { return __builtin_cpu_supports("avx512f") != 0; }

std::size_t form_level_keys(const ExtensionPlan& plan, const Goldilocks* states,
                            const std::uint64_t* masks, std::size_t count,
                            const LevelKeyLines& lines, LevelKeys& keys) {
  return classes::form_level_keys<VectorResidues<Words>>(plan, states, masks, count, lines, keys);
}

void sift_level_keys(const LevelKeyLines& lines, const LevelKeys& keys, std::size_t count,
                     SiftedKeys& sifted) {
  classes::sift_level_keys<VectorResidues<Words>>(lines, keys, count, sifted);
}

}  // namespace quartz::classes::avx512
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
