#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "quartz/circuit/operation.hpp"
#include "quartz/rules/rule_set.hpp"

namespace quartz {

/// A window and what took its place, as letters of a class table, without their common ends:
/// window = e^{i pi phase / 8} replacement.
struct UsedPair {
  std::vector<std::uint8_t> window;
  std::vector<std::uint8_t> replacement;
  int phase = 0;

  friend auto operator<=>(const UsedPair&, const UsedPair&) = default;
};

/// The pairs that a search replaced, each once.
class UsedPairs {
 public:
  /// `key` tells pairs apart, as in ProvedPairs.
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

/// The pairs as classes of two circuits, each once up to the numbers of its qubits and the order of
/// gates that share none, shorter circuits first; sorted.
[[nodiscard]] std::vector<EquivalenceClass> used_rules(std::span<const Operation> letters,
                                                       std::span<const UsedPair> pairs);

/// A pair as gates: window = e^{i phase} replacement.
struct Replaced {
  std::vector<Operation> window;
  std::vector<Operation> replacement;
  Angle phase;
};
/// For each pair, with its qubits numbered so that two pairs that differ by that, or by the order
/// of gates that share no qubit, are one.
[[nodiscard]] std::vector<Replaced> replaced_circuits(std::span<const Operation> letters,
                                                      std::span<const UsedPair> pairs);

}  // namespace quartz
