#pragma once

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>

#include "rewrite/wire_lists.hpp"

namespace quartz {

/// Maximum size of a window.
inline constexpr std::size_t kWindowGates = 16;
inline constexpr std::size_t kWindowWires = 3;

/// A convex part of a circuit on a few wires: no path between two of its gates leaves it.
template <std::size_t most_gates, std::size_t most_wires>
struct BasicWindow {
  boost::container::static_vector<GateIndex, most_gates> gates;  ///< in order of position
  /// Local qubits of the operands of each gate.
  boost::container::static_vector<std::array<std::uint8_t, 3>, most_gates> operands;
  /// The wires of the window; local qubit k is wires[k].
  boost::container::static_vector<WireLists::Gap, most_wires> wires;

  /// Returns the local qubit of one of the window's wires.
  [[nodiscard]] std::uint8_t local(Wire wire) const {
    std::uint8_t number = 0;
    while (wires[number].wire != wire) ++number;
    return number;
  }
};
/// A window that fits the class table.
using Window = BasicWindow<kWindowGates, kWindowWires>;

/// A window while it grows. The functions are inlined because growing windows takes much of the
/// time of annealing.
template <std::size_t most_gates, std::size_t most_wires>
class WindowGrowth {
 public:
  /// Starts with an empty window.
  [[gnu::always_inline]] WindowGrowth(const WireLists& circuit,
                                      BasicWindow<most_gates, most_wires>& window)
      : circuit_(circuit), window_(window) {
    window.gates.clear();
    window.wires.clear();
    window.operands.clear();
  }

  /// Adds the gate from which the window grows.
  [[gnu::always_inline]] void start(GateIndex gate) { add(gate, circuit_[gate], kAllForeign); }

  /// Adds the next gate along the wires, or passes over it if it cannot join the window or
  /// `takes(gate)` is false. Returns false if no gate follows on any wire that is not closed.
  template <typename Takes>
  [[gnu::always_inline]] bool take_next(const Takes& takes) {
    std::size_t first = 0;
    for (std::size_t k = 1; k < window_.wires.size(); ++k) {
      if (position_after_[k] < position_after_[first]) first = k;
    }
    if (position_after_[first] == kNever) return false;
    const GateIndex next = window_.wires[first].after;
    const WiredGate& gate = circuit_[next];
    const Overlap overlap = overlap_with(gate);
    const bool joins = overlap.foreign == 0 ||
                       (!passed_over_ && window_.wires.size() + overlap.foreign <= most_wires);
    if ((overlap.own & closed_) == 0 && joins && takes(gate)) {
      add(next, gate, overlap.operands);
    } else {
      pass_over(overlap.own);
    }
    return true;
  }

 private:
  using Operands = std::array<std::uint8_t, 3>;
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  /// The local qubit of an operand on a wire outside of the window is most_wires.
  static constexpr Operands kAllForeign{most_wires, most_wires, most_wires};

  /// The wires that a gate shares with the window.
  struct Overlap {
    Operands operands = kAllForeign;
    std::size_t foreign = 0;  ///< number of operands on wires outside of the window
    std::uint32_t own = 0;    ///< bit k: local qubit k
  };

  [[gnu::always_inline]] Overlap overlap_with(const WiredGate& gate) const {
    Overlap overlap;
    overlap.foreign = gate.size;
    for (std::size_t k = 0; k < window_.wires.size(); ++k) {
      for (unsigned i = 0; i < gate.size && i < overlap.operands.size(); ++i) {
        if (gate.wires[i] != window_.wires[k].wire) continue;
        overlap.operands[i] = static_cast<std::uint8_t>(k);
        overlap.own |= 1U << k;
        --overlap.foreign;
      }
    }
    return overlap;
  }

  [[gnu::always_inline]] void add(GateIndex index, const WiredGate& gate, Operands operands) {
    for (unsigned i = 0; i < gate.size; ++i) {
      if (operands[i] == most_wires) {
        operands[i] = static_cast<std::uint8_t>(window_.wires.size());
        window_.wires.push_back({gate.wires[i], gate.previous[i], kNoGate});
      }
      const GateIndex after = gate.next[i];
      window_.wires[operands[i]].after = after;
      position_after_[operands[i]] = after == kNoGate ? kNever : circuit_[after].position;
    }
    window_.gates.push_back(index);
    window_.operands.push_back(operands);
  }

  [[gnu::always_inline]] void pass_over(std::uint32_t own) {
    passed_over_ = true;
    closed_ |= own;
    for (std::size_t k = 0; k < window_.wires.size(); ++k) {
      if (((own >> k) & 1U) != 0) position_after_[k] = kNever;
    }
  }

  const WireLists& circuit_;
  BasicWindow<most_gates, most_wires>& window_;
  /// For each wire of the window, the position of the gate that follows on it; kNever if there is
  /// none or the wire is closed.
  std::array<std::uint64_t, most_wires> position_after_;
  std::uint32_t closed_ = 0;  ///< bit k: local qubit k
  bool passed_over_ = false;
};

/// Grows a window from a gate to at most `size` gates on at most `most_wires` wires, along the
/// wires and in order of position. `takes(gate)` returns whether a gate may be part of the window.
///
/// The window is convex: its gates on each of its wires are consecutive, so a path that leaves it
/// passes a gate that was not taken, and that gate closed the wires on which it acts. Such a path
/// could come back only through a gate at a later position, on a wire that is closed by then or on
/// a wire that joins the window later; therefore no wire joins once a gate was passed over.
template <std::size_t most_gates, std::size_t most_wires, typename Takes>
void grow_window(const WireLists& circuit, GateIndex start, std::size_t size, const Takes& takes,
                 BasicWindow<most_gates, most_wires>& window) {
  WindowGrowth<most_gates, most_wires> growth(circuit, window);
  if (!takes(circuit[start])) return;
  growth.start(start);
  while (window.gates.size() < size && growth.take_next(takes)) {
  }
}

}  // namespace quartz
