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
  /// For SearchListener::on_the_way: the number of circuits, that with which the search began and
  /// those passed to `on_best`, which cost more. They are the first ones.
  std::size_t better_than = 0;
};

/// What a caller wants to know of a search besides its result.
struct SearchListener {
  bool records = false;  ///< whether derivations are recorded
  /// Called as OptimizeOptions::on_better.
  std::function<void(const DerivedBest&)> on_better;
  /// Called with every circuit that becomes the best one, from one thread at a time. Each object of
  /// these takes little time to make, but keeps memory.
  std::function<void(UnformedCircuit)> on_best;
  /// Called with other circuits through which the threads of a search pass, from one thread at a
  /// time: between two of their own best circuits, and these if they are not the best of all. Which
  /// ones depends on the time. Each history of a thread continues those before.
  std::function<void(UnformedCircuit)> on_the_way = {};
};

/// The result of a search.
struct SearchResult {
  circuit::DerivedCircuit best;  ///< derived from the circuit with which the search began
  /// If requested: circuits equal to the input that annealing found, with nearly the least cost,
  /// usually different from each other and from the best one.
  std::vector<circuit::DerivedCircuit> alternatives;
  OptimizeResult report;  ///< without its circuits, and `numeric`
};

}  // namespace quartz::optimizer
