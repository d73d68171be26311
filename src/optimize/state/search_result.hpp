#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "circuit/derivation.hpp"
#include "quartz/optimize/optimize.hpp"

namespace quartz::optimizer {

/// The best circuit so far, while the search goes on.
struct DerivedBest {
  circuit::DerivedCircuit found;  ///< derived from the circuit with which the search began
  double seconds = 0;             ///< since the start of the search
};

/// A circuit equal to the input, in the form in which the search has it. It shares with other
/// circuits of the search what they have in common.
struct UnformedCircuit {
  std::size_t operations = 0;
  std::uint64_t steps = 0;  ///< number of rewrites that led to it, if they are recorded
  /// Forms the circuit, in time and memory proportional to its size. May be called after the
  /// search.
  std::function<circuit::DerivedCircuit()> form;
};

/// What a caller wants to know of a search besides its result.
struct SearchListener {
  bool records = false;  ///< whether derivations are recorded
  /// Whether the runs of gates on one qubit of the circuit have been merged.
  bool has_merged_runs = false;
  /// Whether the result has the circuit if no better one was found: a copy of a large one takes
  /// time and memory.
  bool copies_unchanged = true;
  /// Called as OptimizeOptions::on_better.
  std::function<void(const DerivedBest&)> on_better;
  /// Called with every circuit that becomes the best one, from one thread at a time. Each object of
  /// these takes little time to make, but keeps memory.
  std::function<void(UnformedCircuit)> on_best;
  /// Problem::follows_one_thread, which is not asked if there is `on_better`.
  std::function<bool()> follows_one_thread = {};
};

/// The result of a search.
struct SearchResult {
  /// Whether a better circuit was found. If not, `best` may be without its circuit
  /// (SearchListener::copies_unchanged).
  bool has_better = false;
  circuit::DerivedCircuit best;  ///< derived from the circuit with which the search began
  /// If requested: circuits equal to the input that annealing found, with nearly the least cost,
  /// usually different from each other and from the best one.
  std::vector<circuit::DerivedCircuit> alternatives;
  OptimizeResult report;  ///< without its circuits, and `numeric`
};

}  // namespace quartz::optimizer
