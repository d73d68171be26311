#include "optimize/annealing/history/change_history.hpp"

#include <algorithm>
#include <utility>

#include "optimize/annealing/annealing_labels.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

constexpr circuit::RecordedGates::Code kNoCode = ~circuit::RecordedGates::Code{0};

}  // namespace

void ChangeHistory::start_from(circuit::HistoryPointer history, std::size_t gates) {
  history_ = std::move(history);
  size_ = gates;
  gates_in_places_.resize(gates);
  for (std::size_t i = 0; i < gates; ++i) {
    gates_in_places_[i] = {static_cast<circuit::GateNumber>(i)};
  }
}

circuit::RecordedGate ChangeHistory::recorded(const rewrite::PlainGate& gate) {
  if (codes_.size() <= gate.label) codes_.resize(gate.label + std::size_t{1}, kNoCode);
  circuit::RecordedGates::Code& code = codes_[gate.label];
  if (code == kNoCode) code = gates_->code_of(labels_->operations({&gate, 1}).front());
  return {code, {gate.wires.begin(), gate.wires.begin() + gate.size}};
}

circuit::RecordedPlace ChangeHistory::place_after(const ChangeLog& log,
                                                  const rewrite::WireLists::Gap& gap) const {
  if (gap.before == rewrite::kNoGate) return {gap.wire, 0};
  return {gap.wire, number_on(log, gap.wire, gates_in_places_[gap.before]) + 1};
}

circuit::GateNumber ChangeHistory::number_on(const ChangeLog& log, rewrite::Wire wire,
                                             KnownGate gate) const {
  while (gate.left_out_change != UndoneChanges::kNone) {
    gate = removed_gates_[undone_.last_replaced(log, gate.left_out_change, wire)];
  }
  return gate.number;
}

void ChangeHistory::keep_removed(const ChangeLog& log, std::size_t change) {
  const LoggedChange now = log[change];
  KnownGate* known = removed_gates_.data() + log.changes[change].first_removed;
  for (const rewrite::WireLists::RemovedGate& gate : now.removed) {
    *known++ = gates_in_places_[gate.index];
  }
}

void ChangeHistory::append_rewrite(const ChangeLog& log, std::size_t change,
                                   circuit::HistoryRecorder& recorder) {
  keep_removed(log, change);
  const UndoneChanges::Reduced now = undone_.reduced(change);
  const bool is_undone = undone_.partner(change) != UndoneChanges::kNone;
  auto& [removed, wires, places, inserted] = scratch_;
  removed.clear();
  wires.clear();
  inserted.clear();
  places.clear();
  for (const UndoneChanges::NewWire& wire : now.new_wires) {
    const rewrite::WireLists::Gap& gap = log[change].gaps[wire.gap];
    places.push_back(
        wire.before == UndoneChanges::kNone
            ? place_after(log, gap)
            : circuit::RecordedPlace{gap.wire,
                                     number_on(log, gap.wire, removed_gates_[wire.before]) + 1});
  }
  for (const std::uint32_t index : now.removed) {
    removed.push_back(removed_gates_[index].number);
    const rewrite::PlainGate& gate = log.removed[index].gate;
    for (unsigned i = 0; i < gate.size; ++i) {
      if (std::ranges::find(wires, gate.wires[i]) == wires.end()) wires.push_back(gate.wires[i]);
    }
  }
  for (const auto& [gate, before] : now.old_gates) {
    gates_in_places_[log.inserted[gate]] = removed_gates_[before];
  }
  circuit::GateNumber next = recorder.next_number();
  for (const std::uint32_t gate : now.inserted) {
    gates_in_places_[log.inserted[gate]] =
        is_undone ? KnownGate{.left_out_change = static_cast<std::uint32_t>(change)}
                  : KnownGate{next++};
    if (is_undone) continue;
    for (Qubit& qubit : inserted.emplace_back(recorded(log.inserted_gates[gate])).qubits) {
      const auto wire = std::ranges::find(wires, qubit);
      if (wire != wires.end())
        qubit = circuit::kWindowWire | static_cast<Qubit>(wire - wires.begin());
    }
  }
  if (is_undone || (removed.empty() && inserted.empty())) return;
  recorder.rewrite(removed, places, inserted);
}

std::size_t ChangeHistory::append_rotations(const ChangeLog& log, std::size_t first,
                                            circuit::HistoryRecorder& recorder) {
  auto& [removed, wires, places, inserted] = scratch_;
  removed.clear();
  places.clear();
  inserted.clear();
  for (bool is_continued = true; is_continued; ++first) {
    is_continued = log.changes[first].is_continued;
    const LoggedChange entry = log[first];
    for (const rewrite::WireLists::RemovedGate& gate : entry.removed) {
      removed.push_back(gates_in_places_[gate.index].number);
    }
    for (std::size_t i = 0; i < entry.inserted.size(); ++i) {
      places.push_back(place_after(log, entry.gaps[0]));
      gates_in_places_[entry.inserted[i]] = {recorder.next_number() +
                                             static_cast<circuit::GateNumber>(inserted.size())};
      inserted.push_back(recorded(entry.inserted_gates[i]));
    }
  }
  recorder.exchange(removed, inserted, places);
  return first;
}

void ChangeHistory::append(const ChangeLog& log, std::size_t first, std::size_t last,
                           const rewrite::WireLists& after) {
  if (first == last) return;
  circuit::HistoryRecorder recorder(size_, gates_);
  gates_in_places_.resize(after.places());
  removed_gates_.resize(log.removed.size());
  undone_.find(log, first, last, after.places());
  while (first < last) {
    if (log.changes[first].kind == RewriteKind::rotations) {
      first = append_rotations(log, first, recorder);
      continue;
    }
    append_rewrite(log, first++, recorder);
  }
  places_by_number_.assign(recorder.next_number(), rewrite::kNoGate);
  for (rewrite::GateIndex place = 0; place < after.places(); ++place) {
    if (after[place].size != 0) places_by_number_[gates_in_places_[place].number] = place;
  }
  // Gates that were inserted together follow each other in this order, but not in that of places.
  circuit::NumberList order;
  for (circuit::GateNumber number = 0; number < places_by_number_.size(); ++number) {
    const rewrite::GateIndex place = places_by_number_[number];
    if (place == rewrite::kNoGate) continue;
    gates_in_places_[place] = {static_cast<circuit::GateNumber>(order.size())};
    order.push_back(number);
  }
  size_ = order.size();
  history_ =
      circuit::in_sequence(std::move(history_), std::move(recorder).finish(std::move(order)));
}

void ChangeHistory::move_gates(std::span<const rewrite::GateIndex> order) {
  std::vector<KnownGate> gates;
  gates.reserve(order.size());
  for (const rewrite::GateIndex place : order) gates.push_back(gates_in_places_[place]);
  gates_in_places_ = std::move(gates);
}

circuit::HistoryPointer ChangeHistory::in_order(std::span<const rewrite::GateIndex> order) const {
  circuit::History::Part part;
  for (const rewrite::GateIndex place : order) part.gates.push_back(gates_in_places_[place].number);
  std::vector<circuit::History::Part> parts;
  parts.push_back(std::move(part));
  return circuit::in_sequence(history_, circuit::in_parts(std::move(parts)));
}

}  // namespace quartz::optimizer
