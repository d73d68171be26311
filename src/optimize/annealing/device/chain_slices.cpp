#include "optimize/annealing/device/chain_slices.hpp"

#include <algorithm>

#include "window_chains/chain/chain_circuit.hpp"

namespace quartz::optimizer {

namespace {

constexpr std::uint32_t kNoNextGate = ~std::uint32_t{0};

/// The gates of a circuit, of which those may be taken whose predecessors were taken.
class GateOrder {
 public:
  GateOrder(std::span<const rewrite::PlainGate> gates, std::uint32_t wires)
      : gates_(gates), next_(gates.size()), missing_(gates.size(), 0), is_own_(wires, false) {
    std::vector<std::uint32_t> last(wires, kNoNextGate);
    for (std::uint32_t i = 0; i < gates.size(); ++i) {
      next_[i].fill(kNoNextGate);
      for (unsigned k = 0; k < gates[i].size; ++k) {
        const rewrite::Wire wire = gates[i].wires[k];
        if (last[wire] != kNoNextGate) {
          next_[last[wire]][operand_of(gates[last[wire]], wire)] = i;
          ++missing_[i];
        }
        last[wire] = i;
      }
      if (missing_[i] == 0) ready_.push_back(i);
    }
  }

  /// Takes up to `size` gates.
  ChainSlice take(std::size_t size, FastRandom& random) {
    ChainSlice slice;
    while (slice.gates.size() < size && !ready_.empty() &&
           slice.wires.size() + rewrite::PlainGate().wires.size() <=
               window_chains::kMostChainWires) {
      const std::size_t place = best_place(random);
      const std::uint32_t index = ready_[place];
      ready_[place] = ready_.back();
      ready_.pop_back();
      slice.gates.push_back(index);
      for (unsigned k = 0; k < gates_[index].size; ++k) {
        const rewrite::Wire wire = gates_[index].wires[k];
        if (!is_own_[wire]) slice.wires.push_back(wire);
        is_own_[wire] = true;
        const std::uint32_t after = next_[index][k];
        if (after != kNoNextGate && --missing_[after] == 0) ready_.push_back(after);
      }
    }
    for (const rewrite::Wire wire : slice.wires) is_own_[wire] = false;
    std::ranges::sort(slice.wires);
    return slice;
  }

 private:
  static unsigned operand_of(const rewrite::PlainGate& gate, rewrite::Wire wire) {
    unsigned operand = 0;
    while (gate.wires[operand] != wire) ++operand;
    return operand;
  }
  /// Returns where in the list of ready gates one is that has the fewest wires besides those of the
  /// slice; a random one of these.
  [[nodiscard]] std::size_t best_place(FastRandom& random) const {
    std::size_t best = 0;
    unsigned fewest = ~0U;
    std::uint32_t equal = 0;
    for (std::size_t i = 0; i < ready_.size(); ++i) {
      const rewrite::PlainGate& gate = gates_[ready_[i]];
      unsigned foreign = 0;
      for (unsigned k = 0; k < gate.size; ++k) foreign += is_own_[gate.wires[k]] ? 0 : 1;
      // Gates that share a wire with the slice are before all others.
      if (foreign == gate.size) foreign += 3;
      if (foreign > fewest) continue;
      equal = foreign < fewest ? 1 : equal + 1;
      fewest = foreign;
      if (random.below(equal) == 0) best = i;
    }
    return best;
  }

  std::span<const rewrite::PlainGate> gates_;
  std::vector<std::array<std::uint32_t, 3>> next_;  ///< next gate on the wire of each operand
  std::vector<std::uint8_t> missing_;               ///< predecessors that were not taken
  std::vector<std::uint32_t> ready_;
  std::vector<bool> is_own_;  ///< by wire: whether it is one of the slice
};

}  // namespace

std::uint8_t ChainSlice::number_of(rewrite::Wire wire) const {
  return static_cast<std::uint8_t>(std::ranges::lower_bound(wires, wire) - wires.begin());
}

std::vector<ChainSlice> chain_slices(std::span<const rewrite::PlainGate> gates, std::uint32_t wires,
                                     std::size_t most_gates, FastRandom& random) {
  std::vector<ChainSlice> slices;
  GateOrder order(gates, wires);
  const std::size_t count = (gates.size() + most_gates - 1) / std::max<std::size_t>(most_gates, 1);
  const std::size_t size = count == 0 ? 0 : (gates.size() + count - 1) / count;
  for (std::size_t taken = 0; taken < gates.size(); taken += slices.back().gates.size()) {
    slices.push_back(order.take(size, random));
  }
  return slices;
}

}  // namespace quartz::optimizer
