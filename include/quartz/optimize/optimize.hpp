#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/gateset/gate_set.hpp"
#include "quartz/rules/rule_set.hpp"

namespace quartz {

enum class StopReason {
  exhausted,  ///< nothing left to try within the search's own limits
  time_limit,
  interrupted,  ///< the stop token
};
[[nodiscard]] std::string_view to_string(StopReason reason);

/// What a progress line shows.
struct OptimizeProgress {
  std::string_view phase;  ///< "fold", "search"
  CostValue best_cost;
  std::uint64_t circuits_popped = 0;
  double seconds = 0;
};

struct OptimizeOptions {
  Cost cost = CostKind::total;
  double seconds = 10;
  unsigned threads = 0;  ///< 0: all cores
  std::uint64_t seed = 0;
  std::function<void(const OptimizeProgress&)> on_progress;  ///< called from one thread at a time
  std::stop_token stop;
};

struct OptimizeResult {
  Circuit circuit;
  StopReason stop_reason = StopReason::exhausted;
  std::uint64_t circuits_popped = 0;
  double seconds = 0;
};

/// Phase folding, then backtracking over the rules. The input must be in the gate set already
/// (translate). The result is equal to it, global phase included, and never costs more. Walls are
/// kept, in order, and never crossed. Throws UsageError for a circuit outside the set and for a
/// cost without a weight for one of its gates.
[[nodiscard]] OptimizeResult optimize(const Circuit& circuit, const GateSet& set,
                                      const RuleSet& rules, const OptimizeOptions& options);

}  // namespace quartz
