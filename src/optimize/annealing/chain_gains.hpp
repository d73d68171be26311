#pragma once

#include <map>
#include <utility>

#include "optimize/state/gain.hpp"
#include "optimize/state/used_rules.hpp"
#include "quartz/optimize/optimize.hpp"

namespace quartz {

/// Which rewrites made the best circuit of an annealing chain better than all before it.
///
/// A walk at a temperature replaces millions of windows, most of which undo one another. Only the
/// rewrites that led to a new best circuit are counted, each with the difference to the best
/// circuit before: these differences add up to all that the chain gained.
class ChainGains {
 public:
  /// The kind of a rewrite, and the pair if it replaced a window.
  using Rewrite = std::pair<RewriteKind, UsedPair>;

  void add(Rewrite rewrite, const Gain& gain) { gains_[std::move(rewrite)] += gain; }
  [[nodiscard]] const std::map<Rewrite, Gain>& gains() const { return gains_; }

 private:
  std::map<Rewrite, Gain> gains_;
};

}  // namespace quartz
