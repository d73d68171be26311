#include "optimize/annealing/change_history.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "optimize/annealing/annealing_labels.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

constexpr circuit::RecordedGates::Code kNoCode = ~circuit::RecordedGates::Code{0};
constexpr circuit::GateNumber kNoNumber = ~circuit::GateNumber{0};

/// Returns the wires of a gate as a set of indices in a list of at most 64 wires.
std::uint64_t wires_of(const rewrite::PlainGate& gate,
                       std::span<const rewrite::WireLists::Gap> wires) {
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < gate.size; ++i) {
    std::size_t index = 0;
    while (wires[index].wire != gate.wires[i]) ++index;
    set |= std::uint64_t{1} << index;
  }
  return set;
}

bool is_same(const rewrite::PlainGate& a, const rewrite::PlainGate& b) {
  return a.label == b.label && a.size == b.size &&
         std::equal(a.wires.begin(), a.wires.begin() + a.size, b.wires.begin());
}

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

void ChangeHistory::list_sides(const Entry& entry) {
  ensure(entry.gaps.size() <= 64, "a set of the wires of a window fits a word");
  auto& [left, right] = sides_;
  left.clear();
  for (const rewrite::WireLists::RemovedGate& gate : entry.removed) {
    left.push_back({gate.gate, gate.index, numbers_[gate.index], wires_of(gate.gate, entry.gaps),
                    gate.position});
    // Windows have few gates, most of which are listed in order.
    for (std::size_t i = left.size() - 1; i > 0 && left[i].position < left[i - 1].position; --i) {
      std::swap(left[i], left[i - 1]);
    }
  }
  right.clear();
  for (std::size_t i = 0; i < entry.inserted.size(); ++i) {
    const rewrite::PlainGate& gate = entry.inserted_gates[i];
    right.push_back({gate, entry.inserted[i], kNoNumber, wires_of(gate, entry.gaps)});
  }
}

template <typename Iterator>
void ChangeHistory::match(Iterator left, Iterator left_end, Iterator right, Iterator right_end) {
  std::uint64_t blocked = 0;  // wires of gates of the left side that are not matched
  for (; left != left_end; ++left) {
    SideGate& gate = *left;
    if (gate.is_matched) continue;
    const auto touches = [&](const SideGate& other) {
      return !other.is_matched && (gate.wires & other.wires) != 0;
    };
    const auto first =
        (gate.wires & blocked) != 0 ? right_end : std::find_if(right, right_end, touches);
    if (first == right_end || !is_same(gate.gate, (*first).gate)) {
      blocked |= gate.wires;
      continue;
    }
    SideGate& other = *first;
    gate.is_matched = other.is_matched = true;
    other.number = gate.number;
  }
}

circuit::RecordedPlace ChangeHistory::place_in_window(const Entry& entry, std::size_t wire) const {
  circuit::RecordedPlace place = place_after(entry.gaps[wire]);
  for (const SideGate& gate : sides_.left) {
    if (!gate.is_matched || (gate.wires >> wire & 1U) == 0) continue;
    // Gates at the end of the window come after the place.
    if (gate.is_at_end) break;
    place.after = gate.number + 1;
  }
  return place;
}

void ChangeHistory::append_rewrite(const Entry& entry, circuit::HistoryRecorder& recorder) {
  list_sides(entry);
  auto& [left, right] = sides_;
  match(left.begin(), left.end(), right.begin(), right.end());
  for (SideGate& gate : left) gate.is_at_end = !gate.is_matched;
  match(left.rbegin(), left.rend(), right.rbegin(), right.rend());
  for (SideGate& gate : left) gate.is_at_end = gate.is_at_end && gate.is_matched;

  // Inserted gates get the condition of removed ones, so that there must be one.
  const bool removes_nothing = std::ranges::all_of(left, &SideGate::is_matched);
  if (removes_nothing && !std::ranges::all_of(right, &SideGate::is_matched)) {
    for (std::vector<SideGate>* side : {&left, &right}) {
      for (SideGate& gate : *side) gate.is_matched = false;
    }
  }

  auto& [removed, gaps, inserted] = scratch_;
  removed.clear();
  inserted.clear();
  for (const SideGate& gate : left) {
    if (!gate.is_matched) removed.push_back(gate.number);
  }
  circuit::GateNumber next = recorder.next_number();
  for (SideGate& gate : right) {
    if (!gate.is_matched) {
      inserted.push_back(recorded(gate.gate));
      gate.number = next++;
    }
  }
  gaps.clear();
  std::uint64_t new_wires = 0;  // wires on which gates are inserted and none removed
  for (const SideGate& gate : right) new_wires |= gate.is_matched ? 0 : gate.wires;
  for (const SideGate& gate : left) new_wires &= gate.is_matched ? ~std::uint64_t{0} : ~gate.wires;
  for (std::size_t wire = 0; wire < entry.gaps.size(); ++wire) {
    if ((new_wires >> wire & 1U) != 0) gaps.push_back(place_in_window(entry, wire));
  }
  for (const SideGate& gate : right) number(gate.place, gate.number);
  if (!removed.empty() || !inserted.empty()) recorder.rewrite(removed, gaps, inserted);
}

std::size_t ChangeHistory::append_rotations(const ChangeLog& log, std::size_t first,
                                            circuit::HistoryRecorder& recorder) {
  auto& [removed, places, inserted] = scratch_;
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
