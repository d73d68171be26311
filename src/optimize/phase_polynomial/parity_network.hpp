#pragma once

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>

#include "base/random.hpp"
#include "optimize/phase_polynomial/phase_polynomial.hpp"

namespace quartz::optimizer {

struct WireCnot {
  std::uint8_t control = 0;
  std::uint8_t target = 0;
};

/// Requirements on a network of CNOTs.
struct ParityNetworkGoal {
  unsigned wires = 0;
  /// Parities of the inputs that some wire must carry at some time.
  ParitySet parities = 0;
  /// Parity that each wire must carry at the end.
  std::array<WireParity, kParityWires> outputs{};
  /// Permitted targets of a CNOT with this control: bit k for wire k.
  std::array<std::uint8_t, kParityWires> targets{0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f};
};

using ParityNetwork = boost::container::static_vector<WireCnot, 64>;

/// Looks for a network of at most `most` CNOTs that reaches the goal, by randomized greedy steps,
/// and returns whether it found one. Parity networks: Amy, Azimzadeh, Mosca, arXiv 1712.01859.
///
/// Parities are expressed in terms of what the wires carry at the time, so that a CNOT permutes the
/// set of wanted parities by shifts and masks of one word.
[[nodiscard]] bool find_parity_network(const ParityNetworkGoal& goal, std::size_t most,
                                       FastRandom& random, ParityNetwork& network);

}  // namespace quartz::optimizer
