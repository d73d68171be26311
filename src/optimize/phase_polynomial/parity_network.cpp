#include "optimize/phase_polynomial/parity_network.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace quartz::optimizer {
namespace {

/// Returns for each wire the set of parities that contain it.
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

/// Returns for each number of wires the set of parities of that many wires.
constexpr std::array<ParitySet, kParityWires + 1> by_weight() {
  std::array<ParitySet, kParityWires + 1> sets{};
  for (unsigned y = 0; y < 1U << kParityWires; ++y) {
    sets[static_cast<std::size_t>(std::popcount(y))] |= ParitySet{1} << y;
  }
  return sets;
}
constexpr std::array<ParitySet, kParityWires + 1> kByWeight = by_weight();

/// One byte for each wire's parity, so that all are changed and compared at once.
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

/// The part of the goal not reached yet, in terms of the parities that the wires carry now.
struct Remainder {
  ParitySet parities = 0;
  PackedParities outputs = 0;

  /// Applies a CNOT: the target now also carries the control's parity, so every wanted parity that
  /// contains the target has its bit of the control inverted.
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

/// Weights of the remaining work: of each parity by its number of wires, and of each bit in which
/// the outputs differ from what the wires carry.
struct Weighing {
  std::uint32_t parity = 0;  ///< weight of a parity of two wires
  std::uint32_t wire = 0;    ///< weight of each further wire
  std::uint32_t output = 0;
  std::uint32_t chance = 0;  ///< bound of a random number that is added
};

/// Returns random weights for an attempt: no fixed weights are best for all goals.
Weighing random_weighing(FastRandom& random) {
  Weighing result;
  result.parity = 16;
  result.wire = 4 + random.below(16);
  result.output = 2 + random.below(14);
  result.chance = 1 + random.below(12);
  return result;
}

std::uint32_t count(std::uint64_t bits) { return static_cast<std::uint32_t>(std::popcount(bits)); }

/// The weight of the remaining work, and its change by a CNOT. The weight of a parity is linear in
/// its number of wires, so it suffices to count the parities that gain or lose the control.
class Weights {
 public:
  /// `carried` contains the parities that the wires carry.
  Weights(const Remainder& rest, const Weighing& weighing, unsigned wires, PackedParities carried)
      : rest_(rest), weighing_(weighing), difference_(rest.outputs ^ carried) {
    whole_ = weighing.output * count(difference_);
    for (unsigned wire = 0; wire < wires; ++wire) {
      having_[wire] = count(rest.parities & kWithWire[wire]);
      column_[wire] = rest.outputs >> wire & kLowestBits;
      column_bits_[wire] = count(column_[wire]);
      whole_ += weighing.wire * having_[wire];
    }
    whole_ += (weighing.parity - 2 * weighing.wire) * count(rest.parities);
  }

  /// Returns the weight of the remaining work after the CNOT.
  [[nodiscard]] std::uint32_t after(WireCnot cnot) const {
    const ParitySet moved = rest_.parities & kWithWire[cnot.target];
    const std::uint32_t shorter = count(moved & kWithWire[cnot.control]);
    std::uint32_t sum = whole_ + weighing_.wire * (having_[cnot.target] - 2 * shorter);
    // The parity of exactly these two wires becomes that of one wire, which needs no work.
    const unsigned pair = 1U << cnot.control | 1U << cnot.target;
    if ((moved >> pair & 1U) != 0) sum += weighing_.wire - weighing_.parity;
    const std::uint32_t better = count(difference_ & column_[cnot.target] << cnot.control);
    return sum + weighing_.output * (column_bits_[cnot.target] - 2 * better);
  }

 private:
  const Remainder& rest_;
  const Weighing& weighing_;
  PackedParities difference_;  ///< difference between the outputs and what the wires carry
  std::uint32_t whole_ = 0;    ///< weight of the remaining work
  std::array<std::uint32_t, kParityWires> having_{};   ///< number of parities with each wire
  std::array<PackedParities, kParityWires> column_{};  ///< outputs with each wire
  std::array<std::uint32_t, kParityWires> column_bits_{};
};

}  // namespace

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
    // A CNOT produces at most one parity.
    const auto least_left = static_cast<std::size_t>(std::max(std::popcount(rest.parities), 1));
    if (network.size() + least_left > most) return false;
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    WireCnot best;
    const Weights weights(rest, weighing, goal.wires, carried);
    for (std::uint8_t control = 0; control < goal.wires; ++control) {
      for (std::uint8_t target = 0; target < goal.wires; ++target) {
        if (control == target || (goal.targets[control] >> target & 1U) == 0) continue;
        if (!network.empty() && network.back().control == control &&
            network.back().target == target) {
          continue;
        }
        const std::uint32_t left = weights.after({control, target}) + random.below(weighing.chance);
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

}  // namespace quartz::optimizer
