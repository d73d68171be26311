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
  std::uint32_t first = 0;  ///< index of its element 0 in the circuit
  std::uint32_t size = 0;
  friend bool operator==(const Register&, const Register&) = default;
};

/// A free parameter.
struct Parameter {
  std::string name;
  std::string type = "float[64]";  ///< as it is declared: "float[64]", "angle", "angle[20]"
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

/// A circuit: operations in program order over numbered qubits and classical bits, with the names
/// of the file it came from. Its unitary (where it has one) is e^{i global_phase} times the product
/// of its gates, 2^n x 2^n, qubit 0 the least significant bit of an index.
struct Circuit {
  unsigned qasm_version = 2;                 ///< major version of the language it was read from
  std::vector<std::string> header_comments;  ///< comment lines at the top, without the slashes
  std::vector<Register> qubit_registers;
  std::vector<Register> bit_registers;
  std::vector<Parameter> parameters;  ///< declared, in order
  /// Gates whose angles the file gives in turns, as IonQ does, and defines them so. Ascending. The
  /// operations' own angles are in radians, as all are.
  std::vector<GateKind> gates_in_turns;
  /// The file includes the standard gates of its version and gives a register or a parameter the
  /// name of one of them, as in `qreg x[2]; x x[0];`. It is then written in the same way; all other
  /// circuits are written so that no name means two things.
  bool hides_library_names = false;
  std::vector<Operation> operations;
  Angle global_phase;

  [[nodiscard]] std::uint32_t qubit_count() const noexcept;
  [[nodiscard]] std::uint32_t bit_count() const noexcept;
  friend bool operator==(const Circuit&, const Circuit&) = default;
};

/// The circuit without its operations: its names, its comments, its global phase.
[[nodiscard]] Circuit without_operations(const Circuit& circuit);

/// The classical bits that a condition tests, by their numbers in the circuit.
[[nodiscard]] Register tested_bits(const Circuit& circuit, const Condition& condition);

/// A circuit of n qubits in one register "q" with these gates.
[[nodiscard]] Circuit make_circuit(std::uint32_t qubits, std::vector<Operation> operations);

}  // namespace quartz
