#include "optimize/searches/network_synthesis.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "optimize/pauli_network/controlled_paulis.hpp"
#include "optimize/pauli_network/pauli_network.hpp"
#include "optimize/search/combinators.hpp"

namespace quartz::optimizer {
namespace {

/// The gates of a network; other gate sets are translated into it and back.
constexpr std::string_view kNetworkSet = "nam";

/// Rotations after which the weight of a rotation in the choice of a CNOT has halved. None of them
/// is best for all circuits: the short ones are for amplitude estimation, those around 2 for
/// Fourier transforms and Pauli exponentials.
constexpr std::array kReaches{0.6, 2.0, 0.9, 3.5, 12.0, 50.0};

/// Returns gates in {h, x, rz, cx} whose product is the inverse.
std::vector<Operation> inverted(std::span<const Operation> gates) {
  std::vector<Operation> result(gates.rbegin(), gates.rend());
  for (Operation& gate : result) {
    if (gate.gate == GateKind::rz) gate.angles[0] = -gate.angles[0];
  }
  return result;
}

/// Returns the network of a circuit, or the inverse of that of its inverse, which is another one:
/// the last rotations come first, and the Clifford operator is at the start.
std::optional<circuit::PhasedGates> network_of(const Circuit& circuit, double reach,
                                               bool is_backwards, const Budget& budget) {
  const Qubit qubits = circuit.qubit_count();
  if (!is_backwards) return pauli_network(circuit.operations, qubits, reach, budget);
  std::optional<circuit::PhasedGates> network =
      pauli_network(inverted(circuit.operations), qubits, reach, budget);
  if (network) {
    network->gates = inverted(network->gates);
    network->phase = -network->phase;
  }
  return network;
}

}  // namespace

/// A circuit on the qubits that some gates act on.
struct NetworkSynthesis::CompactCircuit {
  Circuit circuit;
  std::vector<Qubit> qubits;  ///< the number of each qubit of the circuit among the gates
};

NetworkSynthesis::NetworkSynthesis(const Problem& problem)
    : problem_(problem), set_(load_gate_set(kNetworkSet)) {}

NetworkSynthesis::CompactCircuit NetworkSynthesis::in_network_set(std::span<const Operation> gates,
                                                                  const Budget& budget) const {
  CompactCircuit result;
  for (const Operation& gate : gates) {
    result.qubits.insert(result.qubits.end(), gate.qubits.begin(), gate.qubits.end());
  }
  std::ranges::sort(result.qubits);
  const auto [first, last] = std::ranges::unique(result.qubits);
  result.qubits.erase(first, last);
  std::vector<Operation> operations(gates.begin(), gates.end());
  for (Operation& operation : operations) {
    for (Qubit& qubit : operation.qubits) {
      qubit = static_cast<Qubit>(std::ranges::lower_bound(result.qubits, qubit) -
                                 result.qubits.begin());
    }
  }
  result.circuit = make_circuit(static_cast<Qubit>(result.qubits.size()), std::move(operations));
  const bool is_in_set =
      std::ranges::all_of(gates, [&](const Operation& gate) { return set_.contains(gate); });
  if (!is_in_set) result.circuit = translate(result.circuit, set_, budget.stop);
  return result;
}

std::optional<circuit::PhasedGates> NetworkSynthesis::cheapest(std::span<const Operation> gates,
                                                               const Budget& budget) const {
  const CompactCircuit compact = in_network_set(gates, budget);
  const Circuit& circuit = compact.circuit;
  std::optional<circuit::PhasedGates> best;
  SearchCost best_cost;
  for (std::size_t i = 0; i < 2 * kReaches.size(); ++i) {
    std::optional<circuit::PhasedGates> network =
        network_of(circuit, kReaches.at(i / 2), i % 2 != 0, budget);
    if (!network) break;
    const Circuit back = translate(make_circuit(circuit.qubit_count(), std::move(network->gates)),
                                   problem_.set, budget.stop);
    const SearchCost cost = cost_of_gates(problem_, back.operations);
    if (best && !(cost < best_cost)) continue;
    best_cost = cost;
    network->gates = back.operations;
    network->phase += back.global_phase;
    best = std::move(network);
  }
  if (!best) return std::nullopt;
  best->phase += circuit.global_phase;
  for (Operation& gate : best->gates) {
    for (Qubit& qubit : gate.qubits) qubit = compact.qubits[qubit];
  }
  return best;
}

std::size_t NetworkSynthesis::merged_pairs(std::span<const Operation> gates,
                                           const Budget& budget) const {
  const Circuit circuit = in_network_set(gates, budget).circuit;
  std::optional<RotationSequence> sequence =
      rotation_sequence(circuit.operations, circuit.qubit_count());
  return sequence ? merge_controlled_paulis(*sequence) : 0;
}

}  // namespace quartz::optimizer
