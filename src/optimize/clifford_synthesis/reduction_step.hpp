#pragma once

#include <cstddef>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/clifford_synthesis/symplectic_map.hpp"

namespace quartz::optimizer {

/// How a reduction chooses its gates. None of the values is best for all maps.
struct ReductionChoice {
  /// A gate anywhere is chosen if it makes the measure of the map (StepGains) less by more than
  /// this; otherwise the next qubit is finished.
  double least_gain = 0;
  double inverse_share = 1;  ///< StepGains
  /// What it counts, in the measure, if a qubit keeps its place: a qubit that moves costs another
  /// gate at the end.
  double stay = 0;
  double noise = 0;  ///< largest random number that is added to the measure
  /// Pairs of qubits of which the gains are computed for one gate. With more qubits, pairs are
  /// drawn at random.
  std::size_t most_pairs = 1500;
};

/// A map of which some gates at its start and at its end were split off.
struct PartialReduction {
  SymplecticMap map;                   ///< what is left
  std::vector<ControlledPauli> start;  ///< in the order of the circuit
  std::vector<ControlledPauli> end;    ///< in the opposite order
};

/// Splits off gates until one more qubit is finished, or all are. Returns false if the budget is
/// spent before. Spends a tick for the gains of each pair of qubits.
///
/// The images of X and Z of a qubit need a number of gates that is known, until both are on one
/// qubit: 3/2 for each further qubit on which they anticommute and one for each on which they
/// commute and are not both the identity (as in Bravyi, Hu, Maslov, Shaydulin, arXiv 2105.02291).
/// The qubit with the lowest number is finished, forwards or backwards; among the gates that lower
/// the number, the one that makes the whole map simplest is chosen.
[[nodiscard]] bool finish_qubit(PartialReduction& reduction, const ReductionChoice& choice,
                                FastRandom& random, const Budget& budget);

}  // namespace quartz::optimizer
