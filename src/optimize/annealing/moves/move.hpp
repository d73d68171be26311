#pragma once

#include <cmath>
#include <cstdint>

#include "base/random.hpp"
#include "quartz/circuit/coupling.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

struct AnnealingCounts {
  std::uint64_t moves = 0;     ///< windows examined
  std::uint64_t unknown = 0;   ///< windows that the class table does not contain
  std::uint64_t replaced = 0;  ///< windows replaced
  std::uint64_t blocks = 0;    ///< CNOT+Rz blocks replaced
  std::uint64_t rejected = 0;  ///< proposals that the Metropolis rule rejected
  /// Walks down the table that found no circuit: two classes share a tag (once in 2^19 to 2^26
  /// look-ups of an unknown class, depending on the number of letters), or the table is damaged.
  std::uint64_t strayed = 0;
  std::uint64_t refuted = 0;  ///< replacements refuted by the exact proof; none is expected

  AnnealingCounts& operator+=(const AnnealingCounts& other) {
    moves += other.moves;
    unknown += other.unknown;
    replaced += other.replaced;
    blocks += other.blocks;
    rejected += other.rejected;
    strayed += other.strayed;
    refuted += other.refuted;
    return *this;
  }
};

/// State that a move reads or updates.
struct MoveContext {
  const rewrite::WireLists& circuit;
  const CouplingMap* coupling;  ///< null: gates may act on any qubits
  double temperature;           ///< in units of the table cost
  FastRandom& random;
  AnnealingCounts& counts;

  /// Returns whether to accept a change of the table cost: always if it is not positive, otherwise
  /// with the probability of the Metropolis rule.
  [[nodiscard]] bool accepts(double change) const {
    return change <= 0 || (temperature > 0 && random.unit() < std::exp(-change / temperature));
  }
};

}  // namespace quartz::optimizer
