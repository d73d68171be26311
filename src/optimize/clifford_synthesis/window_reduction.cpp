#include "optimize/clifford_synthesis/window_reduction.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "optimize/clifford_synthesis/coupled_reduction.hpp"
#include "optimize/clifford_synthesis/map_reduction.hpp"

namespace quartz::optimizer {
namespace {

/// Lengths of windows, in gates.
constexpr std::uint32_t kLeastLength = 4;
constexpr std::uint32_t kMostLength = 40;

/// Qubits of windows on neighbours, and the gates behind the first one of which they consist.
constexpr std::uint32_t kLeastGroup = 4;
constexpr std::uint32_t kMostGroup = 6;
constexpr std::size_t kMostDistance = 2000;

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

/// Returns the qubits of some gates in ascending order.
std::vector<std::uint32_t> qubits_of(std::span<const ControlledPauli> gates) {
  std::vector<std::uint32_t> qubits;
  for (const ControlledPauli& gate : gates) {
    qubits.push_back(gate.first);
    qubits.push_back(gate.second);
  }
  std::ranges::sort(qubits);
  qubits.erase(std::unique(qubits.begin(), qubits.end()), qubits.end());
  return qubits;
}

/// Replaces windows of a circuit, which has neighbours if its gates are on these only.
class WindowReduction {
 public:
  WindowReduction(ControlledPauliCircuit& circuit, const Neighbours* neighbours, FastRandom& random,
                  const Budget& budget)
      : circuit_(circuit), neighbours_(neighbours), random_(random), budget_(budget) {}

  void run(std::size_t patience) {
    std::size_t least = circuit_.cnots();
    for (std::size_t tried = 0; tried < patience && !budget_.spent(); ++tried) {
      if (circuit_.gates.size() < kLeastLength) return;
      neighbours_ == nullptr ? replace_consecutive() : replace_on_neighbours();
      const std::size_t cnots = circuit_.cnots();
      if (cnots < least) tried = 0;
      least = cnots;
    }
  }

 private:
  [[nodiscard]] std::size_t size() const { return circuit_.gates.size(); }
  [[nodiscard]] std::size_t random_place() {
    return random_.below(static_cast<std::uint32_t>(size()));
  }

  void replace_consecutive() {
    const std::uint32_t length =
        std::min(kLeastLength + random_.below(kMostLength), static_cast<std::uint32_t>(size()));
    replace(random_.below(static_cast<std::uint32_t>(size()) - length + 1), length);
  }

  /// Replaces a window on a few qubits that are connected, which begins with a random gate.
  void replace_on_neighbours() {
    const std::size_t first = random_place();
    const std::vector<std::size_t> places = places_on(random_group(circuit_.gates[first]), first);
    if (places.size() < kLeastLength) return;
    move_together(places);
    replace(first, places.size());
  }
  /// Returns the qubits of a gate, and others around them.
  [[nodiscard]] std::vector<std::uint32_t> random_group(const ControlledPauli& gate) {
    std::vector<std::uint32_t> group{gate.first, gate.second};
    const std::size_t most = kLeastGroup + random_.below(kMostGroup - kLeastGroup + 1);
    for (std::size_t tried = 0; tried < 2 * kMostGroup && group.size() < most; ++tried) {
      const std::vector<std::uint32_t>& next =
          (*neighbours_)[group[random_.below(static_cast<std::uint32_t>(group.size()))]];
      const std::uint32_t qubit = next[random_.below(static_cast<std::uint32_t>(next.size()))];
      if (std::ranges::find(group, qubit) == group.end()) group.push_back(qubit);
    }
    return group;
  }
  /// Returns the places of gates on a group of qubits, from a place on, that can follow each other.
  [[nodiscard]] std::vector<std::size_t> places_on(std::vector<std::uint32_t> group,
                                                   std::size_t first) const {
    std::vector<std::size_t> places;
    const std::size_t end = std::min(size(), first + kMostDistance);
    for (std::size_t place = first; place < end && places.size() < kMostLength; ++place) {
      const ControlledPauli& gate = circuit_.gates[place];
      const auto one = std::ranges::find(group, gate.first);
      const auto other = std::ranges::find(group, gate.second);
      if (one != group.end() && other != group.end()) {
        places.push_back(place);
      } else if (one != group.end() || other != group.end()) {
        group.erase(one != group.end() ? one : other);
        if (group.size() < 2) break;
      }
    }
    return places;
  }
  /// Moves gates to the place of the first of them, past others on other qubits.
  void move_together(std::span<const std::size_t> places) {
    const std::size_t first = places.front();
    std::vector<ControlledPauli> moved;
    std::vector<ControlledPauli> others;
    std::size_t next = 0;
    for (std::size_t place = first; place <= places.back(); ++place) {
      const bool is_moved = place == places[next];
      (is_moved ? moved : others).push_back(circuit_.gates[place]);
      if (is_moved) ++next;
    }
    const auto begin = circuit_.gates.begin() + static_cast<std::ptrdiff_t>(first);
    std::ranges::copy(others, std::ranges::copy(moved, begin).out);
  }

  /// Returns a circuit of the map of a window on some qubits, or nothing if the budget is spent.
  [[nodiscard]] std::optional<ControlledPauliCircuit> circuit_for(
      const SymplecticMap& map, std::span<const std::uint32_t> qubits) {
    if (neighbours_ == nullptr) return circuit_of_map(map, {1, 1}, random_, budget_);
    Neighbours own(qubits.size());
    for (std::size_t i = 0; i < qubits.size(); ++i) {
      for (const std::uint32_t neighbour : (*neighbours_)[qubits[i]]) {
        const auto at = std::ranges::lower_bound(qubits, neighbour);
        if (at == qubits.end() || *at != neighbour) continue;
        own[i].push_back(static_cast<std::uint32_t>(at - qubits.begin()));
      }
    }
    return circuit_on_neighbours(map, own, random_, budget_);
  }

  /// Replaces a window if the circuit then has no more CNOTs.
  void replace(std::size_t first, std::size_t length) {
    const std::span<const ControlledPauli> window =
        std::span(circuit_.gates).subspan(first, length);
    const std::vector<std::uint32_t> qubits = qubits_of(window);
    SymplecticMap map(CliffordTableau({}, static_cast<std::uint32_t>(qubits.size())));
    for (const ControlledPauli& gate : renumbered(window, qubits)) map.put(MapEnd::end, gate);
    const std::optional<ControlledPauliCircuit> found = circuit_for(map, qubits);
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
  const Neighbours* neighbours_;
  FastRandom& random_;
  const Budget& budget_;
};

}  // namespace

void reduce_windows(ControlledPauliCircuit& circuit, const Neighbours* neighbours,
                    std::size_t patience, FastRandom& random, const Budget& budget) {
  WindowReduction(circuit, neighbours, random, budget).run(patience);
}

}  // namespace quartz::optimizer
