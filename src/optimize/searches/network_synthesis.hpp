#pragma once

#include <optional>
#include <span>

#include "base/budget.hpp"
#include "circuit/phased_gates.hpp"
#include "optimize/pauli_network/rotation_sequence.hpp"
#include "optimize/state/problem.hpp"

namespace quartz::optimizer {

/// Makes Pauli networks (pauli_network/pauli_network.hpp) of gates of any set, and translates them
/// back.
class NetworkSynthesis {
 public:
  explicit NetworkSynthesis(const Problem& problem);

  /// Returns the cheapest of several networks, or nothing if the gates have none. Throws InputError
  /// if a gate set cannot express the gates of the other one, and OverflowError if the exact sums
  /// of some angles do not fit into 64 bits. Records no history.
  [[nodiscard]] std::optional<circuit::PhasedGates> cheapest(std::span<const Operation> gates,
                                                             const Budget& budget) const;
  /// Returns how many pairs of controlled Pauli operators the network of some gates merges
  /// (pauli_network/controlled_paulis.hpp). Throws as above.
  [[nodiscard]] std::size_t merged_pairs(std::span<const Operation> gates,
                                         const Budget& budget) const;

 private:
  struct CompactCircuit;
  [[nodiscard]] CompactCircuit in_network_set(std::span<const Operation> gates,
                                              const Budget& budget) const;

  const Problem& problem_;
  GateSet set_;
};

}  // namespace quartz::optimizer
