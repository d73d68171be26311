#include "optimize/annealing/history/undone_changes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/container/static_vector.hpp>

#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Most wires of a window whose paths are compared.
constexpr std::size_t kMaxWiresOfPaths = 8;
/// Most gates that a change may bring back. Few windows have more.
constexpr std::size_t kMaxReturnedGates = 16;

bool is_on(const rewrite::PlainGate& gate, rewrite::Wire wire) {
  const auto end = gate.wires.begin() + gate.size;
  return std::find(gate.wires.begin(), end, wire) != end;
}

bool share_wire(const rewrite::PlainGate& a, const rewrite::PlainGate& b) {
  return std::any_of(a.wires.begin(), a.wires.begin() + a.size,
                     [&](rewrite::Wire wire) { return is_on(b, wire); });
}

/// The paths through the gates of a side that are replaced.
class WindowPaths {
 public:
  explicit WindowPaths(std::span<const SideGate> gates) {
    for (std::size_t i = 0; i < kMaxWiresOfPaths; ++i) sources_[i] = WireSet{1} << i;
    for (const SideGate& gate : gates) {
      if (!gate.stays()) append(gate.wires);
    }
  }

  [[nodiscard]] WireSet wires() const { return wires_; }
  /// Returns whether each path of others has one here with the same ends.
  [[nodiscard]] bool have_all_of(const WindowPaths& others) const {
    for (std::size_t i = 0; i < kMaxWiresOfPaths; ++i) {
      if ((others.sources_[i] & ~sources_[i]) != 0) return false;
    }
    return true;
  }

 private:
  void append(WireSet wires) {
    WireSet sources = 0;
    for (std::size_t i = 0; i < kMaxWiresOfPaths; ++i) {
      if ((wires >> i & 1U) != 0) sources |= sources_[i];
    }
    for (std::size_t i = 0; i < kMaxWiresOfPaths; ++i) {
      if ((wires >> i & 1U) != 0) sources_[i] = sources;
    }
    wires_ |= wires;
  }

  /// For the end of each wire, the wires at whose starts paths to it begin.
  std::array<WireSet, kMaxWiresOfPaths> sources_{};
  WireSet wires_ = 0;
};

}  // namespace

std::uint32_t UndoneChanges::owner_of(rewrite::GateIndex place) const {
  if (place >= owners_.size()) return kNone;  // also for kNoGate
  const std::uint32_t owner = owners_[place];
  return owner != kNone && owner >= barrier_ ? owner : kNone;
}

UndoneChanges::Reduced UndoneChanges::reduced(std::size_t change) const {
  const State& now = states_[change - first_];
  const State& next = states_[change - first_ + 1];
  const auto part = [&]<typename Part>(const std::vector<Part>& all, std::uint32_t State::*begin) {
    return std::span(all).subspan(now.*begin, next.*begin - now.*begin);
  };
  return {part(removed_, &State::first_removed), part(inserted_, &State::first_inserted),
          part(old_gates_, &State::first_old_gate), part(new_wires_, &State::first_new_wire)};
}

void UndoneChanges::list_replaced() {
  for (const SideGate& gate : sides_.left()) {
    if (!gate.stays()) removed_.push_back(gate.index);
  }
}

std::uint32_t UndoneChanges::take_replaced(const ChangeLog& log) {
  std::uint32_t common = kNone;
  std::uint32_t count = 0;
  bool is_common = true;
  for (const SideGate& gate : sides_.left()) {
    const std::uint32_t owner = owner_of(log.removed[gate.index].index);
    owner_of_removed(gate.index) = owner;
    if (gate.stays()) continue;
    if (count++ == 0) common = owner;
    is_common = is_common && owner == common;
    if (owner != kNone) --state_of(owner).alive;
  }
  if (!is_common || common == kNone) return kNone;
  return state_of(common).alive == 0 && state_of(common).inserted == count ? common : kNone;
}

std::uint32_t UndoneChanges::owner_before(const ChangeLog& log, std::uint32_t change,
                                          rewrite::Wire wire, bool is_last) {
  const std::span<const std::uint32_t> replaced = reduced(change).removed;
  const auto is_on_wire = [&](std::uint32_t gate) { return is_on(log.removed[gate].gate, wire); };
  std::uint32_t owner = kNone;
  if (is_last) {
    const auto found = std::find_if(replaced.rbegin(), replaced.rend(), is_on_wire);
    if (found != replaced.rend()) owner = owner_of_removed(*found);
  } else {
    const auto found = std::ranges::find_if(replaced, is_on_wire);
    if (found != replaced.end()) owner = owner_of_removed(*found);
  }
  return owner != kNone && owner >= barrier_ ? owner : kNone;
}

void UndoneChanges::note_split(const ChangeLog& log, rewrite::Wire wire, std::uint32_t before,
                               std::uint32_t after) {
  // A change replaces gates of earlier changes only, so that the later one of two is not among
  // those that lead back from the earlier one. A split change stays in the history, and with it
  // those whose gates it replaced.
  while (before != kNone && after != kNone) {
    if (state_of(before).is_split || state_of(after).is_split) return;
    if (before == after) {
      state_of(before).is_split = true;
      return;
    }
    if (before > after) {
      before = owner_before(log, before, wire, true);
    } else {
      after = owner_before(log, after, wire, false);
    }
  }
}

void UndoneChanges::look_around(const ChangeLog& log,
                                std::span<const rewrite::WireLists::Gap> gaps) {
  const WireSet removed_wires = sides_.removed_wires();
  for (WireSet wires = sides_.replaced_wires(); wires != 0; wires &= wires - 1) {
    const auto wire = static_cast<std::uint32_t>(std::countr_zero(wires));
    const WindowSides::Neighbours next = sides_.neighbours(wire);
    if ((removed_wires >> wire & 1U) == 0) {
      new_wires_.push_back({wire, next.before != nullptr ? next.before->index : kNone});
    }
    if (!log.leaves_out_undone) continue;
    const auto owner = [&](const SideGate* gate, rewrite::GateIndex outside) {
      return gate != nullptr ? owner_of_removed(gate->index) : owner_of(outside);
    };
    note_split(log, gaps[wire].wire, owner(next.before, gaps[wire].before),
               owner(next.after, gaps[wire].after));
  }
}

bool UndoneChanges::brings_back(const ChangeLog& log, std::uint32_t earlier) {
  const std::span<const std::uint32_t> replaced = reduced(earlier).removed;
  if (replaced.size() > kMaxReturnedGates) return false;
  boost::container::static_vector<std::uint32_t, kMaxReturnedGates> gates(replaced.begin(),
                                                                          replaced.end());
  const std::size_t old_gates = old_gates_.size();
  for (const SideGate& gate : sides_.right()) {
    if (gate.stays()) continue;
    // The next gate on the wires of the inserted one must be the same.
    const auto next = std::ranges::find_if(
        gates, [&](std::uint32_t each) { return share_wire(log.removed[each].gate, *gate.gate); });
    if (next == gates.end() || !is_same_gate(log.removed[*next].gate, *gate.gate)) {
      old_gates_.resize(old_gates);
      return false;
    }
    old_gates_.push_back({gate.index, *next});
    gates.erase(next);
  }
  if (gates.empty()) return true;
  old_gates_.resize(old_gates);
  return false;
}

bool UndoneChanges::adds_no_path(std::size_t wires) const {
  if (wires > kMaxWiresOfPaths) return false;
  const WindowPaths before(sides_.left());
  const WindowPaths after(sides_.right());
  return before.wires() == after.wires() && before.have_all_of(after);
}

void UndoneChanges::add_rewrite(const ChangeLog& log, std::uint32_t change) {
  sides_.list(log, change);
  sides_.match();
  const std::span<const rewrite::WireLists::Gap> gaps = log[change].gaps;
  list_replaced();
  const std::uint32_t undone = log.leaves_out_undone ? take_replaced(log) : kNone;
  look_around(log, gaps);
  for (const SideGate& gate : sides_.right()) {
    if (gate.stays()) old_gates_.push_back({gate.index, gate.same});
  }
  const std::size_t staying = old_gates_.size();
  const bool is_left_out = undone != kNone && !state_of(undone).is_split &&
                           adds_no_path(gaps.size()) && brings_back(log, undone);
  if (is_left_out) {
    state_of(undone).partner = change;
    state_of(change).partner = undone;
  } else {
    for (const SideGate& gate : sides_.right()) {
      if (gate.stays()) continue;
      inserted_.push_back(gate.index);
      if (log.leaves_out_undone) owners_[log.inserted[gate.index]] = change;
    }
    State& state = state_of(change);
    state.alive = state.inserted =
        static_cast<std::uint32_t>(inserted_.size()) - state.first_inserted;
  }
  if (!log.leaves_out_undone) return;
  for (std::size_t i = state_of(change).first_old_gate; i < old_gates_.size(); ++i) {
    const std::uint32_t owner = owner_of_removed(old_gates_[i].removed);
    owners_[log.inserted[old_gates_[i].inserted]] = owner;
    // Gates that are back belong to the changes that had inserted them before.
    if (i >= staying && owner != kNone) ++state_of(owner).alive;
  }
}

void UndoneChanges::begin_change(std::uint32_t change) {
  State& state = state_of(change);
  state.first_removed = static_cast<std::uint32_t>(removed_.size());
  state.first_inserted = static_cast<std::uint32_t>(inserted_.size());
  state.first_old_gate = static_cast<std::uint32_t>(old_gates_.size());
  state.first_new_wire = static_cast<std::uint32_t>(new_wires_.size());
}

void UndoneChanges::find(const ChangeLog& log, std::size_t first, std::size_t last,
                         std::size_t places) {
  first_ = first;
  first_removed_ = log.changes[first].first_removed;
  barrier_ = static_cast<std::uint32_t>(first);
  states_.assign(last - first + 1, {});
  removed_.clear();
  inserted_.clear();
  old_gates_.clear();
  new_wires_.clear();
  owners_.assign(places, kNone);
  owners_of_removed_.resize(log.removed.size() - first_removed_);
  auto shared = std::ranges::upper_bound(log.shared, first);
  for (std::size_t i = first; i < last; ++i) {
    const auto change = static_cast<std::uint32_t>(i);
    begin_change(change);
    for (; shared != log.shared.end() && *shared <= i; ++shared) barrier_ = change;
    if (log.changes[i].kind != RewriteKind::rotations) {
      add_rewrite(log, change);
      continue;
    }
    barrier_ = change + 1;
    for (const rewrite::GateIndex place : log[i].inserted) owners_[place] = kNone;
  }
  begin_change(static_cast<std::uint32_t>(last));
}

std::uint32_t UndoneChanges::last_replaced(const ChangeLog& log, std::uint32_t change,
                                           rewrite::Wire wire) const {
  const std::span<const std::uint32_t> replaced = reduced(change).removed;
  const auto last = std::find_if(replaced.rbegin(), replaced.rend(), [&](std::uint32_t gate) {
    return is_on(log.removed[gate].gate, wire);
  });
  ensure(last != replaced.rend(), "a change that is undone has the same wires on both sides");
  return *last;
}

}  // namespace quartz::optimizer
