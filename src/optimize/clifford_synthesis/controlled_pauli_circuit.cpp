#include "optimize/clifford_synthesis/controlled_pauli_circuit.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

[[nodiscard]] SymplecticAxis image_of(const AxisImages& map, SymplecticAxis axis) {
  return map[static_cast<std::size_t>(axis)];
}

/// Random choices of the gates that SWAP gates follow.
constexpr std::size_t kSwapChoices = 50;

/// Circuits of h and s.
using AxisGates = std::vector<CliffordKind>;

SymplecticAxis pushed(SymplecticAxis axis, CliffordKind gate) {
  if (gate == CliffordKind::h) {
    return axis == SymplecticAxis::x   ? SymplecticAxis::z
           : axis == SymplecticAxis::z ? SymplecticAxis::x
                                       : SymplecticAxis::y;
  }
  return axis == SymplecticAxis::x   ? SymplecticAxis::y
         : axis == SymplecticAxis::y ? SymplecticAxis::x
                                     : SymplecticAxis::z;
}

/// Returns the shortest gates that map all axes as required by `is_right`.
template <typename IsRight>
const AxisGates& shortest_axis_gates(const IsRight& is_right) {
  static const std::array<AxisGates, 6> all{{{},
                                             {CliffordKind::h},
                                             {CliffordKind::s},
                                             {CliffordKind::s, CliffordKind::h},
                                             {CliffordKind::h, CliffordKind::s},
                                             {CliffordKind::h, CliffordKind::s, CliffordKind::h}}};
  const auto found = std::ranges::find_if(all, [&](const AxisGates& gates) {
    return is_right([&](SymplecticAxis axis) {
      for (const CliffordKind gate : gates) axis = pushed(axis, gate);
      return axis;
    });
  });
  ensure(found != all.end(), "Clifford gates exchange the axes of a qubit in any way");
  return *found;
}

const AxisGates& gates_to(SymplecticAxis from, SymplecticAxis to) {
  return shortest_axis_gates([&](const auto& image) { return image(from) == to; });
}

/// Writes the gates of a circuit, whose qubits are followed through its SWAP gates.
class GateWriter {
 public:
  GateWriter(std::uint32_t qubits, const Neighbours* targets)
      : targets_(targets), wires_(qubits), frames_(qubits, kSymplecticAxes) {
    std::iota(wires_.begin(), wires_.end(), 0U);
  }

  [[nodiscard]] std::uint32_t wire_of(std::uint32_t qubit) const { return wires_[qubit]; }
  [[nodiscard]] MapGates result() && { return std::move(result_); }

  void write(const ControlledPauli& gate, bool is_followed_by_swap) {
    const SymplecticAxis first = image_of(frames_[gate.first], gate.first_axis);
    const SymplecticAxis second = image_of(frames_[gate.second], gate.second_axis);
    const std::size_t forwards =
        gates_to(first, SymplecticAxis::z).size() + gates_to(second, SymplecticAxis::x).size();
    const std::size_t backwards =
        gates_to(first, SymplecticAxis::x).size() + gates_to(second, SymplecticAxis::z).size();
    const bool is_forwards = may_have_target(gate.first, gate.second) &&
                             (forwards <= backwards || !may_have_target(gate.second, gate.first));
    const std::uint32_t control = is_forwards ? gate.first : gate.second;
    const std::uint32_t target = is_forwards ? gate.second : gate.first;
    write_local(control, gates_to(is_forwards ? first : second, SymplecticAxis::z));
    write_local(target, gates_to(is_forwards ? second : first, SymplecticAxis::x));
    if (!is_followed_by_swap) {
      write_cnot(control, target);
      return;
    }
    // A CNOT and the first one of the SWAP gate cancel each other.
    write_cnot(target, control);
    write_cnot(control, target);
    std::swap(wires_[control], wires_[target]);
  }
  void swap(std::uint32_t first, std::uint32_t second) {
    write_cnot(first, second);
    write_cnot(second, first);
    write_cnot(first, second);
    std::swap(wires_[first], wires_[second]);
  }
  /// Finishes a qubit, whose axes must become these.
  void finish(std::uint32_t qubit, const AxisImages& axes) {
    write_local(qubit, shortest_axis_gates([&](const auto& image) {
                  return std::ranges::all_of(kSymplecticAxes, [&](SymplecticAxis axis) {
                    return image(image_of(frames_[qubit], axis)) == image_of(axes, axis);
                  });
                }));
  }

 private:
  [[nodiscard]] bool may_have_target(std::uint32_t control, std::uint32_t target) const {
    return targets_ == nullptr || std::ranges::count((*targets_)[control], target) > 0;
  }
  void write_cnot(std::uint32_t control, std::uint32_t target) {
    result_.gates.push_back({CliffordKind::cx, wires_[control], wires_[target]});
    ++result_.cnots;
  }
  void write_local(std::uint32_t qubit, const AxisGates& gates) {
    for (const CliffordKind gate : gates) {
      result_.gates.push_back({gate, wires_[qubit]});
      for (SymplecticAxis& axis : frames_[qubit]) axis = pushed(axis, gate);
    }
  }

  MapGates result_;
  const Neighbours* targets_;
  std::vector<std::uint32_t> wires_;  ///< where each qubit is
  std::vector<AxisImages> frames_;    ///< the axes that those of each qubit have become
};

/// Returns the gates of a circuit in which a SWAP gate that could follow a gate does so unless
/// `skips` is true.
template <typename Skips>
MapGates gates_with_swaps(const ControlledPauliCircuit& circuit, const Neighbours* targets,
                          const Skips& skips) {
  const auto qubits = static_cast<std::uint32_t>(circuit.places.size());
  GateWriter writer(qubits, targets);
  std::vector<std::uint32_t> qubit_on(qubits);  // the qubit on each wire
  std::iota(qubit_on.begin(), qubit_on.end(), 0U);
  // A SWAP gate on two qubits of one cycle of what is left of the exchange divides the cycle.
  const auto are_in_one_cycle = [&](std::uint32_t first, std::uint32_t second) {
    std::uint32_t qubit = first;
    do {
      qubit = qubit_on[circuit.places[qubit]];
      if (qubit == second) return true;
    } while (qubit != first);
    return false;
  };
  for (const ControlledPauli& gate : circuit.gates) {
    const bool swaps = are_in_one_cycle(gate.first, gate.second) && !skips();
    writer.write(gate, swaps);
    if (!swaps) continue;
    qubit_on[writer.wire_of(gate.first)] = gate.first;
    qubit_on[writer.wire_of(gate.second)] = gate.second;
  }
  for (std::uint32_t qubit = 0; qubit < qubits; ++qubit) {
    while (writer.wire_of(qubit) != circuit.places[qubit]) {
      const std::uint32_t other = qubit_on[circuit.places[qubit]];
      writer.swap(qubit, other);
      qubit_on[writer.wire_of(qubit)] = qubit;
      qubit_on[writer.wire_of(other)] = other;
    }
    writer.finish(qubit, circuit.axes[qubit]);
  }
  return std::move(writer).result();
}

}  // namespace

std::size_t ControlledPauliCircuit::cnots() const {
  std::size_t number = gates.size() + places.size();
  std::vector<bool> is_known(places.size(), false);
  for (std::uint32_t first = 0; first < places.size(); ++first) {
    if (is_known[first]) continue;
    --number;  // one for each cycle
    for (std::uint32_t qubit = first; !is_known[qubit]; qubit = places[qubit]) {
      is_known[qubit] = true;
    }
  }
  return number;
}

ControlledPauliCircuit circuit_of(const PartialReduction& reduction) {
  const std::uint32_t qubits = reduction.map.qubits();
  ControlledPauliCircuit circuit{reduction.start, std::vector<std::uint32_t>(qubits),
                                 std::vector<AxisImages>(qubits)};
  std::vector<std::uint32_t> qubit_at(qubits);
  for (std::uint32_t qubit = 0; qubit < qubits; ++qubit) {
    std::uint32_t place = 0;
    while (reduction.map.operator_at(MapEnd::start, qubit, SymplecticAxis::x, place) == 0) ++place;
    circuit.places[qubit] = place;
    qubit_at[place] = qubit;
    for (std::size_t axis = 0; axis < kSymplecticAxes.size(); ++axis) {
      circuit.axes[qubit][axis] =
          axis_of(reduction.map.operator_at(MapEnd::start, qubit, kSymplecticAxes[axis], place));
    }
  }
  // The gates at the end come before the exchange, on other qubits and axes.
  const auto axis_before = [&](std::uint32_t qubit, SymplecticAxis axis) {
    const auto place = std::ranges::find(circuit.axes[qubit], axis);
    return kSymplecticAxes[static_cast<std::size_t>(place - circuit.axes[qubit].begin())];
  };
  for (auto at = reduction.end.rbegin(); at != reduction.end.rend(); ++at) {
    const ControlledPauli& gate = *at;
    const std::uint32_t first = qubit_at[gate.first];
    const std::uint32_t second = qubit_at[gate.second];
    circuit.gates.push_back({first, second, axis_before(first, gate.first_axis),
                             axis_before(second, gate.second_axis)});
  }
  return circuit;
}

MapGates gates_of(const ControlledPauliCircuit& circuit, const Neighbours* targets,
                  FastRandom& random) {
  MapGates best = gates_with_swaps(circuit, targets, [] { return false; });
  for (std::size_t i = 0; i < kSwapChoices && best.cnots > circuit.cnots(); ++i) {
    const std::uint32_t one_in = 2 + random.below(4);
    MapGates other = gates_with_swaps(circuit, targets, [&] { return random.below(one_in) == 0; });
    if (other.cnots < best.cnots) best = std::move(other);
  }
  return best;
}

}  // namespace quartz::optimizer
