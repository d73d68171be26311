#pragma once

#include <map>
#include <utility>

#include "optimize/state/gain.hpp"
#include "optimize/state/used_rules.hpp"
#include "quartz/optimize/optimize.hpp"

namespace quartz::optimizer {

/// Rewrites that made the best circuit of an annealing chain better than all earlier ones.
///
/// A chain replaces millions of windows, most of which cancel one another. Only the rewrites that
/// led to a new best circuit are counted, each with what it changed by itself. The circuit before
/// it may have cost more than the best one, so these gains add up to at least that of the chain;
/// the difference is AnnealingChain::detours().
class ChainGains {
 public:
  /// Kind of a rewrite, and the pair of circuits if it replaced a window.
  using Rewrite = std::pair<RewriteKind, UsedPair>;

  void add(Rewrite rewrite, const Gain& gain) { gains_[std::move(rewrite)] += gain; }
  [[nodiscard]] const std::map<Rewrite, Gain>& gains() const { return gains_; }

 private:
  std::map<Rewrite, Gain> gains_;
};

}  // namespace quartz::optimizer
