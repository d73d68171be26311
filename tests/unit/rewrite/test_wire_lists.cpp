#include "rewrite/wire_lists.hpp"

#include <catch2/catch.hpp>

#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::rewrite;
using namespace quartz::test;

namespace {

std::vector<PlainGate> random_gates(Random& random, std::uint32_t wires, std::size_t size) {
  std::vector<PlainGate> gates;
  for (std::size_t i = 0; i < size; ++i) {
    PlainGate gate;
    gate.label = static_cast<Label>(i);
    gate.size = static_cast<std::uint8_t>(1 + below(random, 2));
    gate.wires[0] = static_cast<Wire>(below(random, wires));
    gate.wires[1] = static_cast<Wire>((gate.wires[0] + 1 + below(random, wires - 1)) % wires);
    gates.push_back(gate);
  }
  return gates;
}

/// Returns the labels on each wire, in order.
std::vector<std::vector<Label>> by_wire(std::span<const PlainGate> gates, std::uint32_t wires) {
  std::vector<std::vector<Label>> result(wires);
  for (const PlainGate& gate : gates) {
    for (unsigned i = 0; i < gate.size; ++i) result[gate.wires[i]].push_back(gate.label);
  }
  return result;
}

}  // namespace

TEST_CASE("wire lists return their gates", "[wire_lists]") {
  Random random(3);
  const std::vector<PlainGate> gates = random_gates(random, 5, 60);
  const WireLists circuit(gates, 5);
  CHECK(circuit.size() == 60);
  CHECK(by_wire(circuit.gates(), 5) == by_wire(gates, 5));
}

TEST_CASE("replacing a gate many thousand times preserves the order on every wire",
          "[wire_lists]") {
  Random random(11);
  constexpr std::uint32_t wires = 4;
  std::vector<PlainGate> gates = random_gates(random, wires, 30);
  WireLists circuit(gates, wires);
  // The expected state is kept in the simplest way, as each wire's labels.
  std::vector<std::vector<Label>> expected = by_wire(gates, wires);
  Label next_label = 1000;
  for (int round = 0; round < 5000; ++round) {
    const std::vector<GateIndex> order = circuit.order();
    if (order.empty()) break;
    const GateIndex chosen = order[below(random, order.size())];
    const WiredGate gate = circuit[chosen];
    std::vector<WireLists::Gap> gaps;
    for (unsigned i = 0; i < gate.size; ++i) {
      gaps.push_back({gate.wires[i], gate.previous[i], gate.next[i]});
    }
    std::vector<PlainGate> replacement(circuit.size() > 40 ? 0 : 1 + below(random, 3));
    for (PlainGate& fresh : replacement) {
      fresh.label = next_label++;
      fresh.size = static_cast<std::uint8_t>(1 + below(random, gate.size));
      fresh.wires = gate.wires;
      if (fresh.size == 1) fresh.wires[0] = gate.wires[below(random, gate.size)];
    }
    for (unsigned i = 0; i < gate.size; ++i) {
      std::vector<Label>& labels = expected[gate.wires[i]];
      const auto at = std::find(labels.begin(), labels.end(), gate.label);
      const auto place = labels.erase(at);
      std::vector<Label> fresh;
      for (const PlainGate& g : replacement) {
        for (unsigned k = 0; k < g.size; ++k) {
          if (g.wires[k] == gate.wires[i]) fresh.push_back(g.label);
        }
      }
      labels.insert(place, fresh.begin(), fresh.end());
    }
    circuit.replace({&chosen, 1}, gaps, replacement);
    if (round % 100 == 0) REQUIRE(by_wire(circuit.gates(), wires) == expected);
  }
  CHECK(by_wire(circuit.gates(), wires) == expected);
}
