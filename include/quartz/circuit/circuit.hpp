#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// A named, contiguous range of qubits or classical bits.
struct Register {
  std::string name;
  std::uint32_t first = 0;  ///< index in the circuit of the register's element 0
  std::uint32_t size = 0;
  friend bool operator==(const Register&, const Register&) = default;
};

/// A free parameter.
struct Parameter {
  std::string name;
  std::string type = "float[64]";  ///< type in the declaration: "float[64]", "angle", "angle[20]"
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// A gate that the program declares, by its body. An opaque gate of this name
/// (OpaqueKind::gate) in a circuit that has the gate is a call of it.
struct DeclaredGate {
  std::string name;
  std::vector<std::string> parameters;  ///< symbols of the body, one for each angle of a call
  std::uint32_t qubits = 0;
  /// On the qubits 0, 1, ... of a call, without conditions: gates, barriers, opaque gates, and
  /// calls of gates that the circuit declares before this one.
  std::vector<Operation> operations;
  Angle global_phase;  ///< part of the gate, like that of a circuit
  friend bool operator==(const DeclaredGate&, const DeclaredGate&) = default;
};

/// A circuit: operations in program order on numbered qubits and classical bits, with the names of
/// the file that it was read from. Its unitary, if it has one, is e^{i global_phase} times the
/// product of its gates: a 2^n x 2^n matrix in which qubit 0 is the least significant bit of an
/// index.
struct Circuit {
  unsigned qasm_version = 2;                 ///< major version of the language it was read from
  std::vector<std::string> header_comments;  ///< comment lines at the top, without the slashes
  std::vector<Register> qubit_registers;
  std::vector<Register> bit_registers;
  std::vector<Parameter> parameters;  ///< in the order of their declarations
  /// Gates whose angles the file gives in turns, as IonQ does, and which it defines so; in
  /// ascending order. The angles of the operations themselves are in radians, like all angles.
  std::vector<GateKind> gates_in_turns;
  /// Whether the file includes the standard gates of its version and gives a register or a
  /// parameter the name of one of them, as in `qreg x[2]; x x[0];`. Such a circuit is written in
  /// the same way; all other circuits are written so that no name has two meanings.
  bool hides_library_names = false;
  std::vector<Operation> operations;
  Angle global_phase;
  /// The gates that the operations call (quartz/circuit/declared_gate.hpp); empty unless the reader
  /// was asked to keep calls.
  std::vector<DeclaredGate> declared_gates;

  /// Returns the number of qubits in all registers.
  [[nodiscard]] std::uint32_t qubit_count() const noexcept;
  /// Returns the number of classical bits in all registers.
  [[nodiscard]] std::uint32_t bit_count() const noexcept;
  friend bool operator==(const Circuit&, const Circuit&) = default;
};

/// Returns the circuit without its operations: names, comments, global phase and declared gates.
[[nodiscard]] Circuit without_operations(const Circuit& circuit);

/// Returns the circuit, and the gates that it declares, without their barriers, which have no
/// effect on any state.
[[nodiscard]] Circuit without_barriers(const Circuit& circuit);

/// Returns the classical bits that a condition tests, by their numbers in the circuit; for an
/// expression, the bits from the first that it reads to the last one. Throws UsageError if the
/// circuit does not have them.
[[nodiscard]] Register tested_bits(const Circuit& circuit, const Condition& condition);

/// Returns a circuit of these operations on `qubits` qubits in one register "q".
[[nodiscard]] Circuit make_circuit(std::uint32_t qubits, std::vector<Operation> operations);

}  // namespace quartz
