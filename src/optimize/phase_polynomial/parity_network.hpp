#pragma once

#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>

#include "base/random.hpp"
#include "optimize/phase_polynomial/phase_polynomial.hpp"

namespace quartz {

struct WireCnot {
  std::uint8_t control = 0;
  std::uint8_t target = 0;
};

/// What a network of CNOTs is for.
struct ParityNetworkGoal {
  unsigned wires = 0;
  /// What some wire is to carry at some time, in parities of the inputs.
  ParitySet parities = 0;
  /// What each wire is to carry at the end.
  std::array<WireParity, kParityWires> outputs{};
  /// The wires that a CNOT with this control may have as its target: bit k for wire k.
  std::array<std::uint8_t, kParityWires> targets{0x3f, 0x3f, 0x3f, 0x3f, 0x3f, 0x3f};
};

using ParityNetwork = boost::container::static_vector<WireCnot, 64>;

/// Looks for a network of at most `most` CNOTs that reaches the goal, with greedy steps and some
/// chance; whether there is one. Parity networks: Amy, Azimzadeh, Mosca, arXiv 1712.01859.
///
/// Parities are kept in terms of what the wires carry at the time, so that a CNOT permutes the set
/// of those that are wanted, with shifts and masks of one word.
[[nodiscard]] bool find_parity_network(const ParityNetworkGoal& goal, std::size_t most,
                                       FastRandom& random, ParityNetwork& network);

}  // namespace quartz
