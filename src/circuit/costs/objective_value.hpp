#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"

namespace quartz::circuit {

/// The weight of the heaviest chain of operations over the qubits and classical bits of a circuit.
/// Every operation, barriers included, comes after those before it on its qubits, and after those
/// that write the classical bits it reads.
class CriticalPath {
 public:
  /// The circuit, of which only the qubits and bits matter, outlives the path.
  explicit CriticalPath(const Circuit& circuit)
      : circuit_(&circuit), level_(circuit.qubit_count(), 0), bit_level_(circuit.bit_count(), 0) {}

  /// Appends an operation of some weight. Throws UsageError for a chain of more than 64 bits.
  void append(const Operation& operation, std::uint64_t weight);

  [[nodiscard]] std::uint64_t length() const { return longest_; }

 private:
  [[nodiscard]] std::uint64_t level_of_bits_read(const Operation& operation) const;

  const Circuit* circuit_;
  std::uint64_t longest_ = 0;
  std::vector<std::uint64_t> level_;
  std::vector<std::uint64_t> bit_level_;
};

/// What the operations so far add to an objective.
class ObjectiveValue {
 public:
  /// The arguments outlive the value. The circuit, of which only the qubits and bits matter, may be
  /// null for additive objectives.
  ObjectiveValue(const Objective& objective, const Circuit* circuit) : objective_(&objective) {
    if (!objective.additive()) path_.emplace(*circuit);
  }

  /// Throws UsageError for a sum, or a chain, of more than 64 bits, and for a gate without a
  /// weight.
  void append(std::span<const Operation> operations);

  [[nodiscard]] std::uint64_t units() const { return path_ ? path_->length() : sum_; }

 private:
  template <typename UnitsOf>
  void append(std::span<const Operation> operations, const UnitsOf& units_of);

  const Objective* objective_;
  std::optional<CriticalPath> path_;
  std::uint64_t sum_ = 0;
};

/// Calls `visit` with parts of the operations, each of which is in the processor's cache when
/// `visit` reads it a second time.
template <typename Visit>
void for_each_part(std::span<const Operation> operations, const Visit& visit) {
  constexpr std::size_t kPart = 512;
  while (!operations.empty()) {
    const std::size_t size = std::min(kPart, operations.size());
    visit(operations.first(size));
    operations = operations.subspan(size);
  }
}

}  // namespace quartz::circuit
