#include "quartz/circuit/cost.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <string>

#include "quartz/circuit/gate.hpp"
#include "quartz/errors.hpp"

namespace quartz {
namespace {

constexpr std::array kCosts = {
    CostName{CostKind::total, "total", "number of gates"},
    CostName{CostKind::two_qubit, "two-qubit", "number of gates on two or more qubits"},
    CostName{CostKind::t, "t", "number of T gates and rotations by no multiple of pi/2"},
    CostName{CostKind::depth, "depth", "longest chain of gates"},
};

bool is_multiple_of_quarter_turn(const Angle& angle) {
  return angle.is_pi_multiple() && (angle.pi_part() * Rational(2)).is_integer();
}

/// The classical bits that decide whether the operation takes place.
auto bits_read(const Circuit& circuit, const Operation& operation) {
  Register read;
  if (operation.classical != nullptr && operation.classical->condition.has_value()) {
    read = circuit.bit_registers[operation.classical->condition->bit_register];
  }
  return std::views::iota(read.first, read.first + read.size);
}

}  // namespace

bool counts_as_t(const Operation& operation) {
  if (operation.kind != OperationKind::gate) return false;
  if (operation.gate == GateKind::t || operation.gate == GateKind::tdg) return true;
  return !std::all_of(operation.angles.begin(), operation.angles.end(),
                      is_multiple_of_quarter_turn);
}

GateCounts count_gates(const Circuit& circuit) {
  GateCounts counts;
  std::vector<std::uint64_t> level(circuit.qubit_count(), 0);
  std::vector<std::uint64_t> bit_level(circuit.bit_count(), 0);
  for (const Operation& operation : circuit.operations) {
    std::uint64_t start = 0;
    for (const Qubit qubit : operation.qubits) start = std::max(start, level[qubit]);
    for (const ClassicalBit bit : bits_read(circuit, operation)) {
      start = std::max(start, bit_level[bit]);
    }
    const bool counted = operation.kind == OperationKind::gate;
    if (counted) {
      ++counts.total;
      ++start;
      if (operation.qubits.size() >= 2) ++counts.two_qubit;
      if (counts_as_t(operation)) ++counts.t;
    }
    for (const Qubit qubit : operation.qubits) level[qubit] = start;
    if (operation.classical != nullptr) {
      for (const ClassicalBit bit : operation.classical->bits) {
        bit_level[bit] = std::max(bit_level[bit], start);
      }
    }
    counts.depth = std::max(counts.depth, start);
  }
  return counts;
}

std::span<const CostName> cost_names() { return kCosts; }

CostKind parse_cost(std::string_view name) {
  std::string known;
  for (const CostName& cost : kCosts) {
    if (cost.name == name) return cost.kind;
    known += (known.empty() ? "" : ", ") + std::string(cost.name);
  }
  throw UsageError("unknown cost '" + std::string(name) + "'; known costs: " + known);
}

double cost_of(const Circuit& circuit, CostKind kind) {
  const GateCounts counts = count_gates(circuit);
  switch (kind) {
    case CostKind::total:
      return static_cast<double>(counts.total);
    case CostKind::two_qubit:
      return static_cast<double>(counts.two_qubit);
    case CostKind::t:
      return static_cast<double>(counts.t);
    case CostKind::depth:
      return static_cast<double>(counts.depth);
  }
  throw InternalError("a cost kind without a meaning");
}

}  // namespace quartz
