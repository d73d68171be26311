#include "optimize/layer_rewriting/network_synthesis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "optimize/pauli_network/controlled_paulis.hpp"
#include "optimize/pauli_network/layered_network.hpp"
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

/// Ranges of the reach and the noise of random networks. A CNOT changes the sum by which it is
/// chosen by at most 2 for each rotation.
constexpr double kLeastReach = 0.5;
constexpr double kMostReach = 8;
constexpr double kMostNoise = 3;

/// A sequence, and the number of pairs of controlled Pauli operators that were merged.
struct MergedColumns {
  RotationColumns columns;
  std::size_t pairs = 0;
};

/// Returns the sequence of gates in {h, x, rz, cx}, or nothing if they have none.
std::optional<MergedColumns> merged_columns(std::span<const Operation> gates, Qubit qubits,
                                            ControlledPaulis paulis) {
  if (paulis == ControlledPaulis::merged && qubits <= kMaxQubitsOfPauliString &&
      count_rotations(gates) <= kMaxRotationsToMerge) {
    std::optional<RotationSequence> sequence = rotation_sequence(gates, qubits);
    if (!sequence) return std::nullopt;
    const std::size_t pairs = merge_controlled_paulis(*sequence).pairs;
    return MergedColumns{rotation_columns(*sequence), pairs};
  }
  std::optional<RotationColumns> columns = rotation_columns(gates, qubits);
  if (!columns) return std::nullopt;
  return MergedColumns{*std::move(columns)};
}

/// Returns gates in {h, x, rz, cx} whose product is the inverse.
std::vector<Operation> inverted(std::span<const Operation> gates) {
  std::vector<Operation> result(gates.rbegin(), gates.rend());
  for (Operation& gate : result) {
    if (gate.gate == GateKind::rz) gate.angles[0] = -gate.angles[0];
  }
  return result;
}

}  // namespace

std::optional<std::string> obstacle_to_networks(const Problem& problem,
                                                std::size_t most_operations) {
  if (problem.coupling != nullptr) return "it does not keep gates on the pairs of a coupling map";
  return obstacle_to_synthesis(problem, most_operations);
}

std::optional<std::string> obstacle_to_synthesis(const Problem& problem,
                                                 std::size_t most_operations) {
  if (problem.record.rules) return "it records no rules";
  const std::size_t operations = problem.circuit.operations.size();
  if (operations <= most_operations) return {};
  return "the circuit has " + std::to_string(operations) + " operations, and the most are " +
         std::to_string(most_operations);
}

NetworkSynthesis::NetworkSynthesis(const Problem& problem)
    : problem_(problem), set_(load_gate_set(kNetworkSet)) {}

Circuit NetworkSynthesis::circuit_of(const QubitGroup& group, const Budget& budget) const {
  Circuit circuit = make_circuit(static_cast<Qubit>(group.qubits.size()), group.gates);
  const bool is_in_set =
      std::ranges::all_of(group.gates, [&](const Operation& gate) { return set_.contains(gate); });
  return is_in_set ? circuit : translate(circuit, set_, budget.stop);
}

std::size_t NetworkSynthesis::rotations_of(const QubitGroup& group, const Budget& budget) const {
  return count_rotations(circuit_of(group, budget).operations);
}

std::optional<NetworkInput> NetworkSynthesis::input_of(const QubitGroup& group,
                                                       ControlledPaulis paulis,
                                                       const Budget& budget) const {
  Circuit circuit = circuit_of(group, budget);
  std::optional<MergedColumns> merged =
      merged_columns(circuit.operations, circuit.qubit_count(), paulis);
  if (!merged) return std::nullopt;
  return NetworkInput{std::move(circuit), std::move(merged->columns), paulis, merged->pairs};
}

std::optional<circuit::PhasedGates> NetworkSynthesis::cheapest(const NetworkInput& input,
                                                               const NetworkBudget& budget) const {
  std::array<std::size_t, kReaches.size()> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t first = problem_.findings->best_reach;
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first),
              order.begin() + static_cast<std::ptrdiff_t>(first) + 1);
  return cheapest_of(
      input,
      [&](const RotationColumns& sequence, std::size_t number) {
        return pauli_network(sequence, kReaches.at(order.at(number)), budget.first);
      },
      budget);
}

std::optional<EndedNetwork> NetworkSynthesis::with_reach(const NetworkInput& input,
                                                         std::size_t reach,
                                                         const Budget& budget) const {
  std::optional<EndedNetwork> made =
      ended_pauli_network(input.sequence, kReaches.at(reach), budget);
  if (!made) return std::nullopt;
  const Qubit qubits = input.circuit.qubit_count();
  const auto translated = [&](std::span<const Operation> gates) {
    return translate(make_circuit(qubits, {gates.begin(), gates.end()}), problem_.set, budget.stop)
        .operations;
  };
  const std::span<const Operation> all = made->network.gates;
  std::vector<Operation> gates = translated(all.first(made->end));
  const std::vector<Operation> after = translated(all.subspan(made->end));
  made->end = gates.size();
  gates.insert(gates.end(), after.begin(), after.end());
  made->network.gates = std::move(gates);
  return made;
}

std::optional<circuit::PhasedGates> NetworkSynthesis::cheapest_random(
    const NetworkInput& input, FastRandom& random, const NetworkBudget& budget) const {
  return cheapest_of(
      input,
      [&](const RotationColumns& sequence, std::size_t) {
        const double reach = kLeastReach * std::pow(kMostReach / kLeastReach, random.unit());
        const double noise = kMostNoise * random.unit();
        return random_pauli_network(sequence, reach, noise, random, budget.first);
      },
      budget);
}

std::optional<circuit::PhasedGates> NetworkSynthesis::cheapest_layered(
    const NetworkInput& input, const NetworkBudget& budget) const {
  return cheapest_of(
      input,
      [&](const RotationColumns& sequence,
          std::size_t number) -> std::optional<circuit::PhasedGates> {
        auto layered = layered_network(sequence, {.reach = kReaches.at(number)}, budget.first);
        if (!layered) return std::nullopt;
        return std::move(layered->network);
      },
      budget);
}

std::optional<circuit::PhasedGates> NetworkSynthesis::cheapest_of(
    const NetworkInput& input, const Synthesis& synthesis, const NetworkBudget& budget) const {
  const Qubit qubits = input.circuit.qubit_count();
  // The inverse of the network of the inverse is another network: the last rotations come first,
  // and the Clifford operator is at the start.
  const std::optional<MergedColumns> inverse =
      merged_columns(inverted(input.circuit.operations), qubits, input.paulis);
  if (!inverse) return std::nullopt;
  std::optional<circuit::PhasedGates> best;
  SearchCost best_cost;
  for (std::size_t i = 0; i < 2 * kReaches.size(); ++i) {
    if (best && budget.others.spent()) break;
    const bool is_backwards = i % 2 != 0;
    std::optional<circuit::PhasedGates> network =
        synthesis(is_backwards ? inverse->columns : input.sequence, i / 2);
    if (!network) break;
    if (is_backwards) {
      network->gates = inverted(network->gates);
      network->phase = -network->phase;
    }
    const Circuit back =
        translate(make_circuit(qubits, std::move(network->gates)), problem_.set, budget.first.stop);
    const SearchCost cost = cost_of_gates(problem_, back.operations);
    if (best && !(cost < best_cost)) continue;
    best_cost = cost;
    network->gates = back.operations;
    network->phase += back.global_phase;
    best = std::move(network);
  }
  if (best) best->phase += input.circuit.global_phase;
  return best;
}

}  // namespace quartz::optimizer
