#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string>
#include <vector>

#include "quartz/circuit/circuit.hpp"

/// Circuits that a program writes gate by gate.
namespace quartz::python {

/// Returns a circuit of OpenQASM 3 with a register "q" of qubits and one "c" of bits, as far as
/// there are any.
[[nodiscard]] Circuit empty_circuit(std::uint32_t qubits, std::uint32_t bits);

/// Returns a qubit from a number. Throws UsageError unless the circuit has it.
[[nodiscard]] Qubit qubit_from(const Circuit& circuit, std::int64_t number);

/// Appends an operation without conditions, and declares its free parameters. Throws UsageError for
/// another number of qubits or angles than the gate has, qubits or bits that the circuit does not
/// have, a qubit that is used twice, and an angle that is out of range.
void append(Circuit& circuit, Operation operation);
/// Appends an operation of `source`, which may have conditions on registers that both circuits have
/// with the same numbers.
void append_from(Circuit& circuit, const Circuit& source, const Operation& operation);

/// Returns the first circuit followed by the second, on the qubits and bits of the first. Throws
/// UsageError if the second needs others.
[[nodiscard]] Circuit joined(const Circuit& first, const Circuit& second);
/// Returns the inverse of a circuit of gates and barriers. Throws UsageError for other operations.
[[nodiscard]] Circuit inverse_of(const Circuit& circuit);

/// Adds __init__, append, measure, barrier and the like to the class Circuit.
void define_building(nanobind::class_<Circuit>& circuit);
/// Adds one method for each gate of the gate table to the class Circuit.
void define_gate_methods(nanobind::class_<Circuit>& circuit);

}  // namespace quartz::python
