#pragma once

#include <algorithm>
#include <cstdint>

#include "optimize/cost/search_cost.hpp"
#include "quartz/circuit/cost.hpp"

namespace quartz::optimizer {

/// Decides which circuits the backtracking search keeps, by their cost and that of the best one.
class CostThreshold {
 public:
  explicit CostThreshold(const Cost& cost)
      : additive_(cost.additive()),
        first_additive_(cost.objectives()[0].additive()),
        first_is_total_(is_total(cost.objectives()[0])) {}

  /// Sets how far the first objective may exceed that of the best circuit, in its units, if that is
  /// more than gamma allows.
  void set_slack(std::uint64_t units) { slack_ = units; }

  [[nodiscard]] bool allows(const SearchCost& cost, const SearchCost& best) const {
    if (!allows_first_objective(cost, best)) return false;
    return first_is_total_ || cost.objectives < best.objectives ||
           cost.total <= best.total + kExtraGates;
  }

  /// Returns whether all objectives are additive, so that may_allow decides like allows.
  [[nodiscard]] bool additive() const { return additive_; }

  /// Returns false if a rewrite leads beyond the threshold for certain. `cost` contains what is
  /// known after the rewrite: objectives that are not additive are those of the circuit before.
  [[nodiscard]] bool may_allow(const SearchCost& cost, const SearchCost& best) const {
    if (additive_) return allows(cost, best);
    if (first_additive_ && !allows_first_objective(cost, best)) return false;
    return cost.total <= best.total + 2 * kExtraGates;
  }

 private:
  /// Gamma of the paper is 1 + 1 / kDivisor.
  static constexpr std::uint64_t kDivisor = 10000;
  /// Number of gates by which a circuit may exceed the best one if the first objective is not the
  /// number of gates.
  static constexpr std::uint64_t kExtraGates = 2;

  [[nodiscard]] static bool is_total(const Objective& objective) {
    return objective.named() != nullptr && objective.named()->kind == CostKind::total;
  }
  [[nodiscard]] bool allows_first_objective(const SearchCost& cost, const SearchCost& best) const {
    const std::uint64_t lowest = best.objectives.units[0];
    return cost.objectives.units[0] <= lowest + std::max(lowest / kDivisor, slack_);
  }

  bool additive_;
  bool first_additive_;
  bool first_is_total_;
  std::uint64_t slack_ = 0;
};

}  // namespace quartz::optimizer
