#pragma once

#include <cstdint>

#include "window_chains/chain/chain_tables.hpp"

/// Circuits as chains of window moves keep them.
namespace quartz::window_chains {

/// The place of a gate in the circuit of a chain.
using Place = std::uint16_t;
inline constexpr Place kNoPlace = 0xffff;
/// Most gates of a circuit from which a chain starts, and most wires.
inline constexpr std::uint32_t kMostChainGates = 0x7000;
inline constexpr std::uint32_t kMostChainWires = 0xff;

/// A gate with its neighbours: 32 bytes, one sector of device memory.
struct alignas(32) ChainGate {
  /// The earlier of two gates on one wire has the lower position.
  std::uint64_t position;
  Place next[kMostWires];      // NOLINT: next gate on the wire of each operand
  Place previous[kMostWires];  // NOLINT
  Place rank;                  ///< number of gates at lower positions, while these are renewed
  std::uint16_t label;
  std::uint8_t wires[kMostWires];  // NOLINT
  std::uint8_t size;               ///< number of operands; 0 marks a free place
};

[[nodiscard]] QUARTZ_HOST_DEVICE inline std::uint32_t operand_of(const ChainGate& gate,
                                                                 std::uint8_t wire) {
  if (gate.wires[0] == wire) return 0;
  return gate.wires[1] == wire && gate.size > 1 ? 1 : 2;
}
/// Makes two gates neighbours on a wire; kNoPlace is an end of the wire.
QUARTZ_HOST_DEVICE inline void link(ChainGate* gates, std::uint8_t wire, Place before,
                                    Place after) {
  if (before != kNoPlace) gates[before].next[operand_of(gates[before], wire)] = after;
  if (after != kNoPlace) gates[after].previous[operand_of(gates[after], wire)] = before;
}

/// A circuit from which chains start, as a range of an array of gates, and its sums.
struct ChainStart {
  std::uint32_t first_gate;
  std::uint32_t gates;
  std::uint64_t value;
  std::uint32_t cost;  ///< in the class table
};

/// Largest change of the cost, plus 1, that the Metropolis rule may accept.
inline constexpr std::uint32_t kChanges = 16;

/// Moves at one temperature.
struct ChainStage {
  std::uint32_t moves_per_gate;
  /// A change of the cost by `i` is accepted if 32 random bits are below thresholds[i].
  std::uint32_t thresholds[kChanges];  // NOLINT
};

/// What came of a chain. Its best circuit is the last of those with the least value, and of these
/// with the least cost.
struct ChainEnd {
  std::uint64_t best_value;
  std::uint32_t best_cost;
  std::uint32_t best_move;  ///< number of moves after which it had its best circuit
  std::uint32_t moves;
  std::uint32_t replaced;  ///< windows replaced
  std::uint32_t unknown;   ///< windows that the class table does not contain
  std::uint32_t rejected;  ///< proposals that the Metropolis rule rejected
  std::uint32_t strayed;   ///< walks down the table that found no circuit

  friend bool operator==(const ChainEnd&, const ChainEnd&) = default;
};

/// Returns how many places a chain has for a circuit of some gates: circuits grow at high
/// temperatures.
[[nodiscard]] QUARTZ_HOST_DEVICE inline std::uint32_t chain_capacity(std::uint32_t gates) {
  return gates + gates / 4 + 32;
}
/// Returns the distance of positions in a circuit of some gates; half of the range of positions is
/// left for gates that are appended.
[[nodiscard]] QUARTZ_HOST_DEVICE inline std::uint64_t chain_spacing(std::uint32_t gates) {
  return (std::uint64_t{1} << 63U) / (gates + 1);
}
/// Returns the seed of one of the chains.
[[nodiscard]] QUARTZ_HOST_DEVICE inline std::uint64_t chain_seed(std::uint64_t seed,
                                                                 std::uint32_t chain) {
  return seed + (std::uint64_t{chain} + 1) * 0xd1342543de82ef95ULL;
}

}  // namespace quartz::window_chains
