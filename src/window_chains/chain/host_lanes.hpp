#pragma once

#include <array>
#include <cstdint>

#include "window_chains/chain/chain_tables.hpp"

namespace quartz::window_chains {

/// One thread of the host in the place of all lanes of a chain.
struct HostLanes {
  using Amplitudes = std::array<Goldilocks, kAmplitudes>;

  void wait() const {}
  template <typename Function>
  void leader(const Function& function) const {
    function();
  }
  template <typename Function>
  void for_each_below(std::uint32_t end, const Function& function) const {
    for (std::uint32_t i = 0; i < end; ++i) function(i);
  }
  [[nodiscard]] Amplitudes load(const Goldilocks* amplitudes) const {
    Amplitudes loaded;
    for (unsigned i = 0; i < kAmplitudes; ++i) loaded[i] = amplitudes[i];
    return loaded;
  }
  void apply(const LetterRows& rows, Amplitudes& state) const {
    const Amplitudes before = state;
    for (unsigned i = 0; i < kAmplitudes; ++i) {
      const Goldilocks partner = before[rows.second_column[i]];
      switch (rows.form) {
        case LetterForm::diagonal:
          state[i] = rows.first[i] * before[i];
          break;
        case LetterForm::permutation:
          state[i] = partner;
          break;
        case LetterForm::signs:
          state[i] = rows.first[i].value() == 1 ? partner + before[i] : partner - before[i];
          break;
        case LetterForm::two_entries:
          state[i] = rows.first[i] * before[rows.first_column[i]] + rows.second[i] * partner;
          break;
      }
    }
  }
  /// Returns the sum of the products of the amplitudes with the functional.
  [[nodiscard]] Goldilocks product(const std::uint32_t* functional, const Amplitudes& state) const {
    Goldilocks sum;
    for (unsigned i = 0; i < kAmplitudes; ++i) sum += Goldilocks(functional[i]) * state[i];
    return sum;
  }
  [[nodiscard]] Goldilocks first(const Amplitudes& state) const { return state[0]; }
  /// Returns whether the state is a multiple of other amplitudes.
  [[nodiscard]] bool is_multiple(const Amplitudes& state, Goldilocks factor,
                                 const Goldilocks* amplitudes) const {
    for (unsigned i = 0; i < kAmplitudes; ++i) {
      if (factor * amplitudes[i] != state[i]) return false;
    }
    return true;
  }
  /// Returns the first index of a value in an array of 16; -1 if there is none.
  [[nodiscard]] int index_of(Goldilocks value, const Goldilocks* values) const {
    for (int i = 0; i < 16; ++i) {
      if (values[i] == value) return i;
    }
    return -1;
  }
  /// Returns the first word of a line whose leading bits are the tag, 0 if there is none. Sets
  /// `is_full` if the line has no free word.
  [[nodiscard]] std::uint64_t find(const std::uint64_t* line, std::uint64_t tag, unsigned shift,
                                   bool& is_full) const {
    is_full = line[kWordsOfLine - 1] != 0;
    for (unsigned i = 0; i < kWordsOfLine; ++i) {
      if (line[i] != 0 && line[i] >> shift == tag) return line[i];
    }
    return 0;
  }
};

}  // namespace quartz::window_chains
