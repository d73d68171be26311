#include "certify/replay/replayed_circuit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::certify {
namespace {

constexpr std::uint64_t kHighestPosition = std::numeric_limits<std::uint64_t>::max();

Operation without_qubits_and_conditions(const Operation& operation) {
  Operation result = operation;
  result.qubits.clear();
  if (operation.conditions().empty()) return result;
  ClassicalPart part = *operation.classical;
  part.conditions.clear();
  const bool is_empty = part == ClassicalPart();
  result.classical = is_empty ? nullptr : std::make_shared<const ClassicalPart>(std::move(part));
  return result;
}

/// Returns whether two operations are the same but for their qubits and conditions. `content` has
/// neither.
bool has_content(const Operation& operation, const Operation& content) {
  if (operation.kind != content.kind || operation.gate != content.gate) return false;
  if (operation.angles != content.angles) return false;
  if (operation.classical == nullptr) return content.classical == nullptr;
  return without_qubits_and_conditions(operation) == content;
}

/// Depends on what has_content() compares alone.
std::size_t hash_of(const Operation& operation) {
  constexpr std::size_t kFactor = 0x9e3779b97f4a7c15ULL;
  std::size_t hash =
      static_cast<std::size_t>(operation.kind) * 257 + static_cast<std::size_t>(operation.gate);
  for (const Angle& angle : operation.angles) {
    hash = hash * kFactor + angle.hash();
  }
  if (operation.classical == nullptr) return hash;
  // Each of a million measurements has a bit of its own.
  for (const ClassicalBit bit : operation.classical->bits) hash = hash * kFactor + bit + 1;
  const std::string& name = operation.classical->opaque_name;
  return name.empty() ? hash : hash * kFactor + std::hash<std::string>()(name);
}

std::string name_in_words(const Operation& operation) {
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
  const std::size_t hash = hash_of(operation);
  OperationCode& recent = recent_[(hash ^ hash >> 32U) % recent_.size()];
  if (recent != kNoCode && has_content(operation, operations_[recent])) return recent;
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto entry = begin; entry != end; ++entry) {
    if (has_content(operation, operations_[entry->second])) return recent = entry->second;
  }
  const auto code = recent = static_cast<OperationCode>(operations_.size());
  operations_.push_back(without_qubits_and_conditions(operation));
  by_hash_.emplace(hash, code);
  return code;
}

ReplayedCircuit::ReplayedCircuit(const Circuit& circuit)
    : qubits_(circuit.qubit_count()),
      conditions_(circuit),
      first_(conditions_.wires(), kNoOperation),
      last_(first_) {
  if (circuit.operations.size() >= kNoOperation / 2) {
    throw UsageError("the circuit has too many operations for a replay");
  }
  spacing_ = (std::uint64_t{1} << 63U) / (circuit.operations.size() + 1);
  std::vector<ReplayedWire> wires;
  for (const Operation& operation : circuit.operations) append(circuit, operation, wires);
}

void ReplayedCircuit::list_wires(const Operation& operation,
                                 std::vector<ReplayedWire>& wires) const {
  wires.assign(operation.qubits.begin(), operation.qubits.end());
  conditions_.append_written_wires(operation, wires);
}

OperationIndex ReplayedCircuit::new_node(OperationCode code, ConditionCode condition,
                                         std::size_t links) {
  if (free_.size() <= links) free_.resize(links + 1);
  OperationIndex index = 0;
  if (free_[links].empty()) {
    ensure(nodes_.size() < kNoOperation, "operations are numbered with 32 bits");
    index = static_cast<OperationIndex>(nodes_.size());
    Node& node = nodes_.emplace_back();
    node.links = static_cast<std::uint32_t>(links);
    if (links > kFewLinks) {
      node.first_link = static_cast<std::uint32_t>(many_links_.size());
      many_links_.resize(many_links_.size() + links);
    }
  } else {
    index = free_[links].back();
    free_[links].pop_back();
  }
  nodes_[index].code = code;
  nodes_[index].condition = condition;
  if (condition != kNoCondition) conditions_.add_reader(condition, index);
  ++size_;
  return index;
}

void ReplayedCircuit::append(const Circuit& circuit, const Operation& operation,
                             std::vector<ReplayedWire>& wires) {
  list_wires(operation, wires);
  const ConditionCode condition = conditions_.add(circuit, operation, last_);
  const OperationIndex index = new_node(table_->code_of(operation), condition, wires.size());
  nodes_[index].position = size_ * spacing_;
  for (std::size_t i = 0; i < wires.size(); ++i) {
    links_of(index)[i].wire = wires[i];
    connect(wires[i], last_[wires[i]], index);
    connect(wires[i], index, kNoOperation);
    if (wires[i] >= qubits_) conditions_.end_version(wires[i], index);
  }
}

ReplayedCircuit::Link& ReplayedCircuit::link_on(OperationIndex index, ReplayedWire wire) {
  const std::span<Link> links = links_of(index);
  search_.work += links.size();
  const auto link = std::ranges::find(links, wire, &Link::wire);
  ensure(link != links.end(), "an operation is linked on its own wires only");
  return *link;
}

void ReplayedCircuit::connect(ReplayedWire wire, OperationIndex before, OperationIndex after) {
  (before == kNoOperation ? first_[wire] : link_on(before, wire).next) = after;
  (after == kNoOperation ? last_[wire] : link_on(after, wire).previous) = before;
}

void ReplayedCircuit::begin_window(ConditionCode condition, std::size_t most_wires) {
  window_.operations.clear();
  window_.operands.clear();
  window_.first_operands.clear();
  window_.wires.clear();
  window_.condition = condition;
  window_.most_wires = most_wires;
}

Fault ReplayedCircuit::too_many_wires() const {
  return "the window has more than " + counted(window_.most_wires, "wire");
}

Fault ReplayedCircuit::add_to_window(OperationIndex index) {
  if (!contains(index)) return "the operation does not exist";
  if ((*table_)[nodes_[index].code].is_boundary()) return "only gates may be rewritten";
  if (window_.operations.empty()) window_.condition = nodes_[index].condition;
  if (window_.condition != nodes_[index].condition) return "the gate is under another condition";
  window_.first_operands.push_back(window_.operands.size());
  for (const Link& link : links_of(index)) {
    const auto wire = std::ranges::find(window_.wires, link.wire, &WindowWire::wire);
    if (wire == window_.wires.end()) {
      if (window_.wires.size() == window_.most_wires) return too_many_wires();
      window_.operands.push_back(static_cast<std::uint8_t>(window_.wires.size()));
      window_.wires.push_back({link.wire, link.previous, link.next, index});
      continue;
    }
    if (wire->after != index) return "the gate is not the next one on its wires";
    wire->last = index;
    wire->after = link.next;
    window_.operands.push_back(static_cast<std::uint8_t>(wire - window_.wires.begin()));
  }
  window_.operations.push_back(index);
  return {};
}

Fault ReplayedCircuit::add_wire_to_window(ReplayedWire wire, OperationIndex before) {
  if (window_.wires.size() == window_.most_wires) return too_many_wires();
  if (std::ranges::find(window_.wires, wire, &WindowWire::wire) != window_.wires.end()) {
    return "the wire is already in the window";
  }
  Place place;
  if (Fault fault = find_place(wire, before, place)) return fault;
  window_.wires.push_back({wire, before, place.after, kNoOperation});
  return {};
}

ReplayedCircuit::WindowOperation ReplayedCircuit::window_operation(std::size_t i) const {
  const Node& node = nodes_[window_.operations[i]];
  return {node.code, std::span(window_.operands).subspan(window_.first_operands[i], node.links)};
}

ReplayedCircuit::Bounds ReplayedCircuit::bounds_of_window() const {
  Bounds bounds{0, kHighestPosition};
  const auto add_before = [&](OperationIndex before) {
    if (before != kNoOperation) bounds.low = std::max(bounds.low, nodes_[before].position);
  };
  const auto add_after = [&](OperationIndex after) {
    if (after != kNoOperation) bounds.high = std::min(bounds.high, nodes_[after].position);
  };
  for (const WindowWire& wire : window_.wires) {
    add_before(wire.before);
    add_after(wire.after);
  }
  if (window_.condition == kNoCondition) return bounds;
  for (const OperationIndex before : conditions_.before(window_.condition)) add_before(before);
  for (const OperationIndex after : conditions_.after(window_.condition)) add_after(after);
  return bounds;
}

void ReplayedCircuit::begin_search() {
  search_.marks.resize(nodes_.size());
  if (search_.mark >= std::numeric_limits<std::uint32_t>::max() - 3) {
    std::ranges::fill(search_.marks, 0);
    search_.mark = 0;
  }
  search_.mark += 2;
}

void ReplayedCircuit::sort_by_position(std::vector<OperationIndex>& operations) const {
  constexpr std::size_t kFew = 16;
  if (operations.size() <= kFew) {
    std::ranges::sort(operations, {}, [&](OperationIndex index) { return nodes_[index].position; });
    return;
  }
  // Most operations are not in the cache: each is visited once. All but a few are often sorted.
  std::vector<std::pair<std::uint64_t, OperationIndex>> keys;
  keys.reserve(operations.size());
  for (const OperationIndex index : operations) keys.emplace_back(nodes_[index].position, index);
  const auto unsorted = std::ranges::is_sorted_until(keys);
  std::sort(unsorted, keys.end());
  std::inplace_merge(keys.begin(), unsorted, keys.end());
  std::ranges::transform(keys, operations.begin(), [](const auto& key) { return key.second; });
}

Fault ReplayedCircuit::find_place(ReplayedWire wire, OperationIndex before, Place& place) {
  if (wire >= qubits_) return "the wire does not exist";
  place = {before, first_[wire]};
  if (before == kNoOperation) return {};
  if (!contains(before)) return "the operation before the place does not exist";
  const std::span<const Link> links = links_of(before);
  search_.work += links.size();
  const auto link = std::ranges::find(links, wire, &Link::wire);
  if (link == links.end()) return "the operation before the place is not on the wire";
  place.after = link->next;
  return {};
}

void ReplayedCircuit::add_dependents(std::uint64_t highest, std::vector<OperationIndex>& found) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    for_each_dependent(found[i], [&](OperationIndex index) { mark_up_to(highest, index, found); });
  }
  search_.work += found.size();
}

std::vector<OperationIndex> ReplayedCircuit::dependents_of(
    std::span<const OperationIndex> operations, std::span<const Place> places,
    std::uint64_t highest) {
  std::vector<OperationIndex> found;
  for (const OperationIndex index : operations) mark_up_to(highest, index, found);
  for (const Place& place : places) mark_up_to(highest, place.after, found);
  add_dependents(highest, found);
  return found;
}

Fault ReplayedCircuit::find_hull(std::span<const OperationIndex> operations,
                                 std::span<const Place> places, std::vector<OperationIndex>& hull) {
  // Let U be the operations and those directly behind the places, with all that depend on them, and
  // D the operations and those directly before the places, with all that they depend on. The hull
  // is the part that U and D share; the rest of U is behind it, and all else before it.
  std::uint64_t highest = 0;
  const auto raise = [&](OperationIndex index) {
    if (index != kNoOperation) highest = std::max(highest, nodes_[index].position);
  };
  for (const OperationIndex index : operations) raise(index);
  for (const Place& place : places) raise(place.before);
  begin_search();
  hull.clear();
  if (dependents_of(operations, places, highest).empty()) return {};
  const auto visit = [&](OperationIndex index) {
    // Only operations in U have the first mark; those found here get the second one.
    if (index == kNoOperation || search_.marks[index] != search_.mark) return;
    search_.marks[index] = search_.mark + 1;
    hull.push_back(index);
  };
  for (const OperationIndex index : operations) visit(index);
  for (const Place& place : places) visit(place.before);
  const ConditionCode condition =
      operations.empty() ? kNoCondition : nodes_[operations[0]].condition;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    if (nodes_[hull[i]].condition != condition) {
      if (condition != kNoCondition) return "its gates are under different conditions";
      for (const OperationIndex before : conditions_.before(nodes_[hull[i]].condition)) {
        visit(before);
      }
    }
    if (condition != kNoCondition && (*table_)[nodes_[hull[i]].code].is_boundary()) {
      return "a path between its gates has others";
    }
    for (const Link& link : links_of(hull[i])) visit(link.previous);
  }
  for (const OperationIndex before : conditions_.before(condition)) {
    if (search_.marks[before] == search_.mark) return "a path between its gates has others";
  }
  sort_by_position(hull);
  return {};
}

std::vector<OperationIndex> ReplayedCircuit::dependents_up_to(std::uint64_t position) {
  begin_search();
  std::vector<OperationIndex> found;
  for (const WindowWire& wire : window_.wires) mark_up_to(position, wire.after, found);
  for (const OperationIndex after : conditions_.after(window_.condition)) {
    mark_up_to(position, after, found);
  }
  add_dependents(position, found);
  sort_by_position(found);
  return found;
}

std::uint64_t ReplayedCircuit::lowest_above(std::uint64_t low,
                                            std::span<const OperationIndex> operations) {
  std::uint64_t lowest = kHighestPosition;
  for (const OperationIndex index : operations) {
    for_each_dependent(index, [&](OperationIndex dependent) {
      if (dependent == kNoOperation) return;
      const std::uint64_t position = nodes_[dependent].position;
      if (position > low) lowest = std::min(lowest, position);
    });
  }
  return lowest;
}

bool ReplayedCircuit::has_room(std::size_t gates) const {
  const Bounds bounds = bounds_of_window();
  return bounds.low < bounds.high && bounds.high - bounds.low > gates;
}

bool ReplayedCircuit::has_found_none_before() const {
  const auto is_found = [&](OperationIndex index) {
    return index != kNoOperation && search_.marks[index] == search_.mark;
  };
  return std::ranges::none_of(window_.wires, is_found, &WindowWire::before) &&
         std::ranges::none_of(conditions_.before(window_.condition), is_found);
}

void ReplayedCircuit::move_behind(std::uint64_t position,
                                  std::span<const OperationIndex> operations) {
  const std::uint64_t room = lowest_above(position, operations) - position;
  const std::uint64_t step = std::min(spacing_, room / (operations.size() + 1));
  if (step == 0) return;
  for (const OperationIndex index : operations) nodes_[index].position = position += step;
}

bool ReplayedCircuit::make_room(std::size_t gates) {
  if (has_room(gates)) return true;
  // What depends on the window directly behind it is moved, and if there is no room for that, more
  // of it and farther. New positions for all operations take as long as thousands of rewrites.
  constexpr std::array<std::uint64_t, 3> kReaches{0, 1, 16};
  for (const std::uint64_t reach : kReaches) {
    const std::uint64_t low = bounds_of_window().low;
    if (low > kHighestPosition - reach * spacing_) break;
    const std::uint64_t position = low + reach * spacing_;
    const std::vector<OperationIndex> moved = dependents_up_to(position);
    if (!has_found_none_before()) return false;
    move_behind(position, moved);
    if (has_room(gates)) return true;
  }
  renumber();
  if (!has_room(gates)) {
    const std::uint64_t low = bounds_of_window().low;
    move_behind(low, dependents_up_to(low));
  }
  ensure(has_room(gates), "the replay has room for the gates of a window");
  return true;
}

void ReplayedCircuit::renumber() {
  std::vector<OperationIndex> order;
  order.reserve(size_);
  for (OperationIndex i = 0; i < nodes_.size(); ++i) {
    if (contains(i)) order.push_back(i);
  }
  search_.work += order.size();
  sort_by_position(order);
  spacing_ = (std::uint64_t{1} << 63U) / (order.size() + 1);
  std::uint64_t position = 0;
  for (const OperationIndex index : order) nodes_[index].position = position += spacing_;
}

void ReplayedCircuit::remove_window() {
  for (const OperationIndex index : window_.operations) {
    nodes_[index].code = kNoCode;
    if (nodes_[index].condition != kNoCondition) {
      conditions_.remove_reader(nodes_[index].condition, index);
    }
    free_[nodes_[index].links].push_back(index);
    --size_;
  }
}

Fault ReplayedCircuit::replace_window(std::span<const WindowOperation> gates,
                                      std::vector<OperationIndex>& inserted) {
  if (!make_room(gates.size())) return "a path leaves the window and returns";
  const Bounds bounds = bounds_of_window();
  const std::uint64_t step = std::min(spacing_, (bounds.high - bounds.low) / (gates.size() + 1));
  remove_window();
  for (WindowWire& wire : window_.wires) wire.last = wire.before;
  std::uint64_t position = bounds.low;
  for (const WindowOperation& gate : gates) {
    const OperationIndex index = new_node(gate.code, window_.condition, gate.operands.size());
    nodes_[index].position = position += step;
    for (std::size_t i = 0; i < gate.operands.size(); ++i) {
      WindowWire& wire = window_.wires[gate.operands[i]];
      links_of(index)[i].wire = wire.wire;
      connect(wire.wire, wire.last, index);
      wire.last = index;
    }
    inserted.push_back(index);
  }
  for (const WindowWire& wire : window_.wires) connect(wire.wire, wire.last, wire.after);
  return {};
}

bool ReplayedCircuit::is_followed_by_final_operations(OperationIndex index) {
  begin_search();
  const std::vector<OperationIndex> found = dependents_of({&index, 1}, {}, kHighestPosition);
  return std::ranges::all_of(found, [&](OperationIndex each) {
    if (each == index) return true;
    const OperationKind kind = (*table_)[nodes_[each].code].kind;
    return nodes_[each].condition == kNoCondition &&
           (kind == OperationKind::measure || kind == OperationKind::reset ||
            kind == OperationKind::barrier);
  });
}

void ReplayedCircuit::exchange_wires_behind(OperationIndex index, ReplayedWire a, ReplayedWire b) {
  const std::array<ReplayedWire, 2> wires{a, b};
  std::array<OperationIndex, 2> behind{};
  std::vector<std::pair<Link*, ReplayedWire>> moved;  // links, and their new wires
  for (std::size_t i = 0; i < 2; ++i) {
    behind[i] = link_on(index, wires[i]).next;
    for (OperationIndex each = behind[i]; each != kNoOperation;) {
      Link& link = link_on(each, wires[i]);
      moved.emplace_back(&link, wires[1 - i]);
      each = link.next;
    }
  }
  for (const auto& [link, wire] : moved) link->wire = wire;
  std::swap(last_[a], last_[b]);
  for (std::size_t i = 0; i < 2; ++i) connect(wires[i], index, behind[1 - i]);
}

Fault ReplayedCircuit::insert_final_swap(std::vector<OperationIndex>& inserted) {
  static constexpr std::array<std::uint8_t, 2> kOperands{0, 1};
  ensure(window_.operations.empty() && window_.wires.size() == 2,
         "a SWAP gate is inserted at two places");
  const WindowOperation swap{table_->code_of(make_operation(GateKind::swap, {0, 1})), kOperands};
  if (Fault fault = replace_window({&swap, 1}, inserted)) return fault;
  const OperationIndex index = inserted.back();
  if (!is_followed_by_final_operations(index)) {
    return "an operation behind the SWAP gate is not final";
  }
  exchange_wires_behind(index, window_.wires[0].wire, window_.wires[1].wire);
  return {};
}

// Most operations are not in the cache, and each of them says where the next one is. From both ends
// at once, the processor waits for two of them at the same time.
bool ReplayedCircuit::is_same_from_both_ends(const Circuit& circuit) const {
  std::vector<OperationIndex> next = first_;
  std::vector<OperationIndex> previous = last_;
  const auto take = [&](const Operation& operation, std::vector<OperationIndex>& now,
                        OperationIndex Link::*neighbour) {
    if (operation.classical != nullptr || operation.qubits.empty()) return false;
    const OperationIndex index = now[operation.qubits[0]];
    if (index == kNoOperation || nodes_[index].condition != kNoCondition) return false;
    if (!has_content(operation, (*table_)[nodes_[index].code])) return false;
    const std::span<const Link> links = links_of(index);
    if (links.size() != operation.qubits.size()) return false;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const ReplayedWire wire = operation.qubits[i];
      if (links[i].wire != wire || now[wire] != index) return false;
      now[wire] = links[i].*neighbour;
      prefetch(now[wire]);
    }
    return true;
  };
  const std::size_t half = circuit.operations.size() / 2;
  for (std::size_t i = 0; i < half; ++i) {
    if (!take(circuit.operations[i], next, &Link::next)) return false;
    if (!take(circuit.operations[circuit.operations.size() - 1 - i], previous, &Link::previous)) {
      return false;
    }
  }
  if (circuit.operations.size() % 2 != 0 && !take(circuit.operations[half], next, &Link::next)) {
    return false;
  }
  // On each wire, what comes behind the first part is the second one.
  for (ReplayedWire wire = 0; wire < next.size(); ++wire) {
    OperationIndex before = last_[wire];
    if (next[wire] != kNoOperation) {
      const std::span<const Link> links = links_of(next[wire]);
      before = std::ranges::find(links, wire, &Link::wire)->previous;
    }
    if (before != previous[wire]) return false;
  }
  return true;
}

Fault ReplayedCircuit::difference_from(const Circuit& circuit) {
  if (circuit.qubit_count() != qubits_ || circuit.bit_count() != conditions_.bits()) {
    return "the numbers of qubits or classical bits differ";
  }
  if (circuit.operations.size() != size_) {
    return fmt::format("the journal ends with {}, the circuit has {}", counted(size_, "operation"),
                       circuit.operations.size());
  }
  if (is_same_from_both_ends(circuit)) return {};
  // The first difference is looked for in the order of the circuit.
  std::vector<OperationIndex> next = first_;
  std::vector<OperationIndex> last(first_.size(), kNoOperation);
  std::vector<ReplayedWire> listed;
  for (std::size_t i = 0; i < circuit.operations.size(); ++i) {
    const Operation& operation = circuit.operations[i];
    std::span<const ReplayedWire> wires(operation.qubits.data(), operation.qubits.size());
    if (operation.classical != nullptr) {
      list_wires(operation, listed);
      wires = listed;
    }
    // An operation without wires cannot be compared by its place.
    if (wires.empty()) return fmt::format("operation {} acts on no wire", i);
    const OperationIndex index = next[wires[0]];
    const bool is_same =
        index != kNoOperation && has_content(operation, (*table_)[nodes_[index].code]) &&
        nodes_[index].condition == conditions_.find(circuit, operation, last) &&
        std::ranges::equal(links_of(index), wires, {}, &Link::wire) &&
        std::ranges::all_of(wires, [&](ReplayedWire wire) { return next[wire] == index; });
    if (!is_same) {
      return fmt::format("operation {} of the circuit, {}, is not at this place after the journal",
                         i, name_in_words(operation));
    }
    for (const Link& link : links_of(index)) {
      next[link.wire] = link.next;
      last[link.wire] = index;
      prefetch(link.next);  // most operations are not in the cache
    }
  }
  return {};
}

}  // namespace quartz::certify
