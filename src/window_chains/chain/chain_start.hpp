#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "window_chains/chain/chain_circuit.hpp"

namespace quartz::window_chains {

/// A gate of a circuit from which chains start.
struct StartGate {
  std::uint16_t label = 0;
  std::uint8_t size = 0;
  std::uint8_t wires[kMostWires] = {};  // NOLINT: as in ChainGate
};

/// Circuits from which chains start.
struct ChainStarts {
  std::vector<ChainGate> gates;
  std::vector<ChainStart> circuits;

  /// Appends a circuit with its sums: its gates in order. Throws InternalError for more than
  /// kMostChainGates.
  void add(std::span<const StartGate> circuit, std::uint64_t value, std::uint32_t cost);
  /// Returns the gates of a circuit.
  [[nodiscard]] std::span<const ChainGate> gates_of(std::size_t circuit) const {
    return std::span(gates).subspan(circuits[circuit].first_gate, circuits[circuit].gates);
  }
};

/// Returns the moves of a sweep whose temperature falls from the first to the last one, in units of
/// the table cost, geometrically. A last stage is at temperature 0 then.
[[nodiscard]] std::vector<ChainStage> cooling_stages(double first, double last, unsigned stages,
                                                     std::uint32_t moves_per_gate);

}  // namespace quartz::window_chains
