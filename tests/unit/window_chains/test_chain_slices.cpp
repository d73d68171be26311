#include <catch2/catch.hpp>
#include <set>

#include "device_chains.hpp"
#include "gate_set_circuits.hpp"
#include "optimize/annealing/annealing_labels.hpp"
#include "optimize/annealing/device/chain_slices.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::rewrite;
using namespace quartz::test;

TEST_CASE("slices one after the other are an order of the circuit", "[window_chains]") {
  const GateSet set = load_gate_set("nam");
  const auto table = table_for_chains(set);
  Random random(3);
  FastRandom order(3);
  for (int round = 0; round < 20; ++round) {
    INFO("seed 3, round " << round);
    const std::uint32_t qubits = 2 + below(random, 40);
    const std::size_t size = below(random, 500);
    const std::size_t most = 1 + below(random, 80);
    AnnealingLabels labels(table->alphabet());
    const auto gates = labels.intern(random_circuit_in(set, random, qubits, size).operations).gates;
    std::vector<std::vector<std::uint32_t>> on_wire(qubits);
    std::set<std::uint32_t> seen;
    for (const ChainSlice& slice : chain_slices(gates, qubits, most, order)) {
      CHECK(!slice.gates.empty());
      CHECK(slice.gates.size() <= most);
      CHECK(std::ranges::is_sorted(slice.wires));
      for (const std::uint32_t index : slice.gates) {
        CHECK(seen.insert(index).second);
        for (unsigned k = 0; k < gates[index].size; ++k) {
          const Wire wire = gates[index].wires[k];
          CHECK(slice.wires.at(slice.number_of(wire)) == wire);
          on_wire[wire].push_back(index);
        }
      }
    }
    CHECK(seen.size() == gates.size());
    for (const auto& indices : on_wire) CHECK(std::ranges::is_sorted(indices));
  }
}

TEST_CASE("slices follow wires", "[window_chains]") {
  // Twenty independent circuits on two qubits each, layer by layer.
  std::vector<PlainGate> gates;
  for (int layer = 0; layer < 10; ++layer) {
    for (Wire pair = 0; pair < 20; ++pair) {
      gates.push_back(
          {{static_cast<Wire>(2 * pair), static_cast<Wire>(2 * pair + 1), 0}, 2, false, 0});
    }
  }
  FastRandom random(1);
  for (const ChainSlice& slice : chain_slices(gates, 40, 10, random)) {
    CHECK(slice.gates.size() == 10);
    CHECK(slice.wires.size() == 2);
  }
}
