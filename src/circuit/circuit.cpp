#include "quartz/circuit/circuit.hpp"

namespace quartz {
namespace {

std::uint32_t end_of(const std::vector<Register>& registers) {
  return registers.empty() ? 0 : registers.back().first + registers.back().size;
}

}  // namespace

std::uint32_t Circuit::qubit_count() const noexcept { return end_of(qubit_registers); }
std::uint32_t Circuit::bit_count() const noexcept { return end_of(bit_registers); }

Circuit make_circuit(std::uint32_t qubits, std::vector<Operation> operations) {
  Circuit circuit;
  circuit.qubit_registers.push_back({"q", 0, qubits});
  circuit.operations = std::move(operations);
  return circuit;
}

}  // namespace quartz
