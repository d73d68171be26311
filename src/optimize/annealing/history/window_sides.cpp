#include "optimize/annealing/history/window_sides.hpp"

#include <algorithm>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

WireSet wires_of(const rewrite::PlainGate& gate, std::span<const rewrite::WireLists::Gap> wires) {
  WireSet set = 0;
  for (std::size_t i = 0; i < gate.size; ++i) {
    std::size_t index = 0;
    while (wires[index].wire != gate.wires[i]) ++index;
    set |= WireSet{1} << index;
  }
  return set;
}

/// Sets all but the position. Each member by itself: a temporary object that is copied is read in
/// larger parts than it was written, which the processor waits for.
void begin(SideGate& side, const rewrite::PlainGate& gate, std::uint32_t index,
           std::span<const rewrite::WireLists::Gap> wires) {
  side.gate = &gate;
  side.index = index;
  side.wires = wires_of(gate, wires);
  side.same = SideGate::kNone;
  side.is_at_end = false;
}

/// Matches the gates that both sides have at their starts, in some order of each circuit. With
/// reverse iterators, the starts are their ends.
template <typename Iterator>
void match_starts(Iterator left, Iterator left_end, Iterator right, Iterator right_end) {
  WireSet blocked = 0;  // wires of gates of the left side that are not matched
  for (; left != left_end; ++left) {
    SideGate& gate = *left;
    if (gate.stays()) continue;
    const auto touches = [&](const SideGate& other) {
      return !other.stays() && (gate.wires & other.wires) != 0;
    };
    const auto first =
        (gate.wires & blocked) != 0 ? right_end : std::find_if(right, right_end, touches);
    if (first == right_end || !is_same_gate(*gate.gate, *(*first).gate)) {
      blocked |= gate.wires;
      continue;
    }
    gate.same = (*first).index;
    (*first).same = gate.index;
  }
}

}  // namespace

void WindowSides::list(const ChangeLog& log, std::size_t change) {
  const LoggedChange now = log[change];
  ensure(now.gaps.size() <= 64, "a set of the wires of a window fits a word");
  left_.resize(now.removed.size());
  right_.resize(now.inserted.size());
  auto index = static_cast<std::uint32_t>(log.changes[change].first_removed);
  for (std::size_t i = 0; i < left_.size(); ++i) {
    const rewrite::WireLists::RemovedGate& gate = now.removed[i];
    begin(left_[i], gate.gate, index++, now.gaps);
    left_[i].position = gate.position;
    // Windows have few gates, most of which are listed in order.
    for (std::size_t k = i; k > 0 && left_[k].position < left_[k - 1].position; --k) {
      std::swap(left_[k], left_[k - 1]);
    }
  }
  index = static_cast<std::uint32_t>(log.changes[change].first_inserted);
  for (std::size_t i = 0; i < right_.size(); ++i) {
    begin(right_[i], now.inserted_gates[i], index++, now.gaps);
    right_[i].position = 0;
  }
}

void WindowSides::match() {
  match_starts(left_.begin(), left_.end(), right_.begin(), right_.end());
  for (SideGate& gate : left_) gate.is_at_end = !gate.stays();
  match_starts(left_.rbegin(), left_.rend(), right_.rbegin(), right_.rend());
  for (SideGate& gate : left_) gate.is_at_end = gate.is_at_end && gate.stays();

  // Inserted gates get the condition of removed ones, so that there must be one.
  const bool removes_nothing = std::ranges::all_of(left_, &SideGate::stays);
  if (!removes_nothing || std::ranges::all_of(right_, &SideGate::stays)) return;
  for (std::vector<SideGate>* side : {&left_, &right_}) {
    for (SideGate& gate : *side) gate.same = SideGate::kNone;
  }
}

WindowSides::Neighbours WindowSides::neighbours(std::size_t wire) const {
  Neighbours found;
  for (const SideGate& gate : left_) {
    if (!gate.stays() || (gate.wires >> wire & 1U) == 0) continue;
    // Gates that stay at the end of the window come behind those that are replaced.
    if (gate.is_at_end) {
      found.after = &gate;
      break;
    }
    found.before = &gate;
  }
  return found;
}

}  // namespace quartz::optimizer
