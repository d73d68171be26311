#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "optimize/instantiation/circuit_template.hpp"

namespace quartz::optimizer {

/// Returns the shortest sequence of two-qubit gates that has as many parameters as the unitaries of
/// some qubits, up to a phase. `gates` has one gate for each pair of qubits that may be used; the
/// sequence takes them in turns and is given by their indices. It has 14 CNOTs for three qubits,
/// the lower bound of Shende, Markov and Bullock (quant-ph/0308033), 11 gates that take any angle
/// or square roots of iswap, and 61 CNOTs for four qubits. A random start (instantiate.hpp)
/// practically always leads to a given unitary, on a chain of qubits too. Empty if the pairs do
/// not connect the qubits, or if no number of these gates has enough parameters.
[[nodiscard]] std::vector<std::size_t> generic_sequence(std::uint32_t qubits,
                                                        std::span<const TemplateGate> gates);

}  // namespace quartz::optimizer
