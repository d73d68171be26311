#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "quartz/circuit/operation.hpp"
#include "quartz/rules/rule_set.hpp"

namespace quartz::optimizer {

/// A window and its replacement as letters of a class table, without common prefix and suffix:
/// window = e^{i pi phase / 8} replacement.
struct UsedPair {
  std::vector<std::uint8_t> window;
  std::vector<std::uint8_t> replacement;
  int phase = 0;

  friend auto operator<=>(const UsedPair&, const UsedPair&) = default;
};

/// The distinct pairs that a search replaced, of which there may be millions.
class UsedPairs {
 public:
  /// Adds a pair unless its key is present. `key` distinguishes pairs, as in ProvedPairs.
  void add(std::uint64_t key, std::span<const std::uint8_t> window,
           std::span<const std::uint8_t> replacement, int phase);
  /// Adds those of other pairs that are not present.
  void add(const UsedPairs& others);

  [[nodiscard]] std::size_t size() const { return records_.size(); }
  /// Returns a pair, by its index in the order in which they were added.
  [[nodiscard]] UsedPair operator[](std::size_t index) const;
  /// Returns the number of bytes that the pairs take, apart from the set of their keys.
  [[nodiscard]] std::size_t bytes() const {
    return records_.size() * sizeof(Record) + letters_.size();
  }

 private:
  /// A pair, with the place of its letters: those of the window, then those of the replacement.
  struct Record {
    std::uint64_t key = 0;
    std::size_t first_letter = 0;
    std::uint16_t window_size = 0;
    std::uint16_t replacement_size = 0;
    int phase = 0;
  };
  [[nodiscard]] std::span<const std::uint8_t> window(const Record& record) const {
    return std::span(letters_).subspan(record.first_letter, record.window_size);
  }
  [[nodiscard]] std::span<const std::uint8_t> replacement(const Record& record) const {
    return std::span(letters_).subspan(record.first_letter + record.window_size,
                                       record.replacement_size);
  }

  std::unordered_set<std::uint64_t> keys_;
  std::vector<Record> records_;
  std::vector<std::uint8_t> letters_;
};

/// Returns the pairs as sorted classes of two circuits, shorter circuits first. Pairs that differ
/// only in the numbering of qubits, or in the order of gates that share no qubit, become one class.
[[nodiscard]] std::vector<EquivalenceClass> used_rules(std::span<const Operation> letters,
                                                       const UsedPairs& pairs);

/// A pair as gates: window = e^{i phase} replacement.
struct Replaced {
  std::vector<Operation> window;
  std::vector<Operation> replacement;
  Angle phase;
};
/// Returns a replacement for each pair, with a canonical numbering of its qubits: pairs that differ
/// only in the numbering, or in the order of gates that share no qubit, give equal results.
[[nodiscard]] std::vector<Replaced> replaced_circuits(std::span<const Operation> letters,
                                                      std::span<const UsedPair> pairs);

}  // namespace quartz::optimizer
