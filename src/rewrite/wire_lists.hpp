#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rewrite/packed_circuit.hpp"

namespace quartz::rewrite {

/// Index of a gate's place in a WireLists.
using GateIndex = std::uint32_t;
inline constexpr GateIndex kNoGate = ~GateIndex{0};

/// Number of a qubit in a circuit under search.
using Wire = std::uint16_t;

/// One gate of a WireLists: 48 bytes.
struct WiredGate {
  /// The earlier of two gates on one wire has the lower position. The order of positions is an
  /// order of the circuit; gates with equal positions share no wire.
  std::uint64_t position = 0;
  std::array<GateIndex, 3> next{};  ///< next gate on the wire of each operand
  std::array<GateIndex, 3> previous{};
  std::array<Wire, 3> wires{};
  Label label = 0;
  std::uint8_t size = 0;  ///< number of operands; 0 marks a free place
  bool marked = false;    ///< for the search to use

  [[nodiscard]] unsigned operand_of(Wire wire) const {
    return wires[0] == wire ? 0U : wires[1] == wire && size > 1 ? 1U : 2U;
  }
};

/// A gate without its links: 12 bytes.
struct PlainGate {
  std::array<Wire, 3> wires{};
  std::uint8_t size = 0;
  bool marked = false;
  Label label = 0;
};

/// A circuit as one doubly linked list of gates for each wire, so that a rewrite only touches the
/// replaced gates and their neighbours, regardless of the size of the circuit.
///
/// The positions are order labels with gaps (Dietz, Sleator, STOC 1987, in the simplest form: all
/// gates get new positions when a gap is used up), and give the partial order in O(1).
class WireLists {
 public:
  WireLists(std::span<const PlainGate> gates, std::uint32_t wires);

  [[nodiscard]] std::uint32_t wires() const { return static_cast<std::uint32_t>(first_.size()); }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Returns the number of places, some of which are free; a random place is a gate with
  /// probability size() / places().
  [[nodiscard]] std::size_t places() const { return gates_.size(); }
  [[nodiscard]] const WiredGate& operator[](GateIndex index) const { return gates_[index]; }
  /// Returns the gates in order of position, unmarked.
  [[nodiscard]] std::vector<PlainGate> gates() const { return gates(order()); }
  /// Returns the gates at some places, such as all in order, unmarked.
  [[nodiscard]] std::vector<PlainGate> gates(std::span<const GateIndex> order) const;
  /// Returns the places of the gates in order of position.
  [[nodiscard]] std::vector<GateIndex> order() const;
  /// Returns the first gate on a wire, or kNoGate.
  [[nodiscard]] GateIndex first_on(Wire wire) const { return first_[wire]; }

  /// An interval of a wire: the gates before and after a window on it.
  struct Gap {
    Wire wire = 0;
    GateIndex before = kNoGate;
    GateIndex after = kNoGate;
  };
  /// A gate that a replacement removed: 24 bytes.
  struct RemovedGate {
    std::uint64_t position = 0;
    GateIndex index = kNoGate;
    PlainGate gate;
  };

  /// Replaces the gates of a window. The gaps are the window's wires, each from the gate before the
  /// window's first gate to the gate after its last one. `log` contains removed gates that may be
  /// restored; they are renumbered together with the gates of the circuit.
  void replace(std::span<const GateIndex> window, std::span<const Gap> gaps,
               std::span<const PlainGate> replacement, std::span<RemovedGate> log = {});
  /// Returns the places of the gates that the last replacement inserted.
  [[nodiscard]] std::span<const GateIndex> replaced() const { return replaced_; }
  /// Undoes the last replacement that has not been undone: removes the gates that it inserted, and
  /// restores those that it removed in their places, unmarked. `gaps` are those of the replacement.
  void undo(std::span<const RemovedGate> removed, std::span<const Gap> gaps,
            std::span<const GateIndex> inserted);
  [[nodiscard]] RemovedGate as_removed(GateIndex index) const {
    const WiredGate& gate = gates_[index];
    return {gate.position, index, {gate.wires, gate.size, false, gate.label}};
  }
  void mark(GateIndex gate, bool marked) { gates_[gate].marked = marked; }

 private:
  /// The positions between which a window lies.
  struct Bounds {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
  };
  /// Chooses the distance between positions for a number of gates, and reserves half of the range
  /// of positions for gates that are appended.
  void set_spacing(std::size_t gates);
  [[nodiscard]] Bounds bounds_of(std::span<const Gap> gaps, std::size_t gates) const;
  /// Gives all gates, and those of a log, new positions in the same order.
  void renumber(std::span<RemovedGate> log);
  [[nodiscard]] GateIndex take_place();
  /// Makes two gates neighbours on the wire of a gap; kNoGate is an end of the wire.
  void link(Wire wire, GateIndex before, GateIndex after);
  /// Writes a gate into a place and links it to the last gates on its wires.
  void put(GateIndex index, const PlainGate& gate, std::uint64_t position,
           std::span<const Gap> gaps, std::span<GateIndex> last);

  std::vector<WiredGate> gates_;
  std::vector<GateIndex> free_;
  std::vector<GateIndex> replaced_;
  std::vector<GateIndex> first_;  ///< first gate on each wire
  std::vector<GateIndex> last_;
  std::size_t size_ = 0;
  std::uint64_t spacing_ = 0;  ///< distance between positions after a renumbering
};

}  // namespace quartz::rewrite
