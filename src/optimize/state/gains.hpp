#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "optimize/state/gain.hpp"
#include "quartz/optimize/optimize.hpp"

namespace quartz::optimizer {

/// The rewrites of a search, numbered; Gains refers to them by these numbers.
class Rewrites {
 public:
  [[nodiscard]] std::size_t number_of(Rewrite rewrite);
  [[nodiscard]] const Rewrite& operator[](std::size_t number) const { return *rewrites_[number]; }

 private:
  struct Less {
    bool operator()(const Rewrite& a, const Rewrite& b) const;
  };
  std::map<Rewrite, std::size_t, Less> numbers_;
  std::vector<const Rewrite*> rewrites_;
};

/// Contributions of rewrites on the way to a circuit, indexed by their numbers; cheap to copy.
class Gains {
 public:
  void add(std::size_t rewrite, const Gain& gain) {
    if (gains_.size() <= rewrite) gains_.resize(rewrite + 1);
    gains_[rewrite] += gain;
  }
  /// Returns the gains in the order of the passes, and by the cost saved within each.
  [[nodiscard]] std::vector<RewriteGain> in_order(const Rewrites& rewrites,
                                                  std::span<const OptimizePass> passes) const;

 private:
  std::vector<Gain> gains_;
};

}  // namespace quartz::optimizer
