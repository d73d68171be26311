#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "optimize/pauli_network/pauli_string.hpp"

namespace quartz::optimizer {

/// Returns the phase, in eighths of a turn, by which a sequence of Clifford gates multiplies
/// |0...0>, or nothing if it does not keep that state. The gate s is rz by quarter turns, which is
/// diag(e^{-i pi/4 k}, e^{i pi/4 k}). The number of qubits is not limited.
///
/// The state is followed as its stabilizers and one basis state with its amplitude: a Hadamard gate
/// needs the amplitude of one other basis state, which follows from the stabilizer that leads to
/// it, if there is one. The stabilizers are kept in a reduced form, from which it can be read, so
/// that each gate takes O(n^2) bit operations at most.
[[nodiscard]] std::optional<unsigned> phase_on_zero_state(std::span<const CliffordGate> gates,
                                                          std::uint32_t qubits);

}  // namespace quartz::optimizer
