#include "window_chains/chain/chain_start.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "quartz/base/errors.hpp"

namespace quartz::window_chains {

namespace {

ChainStage stage_at(double temperature, std::uint32_t moves_per_gate) {
  ChainStage stage{};
  stage.moves_per_gate = moves_per_gate;
  if (temperature <= 0) return stage;
  for (std::uint32_t change = 1; change < kChanges; ++change) {
    stage.thresholds[change] =
        static_cast<std::uint32_t>(std::ldexp(std::exp(-change / temperature), 32));
  }
  return stage;
}

}  // namespace

void ChainStarts::add(std::span<const StartGate> circuit, std::uint64_t value, std::uint32_t cost) {
  ensure(circuit.size() <= kMostChainGates, "a chain of window moves has too many gates");
  const auto count = static_cast<std::uint32_t>(circuit.size());
  const auto first = static_cast<std::uint32_t>(gates.size());
  const std::uint64_t spacing = chain_spacing(count);
  std::array<Place, kMostChainWires + 1> last{};
  last.fill(kNoPlace);
  for (std::uint32_t i = 0; i < count; ++i) {
    const StartGate& start = circuit[i];
    ChainGate gate{};
    gate.position = (std::uint64_t{i} + 1) * spacing;
    gate.label = start.label;
    gate.size = start.size;
    std::ranges::fill(gate.next, kNoPlace);
    std::ranges::fill(gate.previous, kNoPlace);
    for (unsigned k = 0; k < start.size; ++k) {
      const std::uint8_t wire = start.wires[k];
      gate.wires[k] = wire;
      gate.previous[k] = last[wire];
      if (last[wire] != kNoPlace) {
        ChainGate& before = gates[first + last[wire]];
        const auto operand = std::find(before.wires, before.wires + before.size, wire);
        before.next[operand - before.wires] = static_cast<Place>(i);
      }
      last[wire] = static_cast<Place>(i);
    }
    gates.push_back(gate);
  }
  circuits.push_back({first, count, value, cost});
}

std::vector<ChainStage> cooling_stages(double first, double last, unsigned stages,
                                       std::uint32_t moves_per_gate) {
  std::vector<ChainStage> result;
  for (unsigned i = 0; i < stages; ++i) {
    const double part = stages > 1 ? static_cast<double>(i) / (stages - 1) : 0;
    result.push_back(stage_at(first * std::pow(last / first, part), moves_per_gate / stages));
  }
  result.push_back(stage_at(0, std::max(moves_per_gate / stages, 1U)));
  return result;
}

}  // namespace quartz::window_chains
