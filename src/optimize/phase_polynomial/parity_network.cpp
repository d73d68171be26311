#include "optimize/phase_polynomial/parity_network.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace quartz {
namespace {

/// The parities that have a wire.
constexpr std::array<ParitySet, kParityWires> with_wire() {
  std::array<ParitySet, kParityWires> sets{};
  for (unsigned wire = 0; wire < kParityWires; ++wire) {
    for (unsigned y = 0; y < 1U << kParityWires; ++y) {
      if ((y >> wire & 1U) != 0) sets[wire] |= ParitySet{1} << y;
    }
  }
  return sets;
}
constexpr std::array<ParitySet, kParityWires> kWithWire = with_wire();

/// The parities of so many wires.
constexpr std::array<ParitySet, kParityWires + 1> by_weight() {
  std::array<ParitySet, kParityWires + 1> sets{};
  for (unsigned y = 0; y < 1U << kParityWires; ++y) {
    sets[static_cast<std::size_t>(std::popcount(y))] |= ParitySet{1} << y;
  }
  return sets;
}
constexpr std::array<ParitySet, kParityWires + 1> kByWeight = by_weight();

/// A byte for each wire's parity: all are changed, and compared, at once.
using PackedParities = std::uint64_t;
static_assert(kParityWires <= sizeof(PackedParities));
constexpr PackedParities kLowestBits = 0x0101'0101'0101'0101;

template <typename ParityOfWire>
PackedParities pack(unsigned wires, const ParityOfWire& parity) {
  PackedParities packed = 0;
  for (unsigned wire = 0; wire < wires; ++wire) {
    packed |= PackedParities{parity(wire)} << 8 * wire;
  }
  return packed;
}

/// What is still to be done, in terms of what the wires carry.
struct Remainder {
  ParitySet parities = 0;
  PackedParities outputs = 0;

  /// The target carries the control's parity in addition: whoever has the target has the control
  /// the other way round.
  void apply(WireCnot cnot) {
    const ParitySet moved = parities & kWithWire[cnot.target];
    const unsigned shift = 1U << cnot.control;
    const ParitySet having = kWithWire[cnot.control];
    parities = (parities & ~kWithWire[cnot.target]) | ((moved & having) >> shift) |
               ((moved & ~having) << shift);
    parities &= ~kByWeight[1];
    outputs ^= (outputs >> cnot.target & kLowestBits) << cnot.control;
  }
};

/// What remains to be done is weighed: parities by their number of wires, outputs by the bits in
/// which they differ from what the wires carry.
struct Weighing {
  std::array<std::uint32_t, kParityWires + 1> parity{};
  std::uint32_t output = 0;
  std::uint32_t chance = 0;

  /// `carried`: what each of the wires carries.
  [[nodiscard]] std::uint32_t of(const Remainder& rest, unsigned wires,
                                 PackedParities carried) const {
    auto sum = output * static_cast<std::uint32_t>(std::popcount(rest.outputs ^ carried));
    for (std::size_t weight = 2; weight <= wires; ++weight) {
      sum += parity[weight] *
             static_cast<std::uint32_t>(std::popcount(rest.parities & kByWeight[weight]));
    }
    return sum;
  }
};

/// No one weighing is best for all goals, so each attempt has its own.
Weighing random_weighing(FastRandom& random) {
  Weighing result;
  const std::uint32_t growth = 4 + random.below(16);
  for (std::uint32_t weight = 2; weight <= kParityWires; ++weight) {
    result.parity[weight] = 16 + growth * (weight - 2);
  }
  result.output = 2 + random.below(14);
  result.chance = 1 + random.below(12);
  return result;
}

}  // namespace

// Most of the time goes into counting bits, for which processors have an instruction.
#if defined(__x86_64__) && defined(__gnu_linux__)
[[gnu::target_clones("popcnt", "default")]]
#endif
bool find_parity_network(const ParityNetworkGoal& goal, std::size_t most, FastRandom& random,
                         ParityNetwork& network) {
  Remainder rest;
  rest.parities = goal.parities & ~kByWeight[1] & ~kByWeight[0];
  rest.outputs = pack(goal.wires, [&](unsigned wire) { return goal.outputs[wire]; });
  const PackedParities carried = pack(goal.wires, [](unsigned wire) { return 1U << wire; });
  const Weighing weighing = random_weighing(random);
  most = std::min(most, network.capacity());
  network.clear();
  while (rest.parities != 0 || rest.outputs != carried) {
    // A CNOT brings about one parity at most.
    const auto least_left = static_cast<std::size_t>(std::max(std::popcount(rest.parities), 1));
    if (network.size() + least_left > most) return false;
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    WireCnot best;
    for (std::uint8_t control = 0; control < goal.wires; ++control) {
      for (std::uint8_t target = 0; target < goal.wires; ++target) {
        if (control == target || (goal.targets[control] >> target & 1U) == 0) continue;
        if (!network.empty() && network.back().control == control &&
            network.back().target == target) {
          continue;
        }
        Remainder after = rest;
        after.apply({control, target});
        const std::uint32_t left =
            weighing.of(after, goal.wires, carried) + random.below(weighing.chance);
        if (left >= least) continue;
        least = left;
        best = {control, target};
      }
    }
    rest.apply(best);
    network.push_back(best);
  }
  return true;
}

}  // namespace quartz
