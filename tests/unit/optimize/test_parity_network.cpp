#include "optimize/phase_polynomial/parity_network.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>

using namespace quartz;
using namespace quartz::optimizer;

namespace {

/// Returns a goal that some network of `cnots` CNOTs reaches, on wires of limited distance.
ParityNetworkGoal random_goal(FastRandom& random, unsigned wires, unsigned cnots,
                              unsigned farthest) {
  ParityNetworkGoal goal;
  goal.wires = wires;
  for (unsigned wire = 0; wire < kParityWires; ++wire) {
    goal.outputs[wire] = static_cast<WireParity>(1U << wire);
  }
  for (unsigned i = 0; i < cnots; ++i) {
    const unsigned control = random.below(wires);
    const unsigned target = (control + 1 + random.below(wires - 1)) % wires;
    if (std::max(control, target) - std::min(control, target) > farthest) continue;
    goal.outputs[target] ^= goal.outputs[control];
    if (random.below(2) != 0) goal.parities |= ParitySet{1} << goal.outputs[target];
  }
  return goal;
}

bool reaches(const ParityNetworkGoal& goal, const ParityNetwork& network) {
  std::array<WireParity, kParityWires> carried{};
  ParitySet seen = 0;
  for (unsigned wire = 0; wire < kParityWires; ++wire) {
    carried[wire] = static_cast<WireParity>(1U << wire);
    seen |= ParitySet{1} << carried[wire];
  }
  for (const WireCnot& cnot : network) {
    carried[cnot.target] ^= carried[cnot.control];
    seen |= ParitySet{1} << carried[cnot.target];
  }
  return carried == goal.outputs && (goal.parities & ~seen) == 0;
}

}  // namespace

TEST_CASE("a parity network reaches its goal", "[parity_network]") {
  FastRandom random(11);
  ParityNetwork network;
  for (const unsigned wires : {2U, 3U, 4U, 6U}) {
    int found = 0;
    for (int round = 0; round < 200; ++round) {
      INFO("seed 11, wires " << wires << ", round " << round);
      const unsigned cnots = 1 + random.below(4 * wires);
      const ParityNetworkGoal goal = random_goal(random, wires, cnots, wires);
      const std::size_t most = cnots + random.below(8);
      if (!find_parity_network(goal, most, random, network)) continue;
      ++found;
      CHECK(network.size() <= most);
      CHECK(reaches(goal, network));
    }
    CHECK(found > 50);
  }
}

TEST_CASE("a parity network has CNOTs only on permitted wires", "[parity_network]") {
  FastRandom random(14);
  ParityNetwork network;
  int found = 0;
  for (int round = 0; round < 100; ++round) {
    INFO("seed 14, round " << round);
    ParityNetworkGoal goal = random_goal(random, 5, 30, 1);
    for (unsigned wire = 0; wire < kParityWires; ++wire) {  // neighbours on a line
      goal.targets[wire] = static_cast<std::uint8_t>(1U << wire >> 1U | 2U << wire);
    }
    if (!find_parity_network(goal, 40, random, network)) continue;
    ++found;
    CHECK(reaches(goal, network));
    for (const WireCnot& cnot : network) CHECK(std::abs(cnot.control - cnot.target) == 1);
  }
  CHECK(found > 10);
}

TEST_CASE("the parities of a Toffoli need six CNOTs", "[parity_network]") {
  ParityNetworkGoal goal;
  goal.wires = 3;
  goal.parities = 0b11111110;
  goal.outputs = {1, 2, 4, 8, 16, 32};
  FastRandom random(12);
  ParityNetwork network;
  bool found = false;
  for (int attempt = 0; attempt < 100; ++attempt) {
    found = found || find_parity_network(goal, 6, random, network);
    CHECK_FALSE(find_parity_network(goal, 5, random, network));
  }
  CHECK(found);
}

TEST_CASE("a goal that is already reached needs no CNOT", "[parity_network]") {
  ParityNetworkGoal goal;
  goal.wires = 4;
  goal.parities = 0b100010110;
  goal.outputs = {1, 2, 4, 8, 16, 32};
  FastRandom random(13);
  ParityNetwork network;
  CHECK(find_parity_network(goal, 0, random, network));
  CHECK(network.empty());
}
