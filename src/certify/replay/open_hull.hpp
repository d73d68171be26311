#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "certify/problem/problem.hpp"
#include "certify/replay/gate_list.hpp"
#include "certify/replay/replayed_circuit.hpp"

namespace quartz::certify {

/// Lists the gates of a part of a circuit (a hull) before and after a change, opened at its
/// boundaries: at measurements, resets and other operations that are no gates under the condition
/// of the hull.
///
/// In the open circuit each qubit of a boundary ends before it, and begins again behind it as
/// another wire; a measurement is a CNOT to another wire. What connects the wires again is linear
/// in the Kraus operators of the boundary, and those of a measurement are diagonal. So equality of
/// the open circuits implies equality of the hulls. If the hull has a context, the wire behind a
/// reset is known to start in |0>, and the wire before it to be discarded; a barrier, which has no
/// effect on states, does not cut its wires.
class OpenHull {
 public:
  /// The circuit must outlive this object.
  explicit OpenHull(ReplayedCircuit& circuit) : circuit_(circuit) {}

  /// Begins with another hull, whose gates have this condition.
  void begin(ConditionCode condition, bool has_context = false);
  /// The gates of the open circuit, and the operation that each is part of.
  struct List {
    GateList gates;
    std::vector<OperationIndex> operations;
  };
  /// Lists the gates of the hull in the given order.
  void list(std::span<const OperationIndex> hull, List& list);
  /// Returns the number of wires of all lists of the hull so far.
  [[nodiscard]] Wire wires() const { return wires_; }
  /// Returns the wires that start in |0>, and those that are discarded, of a hull with a context.
  [[nodiscard]] std::span<const Wire> zero_wires() const { return zero_wires_; }
  [[nodiscard]] std::span<const Wire> discarded_wires() const { return discarded_wires_; }

 private:
  [[nodiscard]] bool is_boundary(OperationIndex index) const;
  /// Returns the wire of a qubit behind the boundaries so far.
  [[nodiscard]] Wire wire_of(ReplayedWire qubit);
  void open(OperationIndex boundary, List& list);

  ReplayedCircuit& circuit_;
  ConditionCode condition_ = kNoCondition;
  bool has_context_ = false;
  Wire wires_ = 0;
  std::vector<Wire> zero_wires_;
  std::vector<Wire> discarded_wires_;
  std::vector<ReplayedWire> qubits_;  ///< those of the hull that have a wire at its start
  std::vector<Wire> wire_of_qubit_;   ///< wire of each of them; for other qubits none
  /// Wires of the qubits behind boundaries of the current list.
  std::unordered_map<ReplayedWire, Wire> reopened_;
  std::unordered_map<OperationIndex, Wire> opened_;  ///< first new wire of each boundary
};

}  // namespace quartz::certify
