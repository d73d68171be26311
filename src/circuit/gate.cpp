#include "quartz/circuit/gate.hpp"

#include <map>
#include <string>
#include <utility>

#include "circuit/gate_table.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {

std::span<const Gate> gate_table() {
  static const std::vector<Gate> table = circuit::make_gate_table();
  return table;
}

const Gate& gate(GateKind kind) {
  const std::span<const Gate> table = gate_table();
  const auto index = static_cast<std::size_t>(kind);
  return index < table.size() ? table[index] : circuit::custom_gate(kind);
}

const Gate* find_gate(std::string_view name) {
  static const std::map<std::string_view, const Gate*> by_name = [] {
    std::map<std::string_view, const Gate*> names;
    ensure(gate_table().size() == kBuiltInGates, "the gate table has the gates of gates.inc");
    for (const Gate& row : gate_table()) {
      ensure(names.emplace(row.name, &row).second, "gate names are unique");
      for (const std::string_view alias : row.aliases) {
        ensure(names.emplace(alias, &row).second, "gate aliases are unique");
      }
    }
    return names;
  }();
  const auto found = by_name.find(name);
  return found == by_name.end() ? nullptr : found->second;
}

std::map<std::string, Angle> angles_by_name(const Gate& row, std::span<const Angle> angles) {
  std::map<std::string, Angle> by_name;
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    by_name.emplace(row.parameters[i], angles[i]);
  }
  return by_name;
}

Operation on_own_operands(const Gate& row, AngleList angles) {
  Operation operation;
  operation.gate = row.kind;
  for (Qubit i = 0; i < row.qubits; ++i) operation.qubits.push_back(i);
  operation.angles = std::move(angles);
  return operation;
}

Decomposition instantiate(const Decomposition& pattern, const Operation& operation) {
  const Gate& row = gate(operation.gate);
  const std::map<std::string, Angle> angles = angles_by_name(row, operation.angles);
  Decomposition result;
  result.phase = pattern.phase.substitute(angles);
  for (const Operation& step : pattern.operations) {
    Operation filled = step;
    for (Qubit& qubit : filled.qubits) qubit = operation.qubits[qubit];
    for (Angle& angle : filled.angles) angle = angle.substitute(angles);
    result.operations.push_back(std::move(filled));
  }
  return result;
}

Decomposition inverse_of(const Operation& operation) {
  return instantiate(gate(operation.gate).inverse, operation);
}

}  // namespace quartz
