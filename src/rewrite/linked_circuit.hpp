#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "rewrite/packed_circuit.hpp"

namespace quartz::rewrite {

/// The wires of a packed circuit as links between its gates, with the data for hashing a changed
/// circuit in time that depends only on the change.
///
/// The hash of a circuit is the same for all orders of its gates that differ by swapping neighbours
/// on disjoint qubits, because it is a sum over wires of a polynomial in the gates on that wire
/// (each identified with all its operands): the projections on the wires determine a trace
/// (Mazurkiewicz). H = sum_w r_w sum_j g_(w,j) b^j modulo 2^64, with odd b.
class LinkedCircuit {
 public:
  static constexpr std::int32_t kNone = -1;

  /// Rebuilds all links for these gates; reuses the storage of earlier calls.
  void assign(std::span<const PackedGate> gates, const LabelTable& labels);

  [[nodiscard]] std::span<const PackedGate> gates() const { return gates_; }
  [[nodiscard]] std::size_t size() const { return gates_.size(); }
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

  /// Returns the position of the neighbour on the wire of operand `slot`, or kNone.
  [[nodiscard]] std::int32_t next(std::size_t gate, std::size_t slot) const {
    return nodes_[gate].next[slot];
  }
  [[nodiscard]] std::int32_t previous(std::size_t gate, std::size_t slot) const {
    return nodes_[gate].previous[slot];
  }
  /// Returns the operand of the gate that is on this qubit; the gate must act on it.
  [[nodiscard]] std::uint8_t slot_of(std::size_t gate, std::uint8_t qubit) const {
    const PackedGate& g = gates_[gate];
    return g.qubits[0] == qubit ? 0 : g.qubits[1] == qubit ? 1 : 2;
  }

  /// One wire of a rewrite: the first and the last replaced gate on it.
  struct WireChange {
    std::uint8_t qubit = 0;
    std::int32_t first = kNone;
    std::int32_t last = kNone;
  };
  /// Returns the hash of the circuit after a replacement: on each wire of `changes`, the gates from
  /// first to last are replaced by those gates of `replacement` that act on the wire, in order.
  [[nodiscard]] std::uint64_t hash_after(std::span<const WireChange> changes,
                                         std::span<const PackedGate> replacement,
                                         const LabelTable& labels) const;

 private:
  struct Node {
    std::array<std::int32_t, 3> next;
    std::array<std::int32_t, 3> previous;
    std::array<std::uint32_t, 3> index;   ///< number of gates before it on the wire
    std::array<std::uint64_t, 3> before;  ///< hash of the gates before it on the wire
    std::array<std::uint64_t, 3> after;   ///< hash of the gates after it on the wire
    std::uint64_t hash;                   ///< hash of the gate with its operands
  };

  std::vector<PackedGate> gates_;
  std::vector<Node> nodes_;
  std::vector<std::uint64_t> powers_;
  std::uint64_t hash_ = 0;
};

}  // namespace quartz::rewrite
