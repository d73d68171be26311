#pragma once

#include <complex>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "quartz/circuit/circuit.hpp"

/// Numeric unitaries in double precision, computed from the gate table. They serve checks and
/// numeric resynthesis; nothing exact depends on them.
namespace quartz {

using Complex = std::complex<double>;
/// Values of free parameters, in radians.
using Bindings = std::map<std::string, double>;

/// Returns the gate's 2^k x 2^k unitary in row-major order, with operand 0 as the least significant
/// bit of an index.
[[nodiscard]] std::vector<Complex> unitary_of(const Operation& operation,
                                              const Bindings& bindings = {});

/// Applies a gate to a state vector of 2^n amplitudes in place; qubit 0 is the least significant
/// bit of an index.
void apply_gate(const Operation& operation, std::span<Complex> state,
                const Bindings& bindings = {});

/// Returns the 2^n x 2^n unitary of the gates in program order, as a row-major matrix. Throws
/// UsageError for an optimization boundary and for more than 14 qubits (4 GiB).
[[nodiscard]] std::vector<Complex> unitary_of(std::span<const Operation> operations,
                                              std::uint32_t qubits, const Bindings& bindings = {});

}  // namespace quartz
