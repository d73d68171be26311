#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "optimize/search/search.hpp"

namespace quartz::optimizer {

/// A circuit with which a search may begin, equal to the given one.
struct Start {
  SearchPointer make;  ///< makes the start of the given circuit; no start if it has no result
  double share;        ///< fraction of the budget for making it
  /// The start is tried if its first objective that differs is at most this many times that of the
  /// cheapest start.
  double max_ratio;
  /// The search may begin with it again, because the start or what improves it differs each time,
  /// if the best circuit has this many gates at most.
  std::uint64_t most_gates_if_repeated = 0;
  SearchPointer repeat = nullptr;  ///< makes the start then; null: as `make` does
  /// Whether it takes as much time as improving another start does. What it costs says nothing
  /// about starts that are not improved yet, and they are tried.
  bool is_improved = false;
};

/// What a portfolio is composed of.
struct PortfolioParts {
  std::vector<Start> starts;           ///< the first one always has a result
  std::vector<SearchPointer> detours;  ///< lead away from a circuit, to one that may cost more
  SearchPointer improvement;           ///< leads from any circuit to a good one
};

/// Returns a search that divides its budget among several ways to a good circuit.
///
/// First it makes all starts, improves those that are cheap enough in rounds of trials, in which
/// the better half remains, and continues with the result of the best one. If the budget permits
/// many more improvements, it then tries in slices of it what leads further from there: to go on
/// with the best circuit, to take a detour from it, or to begin again with a start that is
/// repeated. Ways that have led to better circuits in recent slices are tried more often. The
/// search ends early if no way has led to a better circuit in many slices.
[[nodiscard]] SearchPointer make_portfolio(const Problem& problem, PortfolioParts parts);

}  // namespace quartz::optimizer
