#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "python/bindings/building/building.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::python {
namespace {

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

void require_operands(const Circuit& circuit, const Operation& operation) {
  std::set<Qubit> seen;
  for (const Qubit qubit : operation.qubits) {
    static_cast<void>(qubit_from(circuit, qubit));
    if (!seen.insert(qubit).second) {
      throw UsageError("qubit " + std::to_string(qubit) + " is used twice by one operation");
    }
  }
  if (operation.classical == nullptr) return;
  for (const ClassicalBit bit : operation.classical->bits) {
    if (bit >= circuit.bit_count()) {
      throw UsageError("bit " + std::to_string(bit) + " is not in a circuit with " +
                       counted(circuit.bit_count(), "bit"));
    }
  }
}

void require_signature(const Operation& operation) {
  if (operation.kind != OperationKind::gate) return;
  const Gate& row = gate(operation.gate);
  if (operation.qubits.size() != row.qubits || operation.angles.size() != row.parameters.size()) {
    throw UsageError(std::string(row.name) + " takes " + counted(row.parameters.size(), "angle") +
                     " and " + counted(row.qubits, "qubit") + ", not " +
                     std::to_string(operation.angles.size()) + " and " +
                     std::to_string(operation.qubits.size()));
  }
}

void declare_parameters(Circuit& circuit, const AngleList& angles) {
  for (const Angle& angle : angles) {
    if (!angle.in_range()) {
      throw UsageError("the angle " + angle.to_string() + " is out of range");
    }
    for (const std::string& name : angle.symbols()) {
      const bool is_known = std::ranges::any_of(
          circuit.parameters, [&](const Parameter& each) { return each.name == name; });
      if (!is_known) circuit.parameters.push_back({name});
    }
  }
}

/// Returns a condition of one circuit for another one.
Condition moved(const Circuit& circuit, const Circuit& source, Condition condition) {
  const Register tested = tested_bits(source, condition);
  if (condition.expression != nullptr) {
    if (tested.first + tested.size <= circuit.bit_count()) return condition;
    throw UsageError("a condition tests bits that the circuit does not have");
  }
  const Register& wanted = source.bit_registers[condition.bit_register];
  const auto found = std::ranges::find(circuit.bit_registers, wanted);
  if (found == circuit.bit_registers.end()) {
    throw UsageError("a condition tests the register \"" + wanted.name +
                     "\", which the circuit does not have with the same bits");
  }
  condition.bit_register =
      static_cast<std::uint32_t>(std::distance(circuit.bit_registers.begin(), found));
  return condition;
}

}  // namespace

Circuit empty_circuit(std::uint32_t qubits, std::uint32_t bits) {
  Circuit circuit;
  circuit.qasm_version = 3;
  if (qubits > 0) circuit.qubit_registers.push_back({"q", 0, qubits});
  if (bits > 0) circuit.bit_registers.push_back({"c", 0, bits});
  return circuit;
}

Qubit qubit_from(const Circuit& circuit, std::int64_t number) {
  if (number < 0 || number >= circuit.qubit_count()) {
    throw UsageError("qubit " + std::to_string(number) + " is not in a circuit with " +
                     counted(circuit.qubit_count(), "qubit"));
  }
  return static_cast<Qubit>(number);
}

void append(Circuit& circuit, Operation operation) {
  require_signature(operation);
  require_operands(circuit, operation);
  declare_parameters(circuit, operation.angles);
  circuit.operations.push_back(std::move(operation));
}

void append_from(Circuit& circuit, const Circuit& source, const Operation& operation) {
  Operation appended = operation;
  if (!operation.conditions().empty()) {
    ClassicalPart classical = *operation.classical;
    for (Condition& condition : classical.conditions) {
      condition = moved(circuit, source, condition);
    }
    appended.classical = std::make_shared<const ClassicalPart>(std::move(classical));
  }
  append(circuit, std::move(appended));
}

Circuit joined(const Circuit& first, const Circuit& second) {
  Circuit result = first;
  for (const Operation& operation : second.operations) append_from(result, second, operation);
  declare_parameters(result, {second.global_phase});
  result.global_phase.add_phase(second.global_phase);
  result.qasm_version = std::max(first.qasm_version, second.qasm_version);
  return result;
}

Circuit inverse_of(const Circuit& circuit) {
  Circuit result = without_operations(circuit);
  result.global_phase = -circuit.global_phase;
  for (const Operation& operation : circuit.operations) {
    const bool is_gate = operation.kind == OperationKind::gate && !operation.is_boundary();
    if (!is_gate && operation.kind != OperationKind::barrier) {
      throw UsageError("a circuit with operations other than gates and barriers has no inverse");
    }
  }
  for (auto each = circuit.operations.rbegin(); each != circuit.operations.rend(); ++each) {
    if (each->kind == OperationKind::barrier) {
      result.operations.push_back(*each);
      continue;
    }
    Decomposition inverse = quartz::inverse_of(*each);
    result.global_phase.add_phase(inverse.phase);
    std::ranges::move(inverse.operations, std::back_inserter(result.operations));
  }
  return result;
}

}  // namespace quartz::python
