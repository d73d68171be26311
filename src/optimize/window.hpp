#pragma once

#include <boost/container/static_vector.hpp>
#include <cstdint>

#include "rewrite/wire_lists.hpp"

namespace quartz {

/// The largest window a search takes.
inline constexpr std::size_t kWindowGates = 16;
inline constexpr std::size_t kWindowWires = 3;

/// A convex part of a circuit on a few wires: no gate outside lies between two of its gates.
template <std::size_t most_gates, std::size_t most_wires>
struct BasicWindow {
  boost::container::static_vector<GateIndex, most_gates> gates;  ///< in order of position
  /// Its wires; local qubit k is wires[k].
  boost::container::static_vector<WireLists::Gap, most_wires> wires;

  /// Of one of its wires, the number of the local qubit.
  [[nodiscard]] std::uint8_t local(Wire wire) const {
    std::uint8_t number = 0;
    while (wires[number].wire != wire) ++number;
    return number;
  }
};
/// As the class table takes them.
using Window = BasicWindow<kWindowGates, kWindowWires>;

/// Grows a window from a gate to at most `size` gates on as many wires as it holds, along the
/// wires and in order of position. `takes(gate)` says whether a gate may be part of the window.
///
/// Why the window is convex: on each of its wires its gates are consecutive, so a path that leaves
/// it passes a gate that is not taken, and that closes the wires on which it stands. Such a path
/// comes back only over a gate at a later position on a wire that is closed by then, or on a wire
/// that joins the window after; so no wire joins once a gate was passed over.
template <std::size_t most_gates, std::size_t most_wires, typename Takes>
void grow_window(const WireLists& circuit, GateIndex start, std::size_t size, const Takes& takes,
                 BasicWindow<most_gates, most_wires>& window) {
  window.gates.clear();
  window.wires.clear();
  std::array<bool, most_wires> closed{};
  bool passed_over = false;
  const auto add_wires = [&](const WiredGate& gate) {
    for (unsigned i = 0; i < gate.size; ++i) {
      bool known = false;
      for (WireLists::Gap& wire : window.wires) {
        if (wire.wire != gate.wires[i]) continue;
        wire.after = gate.next[i];
        known = true;
      }
      if (!known) window.wires.push_back({gate.wires[i], gate.previous[i], gate.next[i]});
    }
  };
  if (!takes(circuit[start])) return;
  window.gates.push_back(start);
  add_wires(circuit[start]);
  while (window.gates.size() < size) {
    GateIndex next = kNoGate;
    std::uint64_t position = ~std::uint64_t{0};
    for (std::size_t k = 0; k < window.wires.size(); ++k) {
      const GateIndex candidate = window.wires[k].after;
      if (closed[k] || candidate == kNoGate || circuit[candidate].position >= position) continue;
      next = candidate;
      position = circuit[candidate].position;
    }
    if (next == kNoGate) return;
    const WiredGate& gate = circuit[next];
    std::size_t foreign = gate.size;
    bool held_back = false;
    for (std::size_t k = 0; k < window.wires.size(); ++k) {
      for (unsigned i = 0; i < gate.size; ++i) {
        if (gate.wires[i] != window.wires[k].wire) continue;
        --foreign;
        held_back = held_back || closed[k];
      }
    }
    const bool joins =
        foreign == 0 || (!passed_over && window.wires.size() + foreign <= most_wires);
    if (!held_back && joins && takes(gate)) {
      window.gates.push_back(next);
      add_wires(gate);
      continue;
    }
    passed_over = true;
    for (std::size_t k = 0; k < window.wires.size(); ++k) {
      for (unsigned i = 0; i < gate.size; ++i) {
        if (gate.wires[i] == window.wires[k].wire) closed[k] = true;
      }
    }
  }
}

}  // namespace quartz
