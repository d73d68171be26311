#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fingerprint/level_enumerator.hpp"
#include "fingerprint/level_key.hpp"

/// The keys of a state's extensions, on the CPU. One piece of code for each set of instructions;
/// all of them give the same words.
namespace quartz {

/// The functionals of all letters for code that works on so many letters at a time (its lanes):
/// group after group of letters, in each the numerator's elements and then the denominator's, of
/// each element one word a lane. Lanes without a letter are zero.
struct LetterGroups {
  unsigned qubits = 0;
  std::size_t letters = 0;
  std::vector<Goldilocks> functionals;
};

/// By letter; the rest is not meant to be read.
struct LevelKeys {
  static constexpr std::size_t kMost = 64;
  alignas(64) std::array<std::uint64_t, kMost> tags;
  alignas(64) std::array<std::uint64_t, kMost> places;

  [[nodiscard]] LevelKey operator[](std::size_t letter) const {
    return {tags[letter], places[letter]};
  }
};

/// Forms the keys of a state extended by (at least) the letters in a mask.
using FormLevelKeys = void (*)(const LetterGroups& letters, const Goldilocks* state,
                               std::uint64_t mask, LevelKeys& keys);

/// One row of the list of sets of instructions.
struct InstructionSet {
  std::string_view name;
  std::size_t lanes = 1;
  bool (*available)();
  FormLevelKeys (*form_level_keys)(unsigned qubits);
};

/// THE list of them, the preferred ones first; the last one works everywhere.
[[nodiscard]] std::span<const InstructionSet> instruction_sets();
/// The first one available (for nothing), or the one named. Throws UsageError for a name that is
/// unknown or not available here.
[[nodiscard]] const InstructionSet& instruction_set(std::string_view name);

/// The functionals of a state that no letter extends, in the order of extension_quotient.
[[nodiscard]] std::vector<Goldilocks> identity_functionals(const FingerprintTables& tables);
/// The key of the class of the identity, with which enumeration by levels begins.
[[nodiscard]] LevelKey identity_key(const FingerprintTables& tables);

[[nodiscard]] LetterGroups make_letter_groups(const FingerprintTables& tables, std::size_t lanes);

}  // namespace quartz
