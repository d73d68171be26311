#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

/// A part of a circuit that is small enough for a chain on a device.
struct ChainSlice {
  std::vector<std::uint32_t> gates;  ///< indices in the circuit, in an order of the circuit
  std::vector<rewrite::Wire> wires;  ///< wires of the circuit, by their numbers in the slice

  /// Returns the number of one of its wires.
  [[nodiscard]] std::uint8_t number_of(rewrite::Wire wire) const;
};

/// Cuts a circuit into slices of about equal size, each of at most `most_gates` gates: the slices
/// one after the other are an order of the circuit. This order follows wires as long as their gates
/// are next, so that the gates of a slice are on few wires. It is different each time.
[[nodiscard]] std::vector<ChainSlice> chain_slices(std::span<const rewrite::PlainGate> gates,
                                                   std::uint32_t wires, std::size_t most_gates,
                                                   FastRandom& random);

}  // namespace quartz::optimizer
