#include "certify/replay/replayed_circuit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::certify {
namespace {

constexpr std::uint64_t kHighestPosition = std::numeric_limits<std::uint64_t>::max();

Operation without_qubits(const Operation& operation) {
  Operation result = operation;
  result.qubits.clear();
  return result;
}

std::size_t hash_of(const Operation& operation) {
  std::size_t hash =
      static_cast<std::size_t>(operation.kind) * 257 + static_cast<std::size_t>(operation.gate);
  for (const Angle& angle : operation.angles) {
    hash = hash * 0x9e3779b97f4a7c15ULL + angle.hash();
  }
  return hash;
}

std::string describe(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::gate:
      return std::string(gate(operation.gate).name);
    case OperationKind::measure:
      return "a measurement";
    case OperationKind::reset:
      return "a reset";
    case OperationKind::barrier:
      return "a barrier";
    case OperationKind::opaque:
      return operation.classical->opaque_name;
  }
  return {};
}

}  // namespace

OperationCode OperationTable::code_of(const Operation& operation) {
  Operation content = without_qubits(operation);
  const std::size_t hash = hash_of(content);
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto entry = begin; entry != end; ++entry) {
    if (operations_[entry->second] == content) return entry->second;
  }
  const auto code = static_cast<OperationCode>(operations_.size());
  operations_.push_back(std::move(content));
  by_hash_.emplace(hash, code);
  return code;
}

ReplayedCircuit::ReplayedCircuit(const Circuit& circuit)
    : qubits_(circuit.qubit_count()),
      first_(std::size_t{circuit.qubit_count()} + circuit.bit_count(), kNoOperation),
      last_(first_) {
  if (circuit.operations.size() >= kNoOperation / 2) {
    throw UsageError("the circuit has too many operations for a replay");
  }
  spacing_ = (std::uint64_t{1} << 63U) / (circuit.operations.size() + 1);
  nodes_.reserve(circuit.operations.size());
  for (const Operation& operation : circuit.operations) append(operation);
}

std::vector<ReplayedWire> ReplayedCircuit::wires_of(const Operation& operation) const {
  if (!operation.conditions().empty()) {
    throw UsageError("a replay does not support conditions");
  }
  std::vector<ReplayedWire> wires(operation.qubits.begin(), operation.qubits.end());
  if (operation.classical != nullptr) {
    for (const ClassicalBit bit : operation.classical->bits) wires.push_back(qubits_ + bit);
  }
  return wires;
}

OperationIndex ReplayedCircuit::new_node(OperationCode code, std::size_t links) {
  if (free_.size() <= links) free_.resize(links + 1);
  OperationIndex index = 0;
  if (free_[links].empty()) {
    ensure(nodes_.size() < kNoOperation, "operations are numbered with 32 bits");
    index = static_cast<OperationIndex>(nodes_.size());
    Node& node = nodes_.emplace_back();
    node.first_link = static_cast<std::uint32_t>(links_.size());
    node.links = static_cast<std::uint32_t>(links);
    links_.resize(links_.size() + links);
  } else {
    index = free_[links].back();
    free_[links].pop_back();
  }
  nodes_[index].code = code;
  nodes_[index].is_present = true;
  ++size_;
  return index;
}

void ReplayedCircuit::append(const Operation& operation) {
  const std::vector<ReplayedWire> wires = wires_of(operation);
  const OperationIndex index = new_node(table_.code_of(operation), wires.size());
  nodes_[index].position = size_ * spacing_;
  for (std::size_t i = 0; i < wires.size(); ++i) {
    links_of(index)[i].wire = wires[i];
    connect(wires[i], last_[wires[i]], index);
    connect(wires[i], index, kNoOperation);
  }
}

ReplayedCircuit::Link& ReplayedCircuit::link_on(OperationIndex index, ReplayedWire wire) {
  const std::span<Link> links = links_of(index);
  const auto link = std::ranges::find(links, wire, &Link::wire);
  ensure(link != links.end(), "an operation is linked on its own wires only");
  return *link;
}

void ReplayedCircuit::connect(ReplayedWire wire, OperationIndex before, OperationIndex after) {
  (before == kNoOperation ? first_[wire] : link_on(before, wire).next) = after;
  (after == kNoOperation ? last_[wire] : link_on(after, wire).previous) = before;
}

void ReplayedCircuit::begin_window() {
  window_.clear();
  operands_.clear();
  first_operands_.clear();
  wires_.clear();
}

const char* ReplayedCircuit::add_to_window(OperationIndex index) {
  if (!contains(index)) return "the operation does not exist";
  if (table_[nodes_[index].code].is_boundary()) return "only gates may be rewritten";
  first_operands_.push_back(operands_.size());
  for (const Link& link : links_of(index)) {
    const auto wire = std::ranges::find(wires_, link.wire, &WindowWire::wire);
    if (wire == wires_.end()) {
      if (wires_.size() == kMaxWindowWires) return "the window has more than 64 wires";
      operands_.push_back(static_cast<std::uint8_t>(wires_.size()));
      wires_.push_back({link.wire, link.previous, link.next, index});
      continue;
    }
    if (wire->after != index) return "the gate is not the next one on its wires";
    wire->last = index;
    wire->after = link.next;
    operands_.push_back(static_cast<std::uint8_t>(wire - wires_.begin()));
  }
  window_.push_back(index);
  return nullptr;
}

const char* ReplayedCircuit::add_wire_to_window(ReplayedWire wire, OperationIndex before) {
  if (wire >= qubits_) return "the wire does not exist";
  if (wires_.size() == kMaxWindowWires) return "the window has more than 64 wires";
  if (std::ranges::find(wires_, wire, &WindowWire::wire) != wires_.end()) {
    return "the wire is already in the window";
  }
  OperationIndex after = first_[wire];
  if (before != kNoOperation) {
    if (!contains(before)) return "the operation before the gap does not exist";
    const std::span<const Link> links = links_of(before);
    const auto link = std::ranges::find(links, wire, &Link::wire);
    if (link == links.end()) return "the operation before the gap is not on the wire";
    after = link->next;
  }
  wires_.push_back({wire, before, after, kNoOperation});
  return nullptr;
}

ReplayedCircuit::WindowOperation ReplayedCircuit::window_operation(std::size_t i) const {
  const Node& node = nodes_[window_[i]];
  return {node.code, std::span(operands_).subspan(first_operands_[i], node.links)};
}

ReplayedCircuit::Bounds ReplayedCircuit::bounds_of_window() const {
  Bounds bounds{0, kHighestPosition};
  for (const WindowWire& wire : wires_) {
    if (wire.before != kNoOperation) {
      bounds.low = std::max(bounds.low, nodes_[wire.before].position);
    }
    if (wire.after != kNoOperation) {
      bounds.high = std::min(bounds.high, nodes_[wire.after].position);
    }
  }
  return bounds;
}

std::vector<OperationIndex> ReplayedCircuit::dependents_up_to(std::uint64_t low) {
  visits_.resize(nodes_.size());
  if (++searches_ == 0) {
    std::ranges::fill(visits_, 0);
    searches_ = 1;
  }
  std::vector<OperationIndex> found;
  const auto visit = [&](OperationIndex index) {
    if (index == kNoOperation || visits_[index] == searches_) return;
    if (nodes_[index].position > low) return;
    visits_[index] = searches_;
    found.push_back(index);
  };
  for (const WindowWire& wire : wires_) visit(wire.after);
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (const Link& link : links_of(found[i])) visit(link.next);
  }
  std::ranges::stable_sort(found, {}, [&](OperationIndex i) { return nodes_[i].position; });
  return found;
}

std::uint64_t ReplayedCircuit::lowest_above(std::uint64_t low,
                                            std::span<const OperationIndex> operations) const {
  std::uint64_t lowest = kHighestPosition;
  for (const OperationIndex index : operations) {
    for (const Link& link : links_of(index)) {
      if (link.next == kNoOperation) continue;
      const std::uint64_t position = nodes_[link.next].position;
      if (position > low) lowest = std::min(lowest, position);
    }
  }
  return lowest;
}

bool ReplayedCircuit::move_dependents() {
  std::uint64_t low = bounds_of_window().low;
  const std::vector<OperationIndex> moved = dependents_up_to(low);
  for (const WindowWire& wire : wires_) {
    if (wire.before != kNoOperation && visits_[wire.before] == searches_) return false;
  }
  const auto step = [&] {
    return std::min(spacing_, (lowest_above(low, moved) - low) / (moved.size() + 1));
  };
  if (step() == 0) {
    renumber();
    low = bounds_of_window().low;
    ensure(step() != 0, "the replay has room for the operations that it moves");
  }
  const std::uint64_t distance = step();
  std::uint64_t position = low;
  for (const OperationIndex index : moved) nodes_[index].position = position += distance;
  return true;
}

void ReplayedCircuit::renumber() {
  std::vector<OperationIndex> order;
  order.reserve(size_);
  for (OperationIndex i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].is_present) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](OperationIndex i) { return nodes_[i].position; });
  spacing_ = (std::uint64_t{1} << 63U) / (order.size() + 1);
  std::uint64_t position = 0;
  for (const OperationIndex index : order) nodes_[index].position = position += spacing_;
}

void ReplayedCircuit::remove_window() {
  for (const OperationIndex index : window_) {
    nodes_[index].is_present = false;
    free_[nodes_[index].links].push_back(index);
    --size_;
  }
}

const char* ReplayedCircuit::replace_window(std::span<const WindowOperation> gates,
                                            std::vector<OperationIndex>& inserted) {
  Bounds bounds = bounds_of_window();
  if (bounds.low >= bounds.high) {
    if (!move_dependents()) return "a path leaves the window and returns";
    bounds = bounds_of_window();
  }
  if (bounds.high - bounds.low <= gates.size()) {
    renumber();
    bounds = bounds_of_window();
  }
  ensure(bounds.low < bounds.high && bounds.high - bounds.low > gates.size(),
         "the replay has room for the gates of a window");
  const std::uint64_t step = std::min(spacing_, (bounds.high - bounds.low) / (gates.size() + 1));
  remove_window();
  for (WindowWire& wire : wires_) wire.last = wire.before;
  std::uint64_t position = bounds.low;
  for (const WindowOperation& gate : gates) {
    const OperationIndex index = new_node(gate.code, gate.operands.size());
    nodes_[index].position = position += step;
    for (std::size_t i = 0; i < gate.operands.size(); ++i) {
      WindowWire& wire = wires_[gate.operands[i]];
      links_of(index)[i].wire = wire.wire;
      connect(wire.wire, wire.last, index);
      wire.last = index;
    }
    inserted.push_back(index);
  }
  for (const WindowWire& wire : wires_) connect(wire.wire, wire.last, wire.after);
  return nullptr;
}

std::optional<std::string> ReplayedCircuit::difference_from(const Circuit& circuit) {
  if (circuit.qubit_count() != qubits_ ||
      std::size_t{circuit.qubit_count()} + circuit.bit_count() != first_.size()) {
    return "the numbers of qubits or classical bits differ";
  }
  if (circuit.operations.size() != size_) {
    return fmt::format("the journal ends with {} operations, the circuit has {}", size_,
                       circuit.operations.size());
  }
  std::vector<OperationIndex> next = first_;
  for (std::size_t i = 0; i < circuit.operations.size(); ++i) {
    const Operation& operation = circuit.operations[i];
    const std::vector<ReplayedWire> wires = wires_of(operation);
    // An operation without wires cannot be compared by its place.
    if (wires.empty()) return fmt::format("operation {} acts on no wire", i);
    const OperationIndex index = next[wires[0]];
    const bool is_same =
        index != kNoOperation && nodes_[index].code == table_.code_of(operation) &&
        std::ranges::equal(links_of(index), wires, {}, &Link::wire) &&
        std::ranges::all_of(wires, [&](ReplayedWire wire) { return next[wire] == index; });
    if (!is_same) {
      return fmt::format("operation {} of the circuit, {}, is not at this place after the journal",
                         i, describe(operation));
    }
    for (const Link& link : links_of(index)) next[link.wire] = link.next;
  }
  return std::nullopt;
}

}  // namespace quartz::certify
