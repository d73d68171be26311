#include "optimize/scheduling/unit_schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>

namespace quartz::optimizer {
namespace {

/// Schedules are tried until they have handled this many units, at least once and at most this
/// often.
constexpr std::size_t kMostUnits = 40'000;
constexpr std::size_t kMostTries = 200;

/// Neighbours on a wire that all commute, because they have an axis in common: a unit may come next
/// if on each of its wires, all units of earlier groups are done.
class WireGroups {
 public:
  explicit WireGroups(const CommutingUnits& units) : wires_(units.cliffords.size()) {
    sides_.reserve(units.units.size());
    for (const CommutingUnit& unit : units.units) {
      std::vector<std::uint32_t>& groups = sides_.emplace_back();
      for (const CommutingUnit::Side& side : unit.sides) {
        Wire& wire = wires_[side.wire];
        if (wire.groups.empty() || (wire.axes & side.axes) == 0) {
          wire.groups.push_back(0);
          wire.axes = side.axes;
        } else {
          wire.axes &= side.axes;
        }
        ++wire.groups.back();
        groups.push_back(static_cast<std::uint32_t>(wire.groups.size() - 1));
      }
    }
  }

  /// Returns the numbers of units in the groups of each wire.
  [[nodiscard]] std::vector<std::vector<std::uint32_t>> sizes() const {
    std::vector<std::vector<std::uint32_t>> sizes;
    for (const Wire& wire : wires_) sizes.push_back(wire.groups);
    return sizes;
  }
  /// Returns the groups of a unit on each of its wires.
  [[nodiscard]] const std::vector<std::uint32_t>& of(std::uint32_t unit) const {
    return sides_[unit];
  }

 private:
  struct Wire {
    std::vector<std::uint32_t> groups;  ///< the number of units of each
    std::uint8_t axes = 0;              ///< what those of the last group have in common
  };
  std::vector<Wire> wires_;
  std::vector<std::vector<std::uint32_t>> sides_;
};

/// One list schedule: of the units that may come next, the one that begins first, and of those the
/// one on the wire with the most left to do.
class ListSchedule {
 public:
  ListSchedule(const CommutingUnits& units, const WireGroups& groups, FastRandom& random)
      : units_(units.units),
        groups_(groups),
        random_(random),
        left_(groups.sizes()),
        current_(units.cliffords.size(), 0),
        ends_(units.cliffords.size(), 0),
        load_(units.cliffords.size(), 0),
        members_(units.cliffords.size()) {
    for (std::uint32_t unit = 0; unit < units_.size(); ++unit) {
      for (const CommutingUnit::Side& side : units_[unit].sides) {
        load_[side.wire] += units_[unit].length;
        members_[side.wire].push_back(unit);
      }
    }
    is_waiting_.assign(units_.size(), true);
    for (std::uint32_t unit = 0; unit < units_.size(); ++unit) wait_no_more(unit);
  }

  [[nodiscard]] UnitSchedule run() && {
    UnitSchedule schedule;
    while (!ready_.empty()) {
      const std::uint32_t unit = take_next();
      schedule.order.push_back(unit);
      const std::uint64_t end = start_of(unit) + units_[unit].length;
      schedule.length = std::max(schedule.length, end);
      finish(unit, end);
    }
    return schedule;
  }

 private:
  [[nodiscard]] std::uint64_t start_of(std::uint32_t unit) const {
    std::uint64_t start = 0;
    for (const CommutingUnit::Side& side : units_[unit].sides) {
      start = std::max(start, ends_[side.wire]);
    }
    return start;
  }

  /// Moves a unit to those that may come next, if nothing has to come before it.
  void wait_no_more(std::uint32_t unit) {
    if (!is_waiting_[unit]) return;
    const std::vector<CommutingUnit::Side>& sides = units_[unit].sides;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      if (groups_.of(unit)[i] != current_[sides[i].wire]) return;
    }
    is_waiting_[unit] = false;
    ready_.push_back(unit);
  }

  [[nodiscard]] std::uint32_t take_next() {
    std::size_t best = 0;
    std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t> best_key;
    for (std::size_t i = 0; i < ready_.size(); ++i) {
      std::uint64_t most = 0;
      std::uint64_t sum = 0;
      for (const CommutingUnit::Side& side : units_[ready_[i]].sides) {
        most = std::max(most, load_[side.wire]);
        sum += load_[side.wire];
      }
      const std::tuple key(start_of(ready_[i]), ~most, ~sum, random_.below(1U << 30U));
      if (i == 0 || key < best_key) {
        best = i;
        best_key = key;
      }
    }
    std::swap(ready_[best], ready_.back());
    const std::uint32_t unit = ready_.back();
    ready_.pop_back();
    return unit;
  }

  void finish(std::uint32_t unit, std::uint64_t end) {
    for (const CommutingUnit::Side& side : units_[unit].sides) {
      ends_[side.wire] = end;
      load_[side.wire] -= units_[unit].length;
    }
    for (const CommutingUnit::Side& side : units_[unit].sides) {
      std::uint32_t& group = current_[side.wire];
      if (--left_[side.wire][group] != 0) continue;
      ++group;
      for (const std::uint32_t other : members_[side.wire]) wait_no_more(other);
    }
  }

  const std::vector<CommutingUnit>& units_;
  const WireGroups& groups_;
  FastRandom& random_;
  std::vector<std::vector<std::uint32_t>> left_;  ///< units that are not done, by wire and group
  std::vector<std::uint32_t> current_;            ///< the group of each wire
  std::vector<std::uint64_t> ends_;               ///< when each wire is free
  std::vector<std::uint64_t> load_;               ///< lengths of what is left on each wire
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<bool> is_waiting_;
  std::vector<std::uint32_t> ready_;
};

}  // namespace

UnitSchedule schedule_units(const CommutingUnits& units, FastRandom& random, const Budget& budget) {
  const WireGroups groups(units);
  const std::size_t tries = std::clamp<std::size_t>(
      kMostUnits / std::max<std::size_t>(units.units.size(), 1), 1, kMostTries);
  UnitSchedule best = ListSchedule(units, groups, random).run();
  for (std::size_t i = 1; i < tries && !budget.spent(); ++i) {
    UnitSchedule next = ListSchedule(units, groups, random).run();
    if (next.length < best.length) best = std::move(next);
  }
  return best;
}

}  // namespace quartz::optimizer
