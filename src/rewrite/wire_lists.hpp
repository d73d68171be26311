#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rewrite/packed_circuit.hpp"

namespace quartz {

/// Index of a gate's place in a WireLists.
using GateIndex = std::uint32_t;
inline constexpr GateIndex kNoGate = ~GateIndex{0};

/// Number of a qubit in a circuit under search.
using Wire = std::uint16_t;

/// One gate of a WireLists: 48 bytes.
struct WiredGate {
  /// Of two gates on one wire the earlier has the lower position; all gates in order of position
  /// are the circuit (gates with equal positions share no wire).
  std::uint64_t position = 0;
  std::array<GateIndex, 3> next{};  ///< on each operand's wire
  std::array<GateIndex, 3> previous{};
  std::array<Wire, 3> wires{};
  std::uint16_t label = 0;
  std::uint8_t size = 0;  ///< operands; 0 marks a free place
  bool marked = false;    ///< for a search's own use

  [[nodiscard]] unsigned operand_of(Wire wire) const {
    return wires[0] == wire ? 0U : wires[1] == wire && size > 1 ? 1U : 2U;
  }
};

/// A gate without its links.
struct PlainGate {
  std::array<Wire, 3> wires{};
  std::uint16_t label = 0;
  std::uint8_t size = 0;
  bool marked = false;
};

/// A circuit as one doubly linked list of gates a wire, so that a rewrite touches only what it
/// replaces and its neighbours, whatever the size of the circuit.
///
/// The positions are order labels with gaps (Dietz, Sleator, STOC 1987, in the simplest form:
/// everything is numbered anew where a gap is used up), and give the partial order in O(1).
class WireLists {
 public:
  WireLists(std::span<const PlainGate> gates, std::uint32_t wires);

  [[nodiscard]] std::uint32_t wires() const { return static_cast<std::uint32_t>(first_.size()); }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Places, some of them free; a random place is a gate with probability size() / places().
  [[nodiscard]] std::size_t places() const { return gates_.size(); }
  [[nodiscard]] const WiredGate& operator[](GateIndex index) const { return gates_[index]; }
  /// The gates in order of position.
  [[nodiscard]] std::vector<PlainGate> gates() const;
  [[nodiscard]] std::vector<GateIndex> order() const;

  /// A stretch of a few wires: what lies before and after a window on each of them.
  struct Gap {
    Wire wire = 0;
    GateIndex before = kNoGate;
    GateIndex after = kNoGate;
  };
  /// Puts gates in the place of those of a window. The gaps are the window's wires, each from the
  /// gate before its first to the gate after its last gate of the window.
  void replace(std::span<const GateIndex> window, std::span<const Gap> gaps,
               std::span<const PlainGate> replacement);
  /// Where the gates of the last replacement are.
  [[nodiscard]] std::span<const GateIndex> replaced() const { return replaced_; }
  void mark(GateIndex gate, bool marked) { gates_[gate].marked = marked; }

 private:
  /// Between positions of gates that are numbered anew.
  static constexpr std::uint64_t kSpacing = std::uint64_t{1} << 32U;

  void renumber();
  [[nodiscard]] GateIndex take_place();

  std::vector<WiredGate> gates_;
  std::vector<GateIndex> free_;
  std::vector<GateIndex> replaced_;
  std::vector<GateIndex> first_;  ///< of each wire
  std::vector<GateIndex> last_;
  std::size_t size_ = 0;
};

}  // namespace quartz
