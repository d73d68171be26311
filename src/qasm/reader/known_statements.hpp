#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::qasm {

/// Statements that were executed, by their text, and the gate that each of them appends. A program
/// of a million gates repeats some thousands of statements, each of which is parsed once.
class KnownStatements {
 public:
  /// Returns the gate of a statement, or null.
  [[nodiscard]] const Operation* find(std::string_view text) const {
    if (text.empty() || entries_.empty()) return nullptr;
    const Entry& entry = entries_[place_of(text)];
    return entry.age == age_ && entry.text == text ? &entry.gate : nullptr;
  }
  /// Adds a statement, perhaps in place of another one. Its text must stay where it is.
  void add(std::string_view text, const Operation& gate) {
    if (added_ == entries_.size() && added_ < kMostEntries) grow();
    ++added_;
    entries_[place_of(text)] = {age_, text, gate};
  }
  /// Forgets all statements, because the same words may mean something else from now on.
  void clear() { ++age_; }

 private:
  struct Entry {
    std::uint64_t age = 0;  ///< that of the list when the statement was added
    std::string_view text;
    Operation gate;
  };
  static constexpr std::size_t kLeastEntries = std::size_t{1} << 6U;
  static constexpr std::size_t kMostEntries = std::size_t{1} << 15U;

  /// Makes room for more statements, so that small programs do not pay for that of large ones.
  /// Forgets what was known, which is parsed once more.
  void grow() {
    entries_ = std::vector<Entry>(std::max(kLeastEntries, 8 * entries_.size()));
    added_ = 0;
  }
  [[nodiscard]] std::size_t place_of(std::string_view text) const {
    constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ULL;
    std::uint64_t hash = text.size();
    while (!text.empty()) {
      std::uint64_t word = 0;
      const std::string_view part = text.substr(0, sizeof word);
      std::memcpy(&word, part.data(), part.size());
      hash = (hash ^ word) * kFactor;
      hash ^= hash >> 32U;
      text.remove_prefix(part.size());
    }
    return hash & (entries_.size() - 1);
  }

  std::vector<Entry> entries_;  ///< by a hash of the text; empty before the first one
  std::size_t added_ = 0;       ///< statements added since they were allocated
  std::uint64_t age_ = 1;
};

}  // namespace quartz::qasm
