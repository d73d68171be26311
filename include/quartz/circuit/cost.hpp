#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "quartz/circuit/circuit.hpp"

namespace quartz {

/// The figures every report gives of a circuit. Walls (measure, barrier, ...) count in none,
/// except that conditional gates count as gates.
struct GateCounts {
  std::uint64_t total = 0;
  std::uint64_t two_qubit = 0;  ///< gates on two or more qubits
  std::uint64_t t = 0;          ///< t, tdg, and every rotation by no multiple of pi/2
  /// Longest chain of gates over qubits and classical bits; barriers and measures order but add 0.
  std::uint64_t depth = 0;
};

[[nodiscard]] GateCounts count_gates(const Circuit& circuit);
/// Whether the gate counts towards GateCounts::t.
[[nodiscard]] bool counts_as_t(const Operation& operation);

/// What the optimizer makes small.
enum class CostKind : std::uint8_t { total, two_qubit, t, depth };

struct CostName {
  CostKind kind;
  std::string_view name;  ///< as on the command line
  std::string_view description;
};

/// THE list of costs.
[[nodiscard]] std::span<const CostName> cost_names();
/// Throws UsageError for an unknown name, listing the known ones.
[[nodiscard]] CostKind parse_cost(std::string_view name);
[[nodiscard]] double cost_of(const Circuit& circuit, CostKind kind);

}  // namespace quartz
