#include "optimize/parallel_rotations/parallel_circuit.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "optimize/measured_ancillas/ancilla_writer.hpp"
#include "optimize/measured_ancillas/plain_stretches.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/pauli_network/layered_network.hpp"
#include "optimize/pauli_network/rotation_columns.hpp"

namespace quartz::optimizer {
namespace {

/// The choices of networks that are tried (LayerChoice::reach).
constexpr std::array kReachesInParallel{0.6, 2.0, 12.0};

/// The most work of a network (LayerChoice::most_work): about a second. Circuits with hundreds of
/// rotations on 30 qubits need a quarter of it.
constexpr std::uint64_t kMostWorkInParallel = 200'000'000;

bool is_rotation_of_layer(const Operation& gate) {
  return gate.gate == GateKind::rz && !quarter_turns(gate.angles[0]);
}

/// Returns the network with the fewest layers, and the fewest gates for these; nothing if none is
/// found in the budget.
std::optional<LayeredNetwork> best_network(const RotationColumns& sequence,
                                           std::size_t most_parities, const Budget& budget) {
  const auto size = [](const LayeredNetwork& made) {
    return std::tuple(made.layers.size(), made.network.gates.size());
  };
  std::optional<LayeredNetwork> best;
  for (const double reach : kReachesInParallel) {
    std::optional<LayeredNetwork> made = layered_network(
        sequence,
        {.reach = reach, .most_parities = most_parities, .most_work = kMostWorkInParallel}, budget);
    if (made && (!best || size(*made) < size(*best))) best = std::move(made);
  }
  return best;
}

/// Returns the qubits of gates in increasing order.
std::vector<Qubit> qubits_of(std::span<const Operation> gates) {
  std::set<Qubit> qubits;
  for (const Operation& gate : gates) qubits.insert(gate.qubits.begin(), gate.qubits.end());
  return {qubits.begin(), qubits.end()};
}

/// Returns gates with the place of each qubit in a list in increasing order as its number.
std::vector<Operation> on_own_qubits(std::span<const Operation> gates,
                                     const std::vector<Qubit>& qubits) {
  std::vector<Operation> result(gates.begin(), gates.end());
  for (Operation& gate : result) {
    for (Qubit& qubit : gate.qubits) {
      qubit = static_cast<Qubit>(std::ranges::lower_bound(qubits, qubit) - qubits.begin());
    }
  }
  return result;
}

/// Returns a network with the qubits of a list in place of their numbers.
LayeredNetwork on_qubits(LayeredNetwork made, const std::vector<Qubit>& qubits) {
  const auto rename = [&](auto& numbers) {
    for (Qubit& number : numbers) number = qubits.at(number);
  };
  for (Operation& gate : made.network.gates) rename(gate.qubits);
  for (NetworkLayer& layer : made.layers) {
    for (ParityRotation& parity : layer.of_parities) {
      rename(parity.qubits);
      rename(parity.rotation.qubits);
    }
  }
  return made;
}

/// A parity on an ancilla: that of an ancilla before it, if there is one, and of some qubits.
struct ParityCopy {
  std::size_t parity = 0;
  std::optional<std::size_t> from;  ///< its place in the order of the copies
  std::vector<Qubit> added;

  [[nodiscard]] std::size_t cnots() const { return added.size() + (from ? 1 : 0); }
};

/// Returns the parities in an order in which each takes few CNOTs after those before it: Prim's
/// algorithm for a tree with as few of them as possible.
std::vector<ParityCopy> order_of_copies(const std::vector<ParityRotation>& parities) {
  std::vector<ParityCopy> order;
  std::vector<ParityCopy> left;
  for (std::size_t i = 0; i < parities.size(); ++i) left.push_back({i, {}, parities[i].qubits});
  while (!left.empty()) {
    const auto best = std::ranges::min_element(left, {}, &ParityCopy::cnots);
    order.push_back(*best);
    left.erase(best);
    const std::vector<Qubit>& last = parities[order.back().parity].qubits;
    for (ParityCopy& copy : left) {
      const std::vector<Qubit>& own = parities[copy.parity].qubits;
      std::vector<Qubit> difference;
      std::ranges::set_symmetric_difference(own, last, std::back_inserter(difference));
      if (difference.size() + 1 >= copy.cnots()) continue;
      copy.from = order.size() - 1;
      copy.added = std::move(difference);
    }
  }
  return order;
}

/// Writes the stretches of a circuit in layers.
class ParallelWriter {
 public:
  ParallelWriter(const Circuit& circuit, std::uint32_t ancillas, const Budget& budget)
      : ancillas_(ancillas), budget_(budget), places_(circuit) {
    result_.circuit = without_operations(circuit);
  }

  /// Appends plain gates in layers. Returns false if there are too many rotations.
  bool append_stretch(std::span<const Operation> gates) {
    if (std::ranges::none_of(gates, is_rotation_of_layer)) {
      append(gates);
      return true;
    }
    // On its own qubits: the network has no gates on others then, as its proof requires.
    const std::vector<Qubit> qubits = qubits_of(gates);
    if (qubits.size() > kMaxQubitsOfNetwork) return false;
    const std::optional<RotationColumns> sequence =
        rotation_columns(on_own_qubits(gates, qubits), static_cast<std::uint32_t>(qubits.size()));
    if (!sequence) return false;
    if (std::optional<LayeredNetwork> made = best_network(*sequence, ancillas_, budget_)) {
      append_network(gates, on_qubits(*std::move(made), qubits));
    } else {
      append(gates);
    }
    return true;
  }

  /// Appends operations as they are.
  void append(std::span<const Operation> added) {
    operations().insert(operations().end(), added.begin(), added.end());
  }

  [[nodiscard]] ParallelCircuit take() && {
    places_.add_qubits(result_.circuit, result_.ancillas, "parity");
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::vector<Operation>& operations() { return result_.circuit.operations; }

  /// Appends the network of plain gates, with ancillas in its layers.
  void append_network(std::span<const Operation> plain, const LayeredNetwork& made) {
    const std::span<const Operation> gates = made.network.gates;
    result_.steps.push_back({.position = operations().size(),
                             .before = {plain.begin(), plain.end()},
                             .after = {gates.begin(), gates.end()}});
    std::size_t next = 0;
    for (const NetworkLayer& layer : made.layers) {
      append(gates.subspan(next, layer.position - next));
      next = layer.position + gate_count(layer);
      append_layer(layer, gates.subspan(layer.position, next - layer.position));
    }
    append(gates.subspan(next));
    result_.circuit.global_phase += made.network.phase;
    result_.layers += made.layers.size();
  }

  [[nodiscard]] static std::size_t gate_count(const NetworkLayer& layer) {
    std::size_t count = layer.of_qubits;
    for (const ParityRotation& each : layer.of_parities) count += 2 * each.qubits.size() - 1;
    return count;
  }

  void append_layer(const NetworkLayer& layer, std::span<const Operation> gates) {
    if (layer.of_parities.empty()) {
      append(gates);
      return;
    }
    result_.ancillas =
        std::max(result_.ancillas, static_cast<std::uint32_t>(layer.of_parities.size()));
    result_.steps.push_back({.position = operations().size(),
                             .before = {gates.begin(), gates.end()},
                             .after = with_copies(layer, gates.first(layer.of_qubits))});
    append(result_.steps.back().after);
  }

  /// Returns the gates of a layer with an ancilla for each parity. All CNOTs to ancillas come
  /// first, so that no chain of gates has two rotations.
  [[nodiscard]] std::vector<Operation> with_copies(const NetworkLayer& layer,
                                                   std::span<const Operation> of_qubits) const {
    std::vector<Operation> copies;
    std::vector<Operation> rotations(of_qubits.begin(), of_qubits.end());
    std::uint32_t ancillas = 0;
    for (const ParityCopy& copy : order_of_copies(layer.of_parities)) {
      const Qubit ancilla = places_.of(ancillas++).qubit;
      if (copy.from) {
        const auto from = static_cast<std::uint32_t>(*copy.from);
        copies.push_back(make_operation(GateKind::cx, {places_.of(from).qubit, ancilla}));
      }
      for (const Qubit qubit : copy.added) {
        copies.push_back(make_operation(GateKind::cx, {qubit, ancilla}));
      }
      rotations.push_back(layer.of_parities[copy.parity].rotation);
      rotations.back().qubits = {ancilla};
    }
    std::vector<Operation> gates = copies;
    gates.insert(gates.end(), rotations.begin(), rotations.end());
    gates.insert(gates.end(), copies.rbegin(), copies.rend());
    return gates;
  }

  std::uint32_t ancillas_;
  const Budget& budget_;
  AncillaPlaces places_;
  ParallelCircuit result_;
};

}  // namespace

std::optional<ParallelCircuit> with_parallel_rotations(const Circuit& circuit,
                                                       std::uint32_t ancillas,
                                                       const Budget& budget) {
  ParallelWriter writer(circuit, ancillas, budget);
  if (!append_stretches(circuit, writer)) return std::nullopt;
  ParallelCircuit result = std::move(writer).take();
  if (result.ancillas == 0) return std::nullopt;
  return result;
}

}  // namespace quartz::optimizer
