#pragma once

#include <compare>
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

/// The distinct pairs that a search replaced.
class UsedPairs {
 public:
  /// Adds a pair unless its key is present. `key` distinguishes pairs, as in ProvedPairs.
  void add(std::uint64_t key, std::span<const std::uint8_t> window,
           std::span<const std::uint8_t> replacement, int phase) {
    if (!keys_.insert(key).second) return;
    pairs_.push_back(
        {{window.begin(), window.end()}, {replacement.begin(), replacement.end()}, phase});
  }
  [[nodiscard]] const std::vector<UsedPair>& pairs() const { return pairs_; }

 private:
  std::unordered_set<std::uint64_t> keys_;
  std::vector<UsedPair> pairs_;
};

/// Returns the pairs as sorted classes of two circuits, shorter circuits first. Pairs that differ
/// only in the numbering of qubits, or in the order of gates that share no qubit, become one class.
[[nodiscard]] std::vector<EquivalenceClass> used_rules(std::span<const Operation> letters,
                                                       std::span<const UsedPair> pairs);

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
