#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace quartz::optimizer {

/// For each qubit, those with which it may have gates.
using Neighbours = std::vector<std::vector<std::uint32_t>>;

/// The pairs of qubits that may have gates.
struct CoupledPairs {
  Neighbours neighbours;
  /// For each qubit, the targets that CNOTs which it controls may have; null if these are all of
  /// its neighbours.
  std::optional<Neighbours> targets;
};

}  // namespace quartz::optimizer
