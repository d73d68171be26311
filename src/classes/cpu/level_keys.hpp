#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "classes/backend/extension_plan.hpp"
#include "classes/backend/level_enumerator.hpp"
#include "classes/backend/level_key.hpp"
#include "classes/backend/level_key_lines.hpp"

/// Computes the keys of states' extensions on the CPU. Each instruction set has its own code; all
/// return identical words.
namespace quartz::classes {

/// Number of states extended together, one in each lane of the widest vectors.
inline constexpr std::size_t kStatesTogether = 8;

/// The words of one vector, aligned.
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

/// The keys of some states' extensions, ordered by state and then by letter, and the memory used to
/// form them.
struct LevelKeys {
  static constexpr std::size_t kMaxKeys = kStatesTogether * LevelTables::kMaxLetters;
  /// Number of keys formed at the same time. Code may write this many words more than there are
  /// keys.
  static constexpr std::size_t kMaxKeysTogether = 32;

  explicit LevelKeys(const ExtensionPlan& plan);

  [[nodiscard]] LevelKey operator[](std::size_t i) const {
    return {tags.data()[i], places.data()[i]};
  }

  /// The origin of a key: one of the states, and the letter that extends it.
  struct Source {
    std::uint8_t state;
    std::uint8_t letter;
  };

  std::array<Source, kMaxKeys> sources;
  VectorRoom tags;    ///< u, until the keys are formed
  VectorRoom places;  ///< v, until the keys are formed
  // The rest belongs to one vector of states, with one word for each lane.
  /// Products with a functional: the lower halves of each, then the upper halves.
  VectorRoom products;
  VectorRoom values;        ///< values of the sums, then of the multiples
  VectorRoom numerators;    ///< values of the numerator functional for all letters
  VectorRoom denominators;  ///< values of the denominator functional for all letters
};

/// Forms the keys of `count` states (at most kStatesTogether), stored one after another in
/// `states`, each extended by the letters in its mask, and prefetches the lines where the search
/// for the keys begins (none if there are no lines). Returns the number of keys.
using FormLevelKeys = std::size_t (*)(const ExtensionPlan& plan, const Goldilocks* states,
                                      const std::uint64_t* masks, std::size_t count,
                                      const LevelKeyLines& lines, LevelKeys& keys);

/// One bit for each of the keys of a block.
using LevelKeyBits = std::array<std::uint64_t, LevelKeys::kMaxKeys / 64 + 1>;

/// Marks the keys of a block that are not in the line where the search for them begins; they may be
/// elsewhere in the table. Keys that other threads insert at the same time may count as unknown.
struct SiftedKeys {
  static constexpr std::uint64_t kNoSlot = ~std::uint64_t{0};
  LevelKeyBits unknown;
  /// For each unknown key, the first empty slot of its line, counted through all lines, or kNoSlot
  /// if a search is needed. As long as that slot is empty, the key is new.
  std::array<std::uint64_t, LevelKeys::kMaxKeys> slots;
};

/// Sifts the first `count` keys. The result for a key of another share is meaningless.
using SiftLevelKeys = void (*)(const LevelKeyLines& lines, const LevelKeys& keys, std::size_t count,
                               SiftedKeys& sifted);

/// One row of the list of instruction sets.
struct InstructionSet {
  std::string_view name;
  bool (*available)();
  FormLevelKeys form_level_keys;
  SiftLevelKeys sift_level_keys;
};

/// Returns the list of all instruction sets, in order of preference. The last one works everywhere.
[[nodiscard]] std::span<const InstructionSet> instruction_sets();
/// Returns the instruction set with this name, or the first available one if the name is empty.
/// Throws UsageError if the name is unknown or the instructions are not available on this machine.
[[nodiscard]] const InstructionSet& instruction_set(std::string_view name);

}  // namespace quartz::classes
