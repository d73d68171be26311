#include "optimize/annealing/change_history.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "optimize/annealing/annealing_labels.hpp"

namespace quartz::optimizer {
namespace {

constexpr circuit::RecordedGates::Code kNoCode = ~circuit::RecordedGates::Code{0};

}  // namespace

void ChangeHistory::start_from(circuit::HistoryPointer history, std::size_t gates) {
  history_ = std::move(history);
  size_ = gates;
  numbers_.resize(gates);
  std::iota(numbers_.begin(), numbers_.end(), 0U);
}

ChangeHistory::Entry ChangeHistory::entry_of(const ChangeLog& log, std::size_t change) {
  const Change& now = log.changes[change];
  const bool is_last = change + 1 == log.changes.size();
  const auto part = [&](const auto& all, std::size_t first, std::size_t Change::*begin) {
    return all.subspan(first, (is_last ? all.size() : log.changes[change + 1].*begin) - first);
  };
  return {part(log.removed, now.first_removed, &Change::first_removed),
          part(log.inserted, now.first_inserted, &Change::first_inserted),
          part(log.inserted_gates, now.first_inserted, &Change::first_inserted),
          part(log.gaps, now.first_gap, &Change::first_gap)};
}

circuit::RecordedGate ChangeHistory::recorded(const rewrite::PlainGate& gate) {
  if (codes_.size() <= gate.label) codes_.resize(gate.label + std::size_t{1}, kNoCode);
  circuit::RecordedGates::Code& code = codes_[gate.label];
  if (code == kNoCode) code = gates_->code_of(labels_->operations({&gate, 1}).front());
  return {code, {gate.wires.begin(), gate.wires.begin() + gate.size}};
}

circuit::RecordedPlace ChangeHistory::place_after(const rewrite::WireLists::Gap& gap) const {
  return {gap.wire, gap.before == rewrite::kNoGate ? 0 : numbers_[gap.before] + 1};
}

void ChangeHistory::number(rewrite::GateIndex place, circuit::GateNumber number) {
  if (numbers_.size() <= place) numbers_.resize(place + std::size_t{1});
  numbers_[place] = number;
}

void ChangeHistory::append_rewrite(const Entry& entry, circuit::HistoryRecorder& recorder) {
  auto& [sorted, removed, gaps, inserted] = scratch_;
  sorted.assign(entry.removed.begin(), entry.removed.end());
  std::ranges::sort(sorted, {}, &rewrite::WireLists::RemovedGate::position);
  removed.clear();
  for (const rewrite::WireLists::RemovedGate& gate : sorted) {
    removed.push_back(numbers_[gate.index]);
  }
  gaps.clear();
  for (const rewrite::WireLists::Gap& gap : entry.gaps) {
    const bool has_gates = std::ranges::any_of(sorted, [&](const auto& gate) {
      const auto& wires = gate.gate.wires;
      const auto end = wires.begin() + gate.gate.size;
      return std::find(wires.begin(), end, gap.wire) != end;
    });
    if (!has_gates) gaps.push_back(place_after(gap));
  }
  inserted.clear();
  const circuit::GateNumber first = recorder.next_number();
  for (std::size_t i = 0; i < entry.inserted.size(); ++i) {
    inserted.push_back(recorded(entry.inserted_gates[i]));
    number(entry.inserted[i], first + static_cast<circuit::GateNumber>(i));
  }
  recorder.rewrite(removed, gaps, inserted);
}

std::size_t ChangeHistory::append_rotations(const ChangeLog& log, std::size_t first,
                                            circuit::HistoryRecorder& recorder) {
  auto& [sorted, removed, places, inserted] = scratch_;
  removed.clear();
  places.clear();
  inserted.clear();
  for (bool is_continued = true; is_continued; ++first) {
    is_continued = log.changes[first].is_continued;
    const Entry entry = entry_of(log, first);
    for (const rewrite::WireLists::RemovedGate& gate : entry.removed) {
      removed.push_back(numbers_[gate.index]);
    }
    for (std::size_t i = 0; i < entry.inserted.size(); ++i) {
      places.push_back(place_after(entry.gaps[0]));
      number(entry.inserted[i],
             recorder.next_number() + static_cast<circuit::GateNumber>(inserted.size()));
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
  while (first < last) {
    if (log.changes[first].kind == RewriteKind::rotations) {
      first = append_rotations(log, first, recorder);
      continue;
    }
    append_rewrite(entry_of(log, first++), recorder);
  }
  std::vector<circuit::GateNumber> order;
  order.reserve(after.size());
  numbers_.resize(after.places());
  for (rewrite::GateIndex place = 0; place < after.places(); ++place) {
    if (after[place].size == 0) continue;
    order.push_back(numbers_[place]);
    numbers_[place] = static_cast<circuit::GateNumber>(order.size() - 1);
  }
  size_ = order.size();
  history_ =
      circuit::in_sequence(std::move(history_), std::move(recorder).finish(std::move(order)));
}

void ChangeHistory::move_gates(std::span<const rewrite::GateIndex> order) {
  std::vector<circuit::GateNumber> numbers;
  numbers.reserve(order.size());
  for (const rewrite::GateIndex place : order) numbers.push_back(numbers_[place]);
  numbers_ = std::move(numbers);
}

circuit::HistoryPointer ChangeHistory::in_order(std::span<const rewrite::GateIndex> order) const {
  circuit::History::Part part;
  part.gates.reserve(order.size());
  for (const rewrite::GateIndex place : order) part.gates.push_back(numbers_[place]);
  std::vector<circuit::History::Part> parts;
  parts.push_back(std::move(part));
  return circuit::in_sequence(history_, circuit::in_parts(std::move(parts)));
}

}  // namespace quartz::optimizer
