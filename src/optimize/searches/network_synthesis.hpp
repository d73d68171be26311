#pragma once

#include <optional>

#include "base/budget.hpp"
#include "circuit/phased_gates.hpp"
#include "optimize/state/problem.hpp"
#include "optimize/state/qubit_groups.hpp"

namespace quartz::optimizer {

/// Makes Pauli networks (pauli_network/pauli_network.hpp) of gates of any set, and translates them
/// back.
class NetworkSynthesis {
 public:
  explicit NetworkSynthesis(const Problem& problem);

  /// Returns the cheapest of several networks, or nothing if the gates have none; its gates are
  /// numbered as those of the group. Throws InputError if a gate set cannot express the gates of
  /// the other one, and OverflowError if the exact sums of some angles do not fit into 64 bits.
  /// Records no history.
  [[nodiscard]] std::optional<circuit::PhasedGates> cheapest(const QubitGroup& group,
                                                             const Budget& budget) const;
  /// Returns how many pairs of controlled Pauli operators the network of some gates merges
  /// (pauli_network/controlled_paulis.hpp). Throws as above.
  [[nodiscard]] std::size_t merged_pairs(const QubitGroup& group, const Budget& budget) const;

 private:
  [[nodiscard]] Circuit in_network_set(const QubitGroup& group, const Budget& budget) const;

  const Problem& problem_;
  GateSet set_;
};

}  // namespace quartz::optimizer
