#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fingerprint/extension_plan.hpp"
#include "fingerprint/level_enumerator.hpp"
#include "fingerprint/level_key.hpp"
#include "fingerprint/level_key_lines.hpp"

/// The keys of states' extensions, on the CPU. One piece of code for each set of instructions; all
/// of them give the same words.
namespace quartz {

/// States that are extended together, each a lane of the widest vectors.
inline constexpr std::size_t kStatesTogether = 8;

/// Words that vectors are made of.
struct alignas(64) VectorLine {
  std::array<std::uint64_t, kStatesTogether> words;
};
class VectorRoom {
 public:
  explicit VectorRoom(std::size_t words = 0) : lines_(words / kStatesTogether + 1) {}
  [[nodiscard]] std::uint64_t* data() { return lines_.front().words.data(); }
  [[nodiscard]] const std::uint64_t* data() const { return lines_.front().words.data(); }

 private:
  std::vector<VectorLine> lines_;
};

/// The keys of some states' extensions, state after state, each state's by rising letter; and room
/// to form them.
struct LevelKeys {
  static constexpr std::size_t kMostKeys = kStatesTogether * LevelTables::kMostLetters;
  /// Keys that are formed at the same time: code may write so many more than there are.
  static constexpr std::size_t kMostTogether = 32;

  explicit LevelKeys(const ExtensionPlan& plan);

  [[nodiscard]] LevelKey operator[](std::size_t i) const {
    return {tags.data()[i], places.data()[i]};
  }

  /// What a key is of: one of the states, and the letter that extends it.
  struct Source {
    std::uint8_t state;
    std::uint8_t letter;
  };

  std::array<Source, kMostKeys> sources;
  VectorRoom tags;    ///< u, until the keys are formed
  VectorRoom places;  ///< v, likewise
  // Of one vector of states, one word a lane:
  VectorRoom products;      ///< of a functional; the lower halves of each, then the upper ones
  VectorRoom values;        ///< of the sums, then of the multiples
  VectorRoom numerators;    ///< the functional's values for all letters
  VectorRoom denominators;  ///< likewise
};

/// Forms the keys of `count` states (at most kStatesTogether), one after another in `states`, each
/// extended by the letters in its mask, and prefetches the lines where the search for them begins
/// (none if there are no lines). Returns how many keys these are.
using FormLevelKeys = std::size_t (*)(const ExtensionPlan& plan, const Goldilocks* states,
                                      const std::uint64_t* masks, std::size_t count,
                                      const LevelKeyLines& lines, LevelKeys& keys);

/// One bit for each of the keys of a block.
using LevelKeyBits = std::array<std::uint64_t, LevelKeys::kMostKeys / 64 + 1>;

/// Which keys of a block do not stand in the line where the search for them begins; they may stand
/// elsewhere. Of keys that others insert meanwhile some may count as unknown.
struct SiftedKeys {
  static constexpr std::uint64_t kNoSlot = ~std::uint64_t{0};
  LevelKeyBits unknown;
  /// Of the unknown ones: the first empty slot of its line, counted through all lines, or kNoSlot
  /// where it has to be searched for. As long as that slot is empty the key is new.
  std::array<std::uint64_t, LevelKeys::kMostKeys> slots;
};

/// Of the first `count` keys. What it says of a key of another share means nothing.
using SiftLevelKeys = void (*)(const LevelKeyLines& lines, const LevelKeys& keys, std::size_t count,
                               SiftedKeys& sifted);

/// One row of the list of sets of instructions.
struct InstructionSet {
  std::string_view name;
  bool (*available)();
  FormLevelKeys form_level_keys;
  SiftLevelKeys sift_level_keys;
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

}  // namespace quartz
