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

NetworkSynthesis::NetworkSynthesis(const Problem& problem)
    : problem_(problem), set_(load_gate_set(kNetworkSet)) {}

Circuit NetworkSynthesis::in_network_set(const QubitGroup& group, const Budget& budget) const {
  Circuit circuit = make_circuit(static_cast<Qubit>(group.qubits.size()), group.gates);
  const bool is_in_set =
      std::ranges::all_of(group.gates, [&](const Operation& gate) { return set_.contains(gate); });
  return is_in_set ? circuit : translate(circuit, set_, budget.stop);
}

std::optional<circuit::PhasedGates> NetworkSynthesis::cheapest(const QubitGroup& group,
                                                               const Budget& budget) const {
  const Circuit circuit = in_network_set(group, budget);
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
  if (best) best->phase += circuit.global_phase;
  return best;
}

std::size_t NetworkSynthesis::merged_pairs(const QubitGroup& group, const Budget& budget) const {
  const Circuit circuit = in_network_set(group, budget);
  std::optional<RotationSequence> sequence =
      rotation_sequence(circuit.operations, circuit.qubit_count());
  return sequence ? merge_controlled_paulis(*sequence) : 0;
}

}  // namespace quartz::optimizer
