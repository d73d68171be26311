#include "optimize/hamming_weights/rotation_groups.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "optimize/hamming_weights/bit_sums.hpp"

namespace quartz::optimizer {
namespace {

/// The most schedules that are tried, and the most rotations and pairs of them that do not commute
/// in all these.
constexpr std::size_t kMostSchedules = 2000;
constexpr std::size_t kMostSteps = 200'000'000;

/// Rotations, each of which follows those before it with which it does not commute.
class RotationOrder {
 public:
  explicit RotationOrder(std::span<const Rotation> rotations)
      : following_(rotations.size()),
        waits_for_(rotations.size(), 0),
        levels_behind_(rotations.size(), 0) {
    for (std::size_t i = rotations.size(); i-- > 0;) {
      for (std::size_t j = i + 1; j < rotations.size(); ++j) {
        if (!anticommute(rotations[i].axis, rotations[j].axis)) continue;
        following_[i].push_back(j);
        ++waits_for_[j];
        ++pairs_;
        levels_behind_[i] = std::max(levels_behind_[i], levels_behind_[j] + 1);
      }
      levels_ = std::max(levels_, levels_behind_[i] + 1);
    }
  }

  [[nodiscard]] std::size_t rotations() const { return following_.size(); }
  [[nodiscard]] std::size_t pairs() const { return pairs_; }
  [[nodiscard]] std::size_t levels() const { return levels_; }
  /// Returns the last level at which a rotation can be.
  [[nodiscard]] std::size_t deadline(std::size_t rotation) const {
    return levels_ - 1 - levels_behind_[rotation];
  }
  /// Returns for each rotation the number of those for which it waits.
  [[nodiscard]] const std::vector<std::size_t>& waits_for() const { return waits_for_; }
  [[nodiscard]] const std::vector<std::size_t>& following(std::size_t rotation) const {
    return following_[rotation];
  }

 private:
  std::vector<std::vector<std::size_t>> following_;
  std::vector<std::size_t> waits_for_;
  std::vector<std::size_t> levels_behind_;  ///< the longest chain of rotations that follow
  std::size_t pairs_ = 0;
  std::size_t levels_ = 0;
};

/// Which rotations are made at a level before they have to be: of families of which others have to
/// be, those by angles with some number of doublings at least.
struct LevelRule {
  enum class Joins : std::uint8_t {
    none,
    equal,  ///< those by angles that occur, or that sums of them have
    all,
  };
  Joins joins = Joins::none;
  std::size_t least_doublings = 0;
};

/// Rotations of one family, by the doublings of their angle.
struct FamilyMembers {
  std::map<std::size_t, std::size_t> due;                   ///< number of those that are taken
  std::map<std::size_t, std::vector<std::size_t>> waiting;  ///< those that may be taken
};

/// Returns those of the waiting rotations that a rule takes.
std::vector<std::size_t> taken_by(const LevelRule& rule, const FamilyMembers& members) {
  std::vector<std::size_t> taken;
  if (rule.joins == LevelRule::Joins::none) return taken;
  std::map<std::size_t, std::size_t> carries;
  for (const auto& [doublings, rotations] : members.waiting) {
    const auto due = members.due.find(doublings);
    const std::size_t known = (due == members.due.end() ? 0 : due->second) + carries[doublings];
    if (doublings < rule.least_doublings) continue;
    if (rule.joins == LevelRule::Joins::equal && known == 0) continue;
    taken.insert(taken.end(), rotations.begin(), rotations.end());
    carries[doublings + 1] = (known + rotations.size() - 1) / 2;
  }
  return taken;
}

class Schedule {
 public:
  Schedule(const RotationOrder& order, const AngleFamilies& families,
           std::span<const LevelRule> rules)
      : order_(order), families_(families), rules_(rules), waits_for_(order.waits_for()) {
    for (std::size_t i = 0; i < waits_for_.size(); ++i) {
      if (waits_for_[i] == 0) ready_.push_back(i);
    }
  }

  RotationGroups groups() {
    RotationGroups result;
    for (std::size_t level = 0; level < order_.levels(); ++level) {
      std::vector<std::size_t> group = group_at(level);
      if (!group.empty()) result.push_back(std::move(group));
    }
    return result;
  }

 private:
  std::vector<std::size_t> group_at(std::size_t level) {
    std::vector<std::size_t> group;
    std::vector<std::size_t> waiting;
    for (const std::size_t rotation : ready_) {
      (order_.deadline(rotation) <= level ? group : waiting).push_back(rotation);
    }
    std::map<std::size_t, FamilyMembers> families;
    for (const std::size_t rotation : group) {
      if (const auto& angle = families_.angles[rotation]) {
        ++families[angle->family].due[angle->doublings];
      }
    }
    for (const std::size_t rotation : waiting) {
      const auto& angle = families_.angles[rotation];
      if (!angle || !families.contains(angle->family)) continue;
      families[angle->family].waiting[angle->doublings].push_back(rotation);
    }
    for (const auto& [family, members] : families) {
      const std::vector<std::size_t> taken = taken_by(rules_[level], members);
      group.insert(group.end(), taken.begin(), taken.end());
    }
    std::ranges::sort(group);
    take(group);
    return group;
  }

  void take(const std::vector<std::size_t>& group) {
    std::erase_if(
        ready_, [&](std::size_t rotation) { return std::ranges::binary_search(group, rotation); });
    for (const std::size_t rotation : group) {
      for (const std::size_t next : order_.following(rotation)) {
        if (--waits_for_[next] == 0) ready_.push_back(next);
      }
    }
  }

  const RotationOrder& order_;
  const AngleFamilies& families_;
  std::span<const LevelRule> rules_;
  std::vector<std::size_t> waits_for_;
  std::vector<std::size_t> ready_;
};

/// Returns what the rotations of groups cost after their sums, with any number of ancillas.
double cost_of_groups(const RotationGroups& groups, const AngleFamilies& families,
                      const FamilyCost& cost) {
  double total = 0;
  for (const std::vector<std::size_t>& group : groups) {
    std::map<std::size_t, FormCounts> counts;
    for (const std::size_t rotation : group) {
      if (const auto& angle = families.angles[rotation]) {
        ++counts[angle->family][angle->doublings];
      }
    }
    for (auto& [family, forms] : counts) {
      const SumCosts costs{
          .rotation = [&, number = family](std::size_t weight) { return cost(number, weight); }};
      total += cost_of_sum(std::move(forms), costs);
    }
  }
  return total;
}

}  // namespace

RotationGroups rotation_groups(std::span<const Rotation> rotations, const AngleFamilies& families,
                               const FamilyCost& cost, const Budget& budget, FastRandom& random) {
  const RotationOrder order(rotations);
  std::size_t most_doublings = 0;
  for (const auto& angle : families.angles) {
    if (angle) most_doublings = std::max(most_doublings, angle->doublings);
  }
  RotationGroups best;
  double least = std::numeric_limits<double>::infinity();
  std::vector<LevelRule> rules;
  const auto improves = [&](std::vector<LevelRule> tried) {
    RotationGroups groups = Schedule(order, families, tried).groups();
    const double total = cost_of_groups(groups, families, cost);
    if (total > least) return;
    best = std::move(groups);
    least = total;
    rules = std::move(tried);
  };
  const auto below = [&](std::size_t bound) -> std::size_t {
    return random.below(static_cast<std::uint32_t>(bound));
  };
  using enum LevelRule::Joins;
  constexpr std::array kAllJoins{none, equal, all};
  for (const LevelRule::Joins joins : kAllJoins) {
    improves(std::vector<LevelRule>(order.levels(), LevelRule{joins, 0}));
  }
  const std::size_t schedules =
      std::min(kMostSchedules, kMostSteps / (order.pairs() + order.rotations() + 1));
  for (std::size_t i = 0; i < schedules && order.levels() > 1 && !budget.spent(); ++i) {
    std::vector<LevelRule> tried = rules;
    for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
      tried[below(order.levels())] = {kAllJoins.at(below(kAllJoins.size())),
                                      below(most_doublings + 1)};
    }
    improves(std::move(tried));
  }
  return best;
}

}  // namespace quartz::optimizer
