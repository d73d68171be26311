#include "optimize/clifford_synthesis/window_reduction.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "optimize/clifford_synthesis/map_reduction.hpp"

namespace quartz::optimizer {
namespace {

/// Lengths of windows, in gates.
constexpr std::uint32_t kLeastLength = 4;
constexpr std::uint32_t kMostLength = 40;

/// Returns gates with the qubits in `qubits` by their numbers there.
std::vector<ControlledPauli> renumbered(std::span<const ControlledPauli> gates,
                                        std::span<const std::uint32_t> qubits) {
  const auto number = [&](std::uint32_t qubit) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(qubits, qubit) - qubits.begin());
  };
  std::vector<ControlledPauli> result(gates.begin(), gates.end());
  for (ControlledPauli& gate : result) {
    gate.first = number(gate.first);
    gate.second = number(gate.second);
  }
  return result;
}

class WindowReduction {
 public:
  WindowReduction(ControlledPauliCircuit& circuit, FastRandom& random, const Budget& budget)
      : circuit_(circuit), random_(random), budget_(budget) {}

  void run(std::size_t patience) {
    std::size_t least = circuit_.cnots();
    for (std::size_t tried = 0; tried < patience && !budget_.spent(); ++tried) {
      if (circuit_.gates.size() < kLeastLength) return;
      const std::uint32_t length =
          std::min(kLeastLength + random_.below(kMostLength), static_cast<std::uint32_t>(size()));
      replace(random_.below(static_cast<std::uint32_t>(size()) - length + 1), length);
      const std::size_t cnots = circuit_.cnots();
      if (cnots < least) tried = 0;
      least = cnots;
    }
  }

 private:
  [[nodiscard]] std::size_t size() const { return circuit_.gates.size(); }

  /// Replaces a window if the circuit then has no more CNOTs.
  void replace(std::size_t first, std::size_t length) {
    const std::span<const ControlledPauli> window =
        std::span(circuit_.gates).subspan(first, length);
    std::vector<std::uint32_t> qubits;
    for (const ControlledPauli& gate : window) {
      qubits.push_back(gate.first);
      qubits.push_back(gate.second);
    }
    std::ranges::sort(qubits);
    qubits.erase(std::unique(qubits.begin(), qubits.end()), qubits.end());
    SymplecticMap map(CliffordTableau({}, static_cast<std::uint32_t>(qubits.size())));
    for (const ControlledPauli& gate : renumbered(window, qubits)) map.put(MapEnd::end, gate);
    const std::optional<ControlledPauliCircuit> found =
        circuit_of_map(map, {1, 1}, random_, budget_);
    if (!found || found->gates.size() > length) return;
    ControlledPauliCircuit changed = with_window(first, length, *found, qubits);
    if (changed.cnots() <= circuit_.cnots()) circuit_ = std::move(changed);
  }

  /// Returns the circuit with other gates in a window, on `qubits`.
  [[nodiscard]] ControlledPauliCircuit with_window(std::size_t first, std::size_t length,
                                                   const ControlledPauliCircuit& window,
                                                   std::span<const std::uint32_t> qubits) const {
    ControlledPauliCircuit result{
        {circuit_.gates.begin(), circuit_.gates.begin() + static_cast<std::ptrdiff_t>(first)},
        circuit_.places,
        circuit_.axes};
    for (const ControlledPauli& gate : window.gates) {
      result.gates.push_back(
          {qubits[gate.first], qubits[gate.second], gate.first_axis, gate.second_axis});
    }
    // The qubit and the axes that become those of the circuit behind the window.
    std::vector<std::uint32_t> qubit_at(circuit_.places.size());
    for (std::uint32_t i = 0; i < qubit_at.size(); ++i) qubit_at[i] = i;
    std::vector<AxisImages> axes_at(circuit_.places.size(), kSymplecticAxes);
    for (std::uint32_t i = 0; i < qubits.size(); ++i) {
      const std::uint32_t place = qubits[window.places[i]];
      qubit_at[place] = qubits[i];
      for (const SymplecticAxis axis : kSymplecticAxes) {
        axes_at[place][static_cast<std::size_t>(window.axes[i][static_cast<std::size_t>(axis)])] =
            axis;
      }
    }
    const auto axis_at = [&](std::uint32_t place, SymplecticAxis axis) {
      return axes_at[place][static_cast<std::size_t>(axis)];
    };
    for (const ControlledPauli& gate : std::span(circuit_.gates).subspan(first + length)) {
      result.gates.push_back({qubit_at[gate.first], qubit_at[gate.second],
                              axis_at(gate.first, gate.first_axis),
                              axis_at(gate.second, gate.second_axis)});
    }
    for (std::uint32_t place = 0; place < qubit_at.size(); ++place) {
      result.places[qubit_at[place]] = circuit_.places[place];
      for (const SymplecticAxis axis : kSymplecticAxes) {
        result.axes[qubit_at[place]][static_cast<std::size_t>(axis_at(place, axis))] =
            circuit_.axes[place][static_cast<std::size_t>(axis)];
      }
    }
    return result;
  }

  ControlledPauliCircuit& circuit_;
  FastRandom& random_;
  const Budget& budget_;
};

}  // namespace

void reduce_windows(ControlledPauliCircuit& circuit, std::size_t patience, FastRandom& random,
                    const Budget& budget) {
  WindowReduction(circuit, random, budget).run(patience);
}

}  // namespace quartz::optimizer
