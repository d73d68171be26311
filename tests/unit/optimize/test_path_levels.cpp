#include "optimize/annealing/path_levels.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "optimize/annealing/rewritten_circuit.hpp"
#include "optimize/annealing/window.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::rewrite;
using namespace quartz::test;

namespace {

constexpr std::uint32_t kWires = 6;
constexpr Label kLabels = 8;

/// Lengths of labels, some of which are 0.
std::vector<PathLevels::Length> random_lengths(Random& random) {
  std::vector<PathLevels::Length> lengths(kLabels);
  for (PathLevels::Length& length : lengths) length = below(random, 4);
  return lengths;
}

PlainGate random_gate(Random& random, std::span<const Wire> wires) {
  PlainGate gate;
  gate.label = below(random, kLabels);
  gate.size = static_cast<std::uint8_t>(1 + below(random, std::min<std::size_t>(wires.size(), 3)));
  std::vector<Wire> left(wires.begin(), wires.end());
  for (unsigned i = 0; i < gate.size; ++i) {
    const auto wire = left.begin() + below(random, left.size());
    gate.wires[i] = *wire;
    left.erase(wire);
  }
  return gate;
}

std::vector<PlainGate> random_gates(Random& random, std::span<const Wire> wires,
                                    std::size_t count) {
  std::vector<PlainGate> gates(count);
  for (PlainGate& gate : gates) gate = random_gate(random, wires);
  return gates;
}

/// A window of a circuit and what replaces it.
struct RandomExchange {
  Window window;
  std::vector<PlainGate> inserted;
  Exchange exchange;
};

RandomExchange random_exchange(const WireLists& lists, Random& random) {
  RandomExchange result;
  GateIndex start = 0;
  do {
    start = below(random, lists.places());
  } while (lists[start].size == 0);
  grow_window(
      lists, start, 1 + below(random, 6), [](const WiredGate&) { return true; }, result.window);
  std::vector<Wire> wires;
  for (const WireLists::Gap& gap : result.window.wires) wires.push_back(gap.wire);
  result.inserted = random_gates(random, wires, below(random, 7));
  return result;
}

void fill(RandomExchange& random) {
  random.exchange.removed = {random.window.gates.data(), random.window.gates.size()};
  random.exchange.gaps = {random.window.wires.data(), random.window.wires.size()};
  random.exchange.inserted = random.inserted;
}

void check_equal(const PathLevels& levels, const PathLevels& expected, const WireLists& lists) {
  CHECK(levels.longest() == expected.longest());
  bool is_equal = true;
  for (const GateIndex gate : lists.order()) {
    is_equal = is_equal && levels.to(gate) == expected.to(gate) &&
               levels.from(gate) == expected.from(gate);
  }
  CHECK(is_equal);
}

}  // namespace

TEST_CASE("levels after changes and after undoing them equal those of the gates", "[path levels]") {
  Random random(61);
  std::vector<Wire> wires;
  for (std::uint32_t wire = 0; wire < kWires; ++wire) wires.push_back(static_cast<Wire>(wire));
  for (int round = 0; round < 60; ++round) {
    INFO("seed 61, round " << round);
    const std::vector<PathLevels::Length> lengths = random_lengths(random);
    RewrittenCircuit circuit(WireLists(random_gates(random, wires, 60), kWires), {1000, 0, 0});
    circuit.follow_paths(lengths, 7);
    for (int change = 0; change < 60 && circuit.gates().size() > 0; ++change) {
      if (change % 8 == 7) {
        circuit.undo_to(circuit.position() - below(random, circuit.position() + 1));
      } else {
        RandomExchange next = random_exchange(circuit.gates(), random);
        fill(next);
        const PathLevels::Length through =
            circuit.levels()->through_instead(next.exchange.gaps, next.exchange.inserted);
        circuit.apply(next.exchange);
        if (!next.inserted.empty()) {
          CHECK(circuit.levels()->through(circuit.gates(), circuit.gates().replaced()) <= through);
        }
        CHECK(through <= circuit.levels()->longest());
      }
      check_equal(*circuit.levels(), PathLevels(lengths, circuit.gates()), circuit.gates());
      CHECK(circuit.totals().value == 1000 + 7 * circuit.levels()->longest());
      if (change == 30) circuit.forget_changes();
      if (change == 40) circuit.return_to_best();
    }
  }
}

TEST_CASE("the length of the longest chain is that of the critical path", "[path levels]") {
  Random random(62);
  for (int round = 0; round < 50; ++round) {
    INFO("seed 62, round " << round);
    std::vector<Wire> wires{0, 1, 2, 3, 4, 5};
    const std::vector<PathLevels::Length> lengths = random_lengths(random);
    const std::vector<PlainGate> gates = random_gates(random, wires, 40);
    std::array<PathLevels::Length, kWires> level{};
    for (const PlainGate& gate : gates) {
      PathLevels::Length end = 0;
      for (unsigned i = 0; i < gate.size; ++i) end = std::max(end, level[gate.wires[i]]);
      end += lengths[gate.label];
      for (unsigned i = 0; i < gate.size; ++i) level[gate.wires[i]] = end;
    }
    CHECK(PathLevels(lengths, WireLists(gates, kWires)).longest() == std::ranges::max(level));
  }
}
