#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "optimize/clifford_synthesis/neighbours.hpp"
#include "optimize/clifford_synthesis/reduction_step.hpp"
#include "optimize/pauli_network/pauli_string.hpp"

namespace quartz::optimizer {

/// A Clifford gate on a single qubit up to Pauli operators: the axis to which each one is mapped.
using AxisImages = std::array<SymplecticAxis, 3>;

/// Controlled Pauli operators, and behind them an exchange of qubits with Clifford gates on single
/// qubits. It is a Clifford operator up to Pauli operators.
struct ControlledPauliCircuit {
  std::vector<ControlledPauli> gates;
  std::vector<std::uint32_t> places;  ///< where each qubit ends
  std::vector<AxisImages> axes;       ///< what becomes of the axes of each qubit at the end

  /// Returns the number of CNOTs that it takes if each SWAP gate follows a gate on its qubits.
  [[nodiscard]] std::size_t cnots() const;
};

/// Returns the circuit of a reduction of which only an exchange of qubits is left.
[[nodiscard]] ControlledPauliCircuit circuit_of(const PartialReduction& reduction);

/// Gates of a circuit of controlled Pauli operators.
struct MapGates {
  std::vector<CliffordGate> gates;
  std::size_t cnots = 0;  ///< the number of those on two qubits
};

/// Returns gates that apply a circuit up to Pauli operators.
///
/// Its exchange of qubits is made of SWAP gates, each of which follows a gate on the same qubits if
/// some of several random choices of such gates has one: both together take two CNOTs. Between the
/// gates on two qubits there are as few gates on single ones as their axes need. With targets,
/// unless that is null, CNOTs have only these; a circuit for which they matter exchanges no qubits.
[[nodiscard]] MapGates gates_of(const ControlledPauliCircuit& circuit, const Neighbours* targets,
                                FastRandom& random);

}  // namespace quartz::optimizer
