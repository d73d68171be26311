#include "quartz/circuit/circuit.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

std::uint32_t end_of(const std::vector<Register>& registers) {
  return registers.empty() ? 0 : registers.back().first + registers.back().size;
}

}  // namespace

std::uint32_t Circuit::qubit_count() const noexcept { return end_of(qubit_registers); }
std::uint32_t Circuit::bit_count() const noexcept { return end_of(bit_registers); }

Circuit without_operations(const Circuit& circuit) {
  Circuit frame;
  frame.qasm_version = circuit.qasm_version;
  frame.header_comments = circuit.header_comments;
  frame.qubit_registers = circuit.qubit_registers;
  frame.bit_registers = circuit.bit_registers;
  frame.parameters = circuit.parameters;
  frame.gates_in_turns = circuit.gates_in_turns;
  frame.hides_library_names = circuit.hides_library_names;
  frame.global_phase = circuit.global_phase;
  frame.declared_gates = circuit.declared_gates;
  return frame;
}

Circuit without_barriers(const Circuit& circuit) {
  const auto is_barrier = [](const Operation& operation) {
    return operation.kind == OperationKind::barrier;
  };
  Circuit result = without_operations(circuit);
  std::ranges::remove_copy_if(circuit.operations, std::back_inserter(result.operations),
                              is_barrier);
  for (DeclaredGate& gate : result.declared_gates) std::erase_if(gate.operations, is_barrier);
  return result;
}

Register tested_bits(const Circuit& circuit, const Condition& condition) {
  if (condition.expression != nullptr) {
    const std::vector<ClassicalBit> bits = bits_read(*condition.expression);
    if (bits.empty() || bits.back() >= circuit.bit_count()) {
      throw UsageError("a condition tests bits that the circuit does not have");
    }
    return {{}, bits.front(), bits.back() - bits.front() + 1};
  }
  const bool has_register = condition.bit_register < circuit.bit_registers.size();
  Register bits = has_register ? circuit.bit_registers[condition.bit_register] : Register();
  if (!has_register || condition.element.value_or(0) >= bits.size) {
    throw UsageError("a condition tests a register or a bit that the circuit does not have");
  }
  if (!condition.element) return bits;
  return {std::move(bits.name), bits.first + *condition.element, 1};
}

Circuit make_circuit(std::uint32_t qubits, std::vector<Operation> operations) {
  Circuit circuit;
  circuit.qubit_registers.push_back({"q", 0, qubits});
  circuit.operations = std::move(operations);
  return circuit;
}

}  // namespace quartz
