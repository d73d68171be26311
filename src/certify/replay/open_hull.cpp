#include "certify/replay/open_hull.hpp"

#include <limits>

namespace quartz::certify {
namespace {

constexpr Wire kNoWire = std::numeric_limits<Wire>::max();

}  // namespace

void OpenHull::begin(ConditionCode condition, bool has_context) {
  for (const ReplayedWire qubit : qubits_) wire_of_qubit_[qubit] = kNoWire;
  wire_of_qubit_.resize(circuit_.qubits(), kNoWire);
  qubits_.clear();
  opened_.clear();
  wires_ = 0;
  condition_ = condition;
  has_context_ = has_context;
  zero_wires_.clear();
  discarded_wires_.clear();
}

void OpenHull::list(std::span<const OperationIndex> hull, List& list) {
  GateList& gates = list.gates;
  std::vector<OperationIndex>& operations = list.operations;
  gates.clear();
  operations.clear();
  gates.reserve(hull.size());
  operations.reserve(hull.size());
  reopened_.clear();
  for (const OperationIndex index : hull) {
    if (is_boundary(index)) {
      open(index, list);
      continue;
    }
    circuit_.for_each_wire(index, [&](ReplayedWire qubit) { gates.add_wire(wire_of(qubit)); });
    gates.add_gate(circuit_.code_of(index));
    operations.push_back(index);
  }
}

bool OpenHull::is_boundary(OperationIndex index) const {
  return circuit_.condition_of(index) != condition_ ||
         circuit_.table()[circuit_.code_of(index)].kind != OperationKind::gate;
}

Wire OpenHull::wire_of(ReplayedWire qubit) {
  if (!reopened_.empty()) {
    if (const auto found = reopened_.find(qubit); found != reopened_.end()) return found->second;
  }
  Wire& wire = wire_of_qubit_[qubit];
  if (wire == kNoWire) {
    wire = wires_++;
    qubits_.push_back(qubit);
  }
  return wire;
}

void OpenHull::open(OperationIndex boundary, List& list) {
  GateList& gates = list.gates;
  std::vector<OperationIndex>& operations = list.operations;
  const bool is_unconditional = circuit_.condition_of(boundary) == kNoCondition;
  const OperationKind kind = circuit_.table()[circuit_.code_of(boundary)].kind;
  const bool is_measurement = is_unconditional && kind == OperationKind::measure;
  if (has_context_ && is_unconditional && kind == OperationKind::barrier) return;
  const bool is_edge = has_context_ && is_unconditional && kind == OperationKind::reset;
  const auto for_each_qubit = [&](const auto& visit) {
    circuit_.for_each_wire(boundary, [&](ReplayedWire wire) {
      if (wire < circuit_.qubits()) visit(wire);
    });
  };
  const auto [opened, is_new] = opened_.try_emplace(boundary, wires_);
  if (is_new) for_each_qubit([&](ReplayedWire) { ++wires_; });
  Wire next = opened->second;
  if (is_new && is_edge) {
    zero_wires_.push_back(next);
    for_each_qubit([&](ReplayedWire qubit) { discarded_wires_.push_back(wire_of(qubit)); });
  }
  for_each_qubit([&](ReplayedWire qubit) {
    if (is_measurement) {
      gates.add_wire(wire_of(qubit));
      gates.add_wire(next++);
      gates.add_gate(circuit_.table().code_of(make_operation(GateKind::cx, {})));
      operations.push_back(boundary);
    } else {
      reopened_[qubit] = next++;
    }
  });
}

}  // namespace quartz::certify
