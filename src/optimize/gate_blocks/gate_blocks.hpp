#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// Gates that follow each other in some order of a circuit.
struct GateBlock {
  /// Whether all gates are of the kind that was looked for. Such a block is connected; the gates
  /// between such blocks form one block of other gates.
  bool has_kind = false;
  std::vector<Qubit> qubits;         ///< ascending; empty for a block of other gates
  std::vector<std::uint32_t> gates;  ///< indices in the circuit, in its order
};

/// Divides a circuit on `wires` wires into blocks. Gates of one kind, for which `has_kind` is true,
/// and all other gates are taken in turns, each time as many as are ready, so that the blocks are
/// large. Each wire runs through the blocks in their order.
[[nodiscard]] std::vector<GateBlock> divide_into_blocks(std::span<const Operation> gates,
                                                        std::uint32_t wires,
                                                        const std::vector<bool>& has_kind);

}  // namespace quartz::optimizer
