#pragma once

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>

#include "quartz/base/errors.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

/// Maximum size of a window.
inline constexpr std::size_t kWindowGates = 16;
inline constexpr std::size_t kWindowWires = 3;

/// A convex part of a circuit on a few wires: no path between two of its gates leaves it.
template <std::size_t max_gates, std::size_t max_wires>
struct BasicWindow {
  boost::container::static_vector<rewrite::GateIndex, max_gates> gates;  ///< in order of position
  /// Local qubits of the operands of each gate.
  boost::container::static_vector<std::array<std::uint8_t, 3>, max_gates> operands;
  /// The wires of the window; local qubit k is wires[k].
  boost::container::static_vector<rewrite::WireLists::Gap, max_wires> wires;

  /// Returns the local qubit of one of the window's wires. Throws InternalError for another wire.
  [[nodiscard]] std::uint8_t local(rewrite::Wire wire) const {
    std::uint8_t number = 0;
    while (number < wires.size() && wires[number].wire != wire) ++number;
    ensure(number < wires.size(), "the wire is one of the window's");
    return number;
  }

  void clear() {
    gates.clear();
    wires.clear();
    operands.clear();
  }
};
/// A window that fits the class table.
using Window = BasicWindow<kWindowGates, kWindowWires>;

/// Follows the positions of all gates.
inline constexpr std::uint64_t kNoPosition = ~std::uint64_t{0};

/// Grows a window from a gate to at most `size` gates on at most `wires` wires (`max_wires` or
/// fewer), along the wires and in order of position. `takes(gate)` returns whether a gate may be
/// part of the window; it must not take a first gate on more wires.
///
/// The window is convex: its gates on each of its wires are consecutive, so a path that leaves it
/// passes a gate that was not taken, and that gate closed the wires on which it acts. Such a path
/// could come back only through a gate at a later position, on a wire that is closed by then or on
/// a wire that joins the window later; therefore no wire joins once a gate was passed over.
template <std::size_t max_gates, std::size_t max_wires, typename Takes>
void grow_window(const rewrite::WireLists& circuit, rewrite::GateIndex start, std::size_t size,
                 const Takes& takes, BasicWindow<max_gates, max_wires>& window,
                 std::size_t wires = max_wires) {
  window.clear();
  // Position of the gate after the window's last one on each wire; kNoPosition if there is none or
  // the wire is closed.
  std::array<std::uint64_t, max_wires> position_after;
  std::uint32_t closed = 0;  // bit k: local qubit k
  bool passed_over = false;
  const auto follow = [&](std::size_t local, rewrite::GateIndex after) {
    window.wires[local].after = after;
    position_after[local] = after == rewrite::kNoGate ? kNoPosition : circuit[after].position;
  };
  const auto add = [&](rewrite::GateIndex index, const rewrite::WiredGate& gate,
                       std::array<std::uint8_t, 3> operands) {
    for (unsigned i = 0; i < gate.size; ++i) {
      if (operands[i] == max_wires) {
        operands[i] = static_cast<std::uint8_t>(window.wires.size());
        window.wires.push_back({gate.wires[i], gate.previous[i], rewrite::kNoGate});
      }
      follow(operands[i], gate.next[i]);
    }
    window.gates.push_back(index);
    window.operands.push_back(operands);
  };
  constexpr std::array<std::uint8_t, 3> kAllForeign{max_wires, max_wires, max_wires};
  if (!takes(circuit[start])) return;
  add(start, circuit[start], kAllForeign);
  while (window.gates.size() < size) {
    std::size_t first = 0;
    for (std::size_t k = 1; k < window.wires.size(); ++k) {
      if (position_after[k] < position_after[first]) first = k;
    }
    if (position_after[first] == kNoPosition) return;
    const rewrite::GateIndex next = window.wires[first].after;
    const rewrite::WiredGate& gate = circuit[next];
    std::array<std::uint8_t, 3> operands = kAllForeign;
    std::size_t foreign = gate.size;
    std::uint32_t own = 0;
    for (std::size_t k = 0; k < window.wires.size(); ++k) {
      for (unsigned i = 0; i < gate.size && i < operands.size(); ++i) {
        if (gate.wires[i] != window.wires[k].wire) continue;
        operands[i] = static_cast<std::uint8_t>(k);
        own |= 1U << k;
        --foreign;
      }
    }
    const bool joins = foreign == 0 || (!passed_over && window.wires.size() + foreign <= wires);
    if ((own & closed) == 0 && joins && takes(gate)) {
      add(next, gate, operands);
      continue;
    }
    passed_over = true;
    closed |= own;
    for (std::size_t k = 0; k < window.wires.size(); ++k) {
      if (((own >> k) & 1U) != 0) position_after[k] = kNoPosition;
    }
  }
}

}  // namespace quartz::optimizer
