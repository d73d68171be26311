#include <catch2/catch.hpp>

#include "optimize/blocks.hpp"
#include "optimize/regions.hpp"
#include "random_circuits.hpp"
#include "rewrite/packed_circuit.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::test;

TEST_CASE("regions put together are the circuit", "[regions]") {
  Random random(5);
  for (int round = 0; round < 50; ++round) {
    const Circuit circuit = random_circuit(random, kinds_up_to(3), 5, 40);
    const std::size_t size = 1 + below(random, 20);
    std::vector<Operation> joined;
    for (const Region& region : split_into_regions(circuit.operations, 5, size, random)) {
      CHECK(region.gates.size() <= size);
      append_region(region, region.gates, joined);
    }
    INFO("seed 5, round " << round);
    CHECK(joined.size() == circuit.operations.size());
    CHECK(unitary_distance(circuit, make_circuit(5, joined)) < 1e-9);
  }
}

TEST_CASE("a region has as few qubits as a search can pack", "[regions]") {
  Random random(6);
  std::vector<Operation> wide;
  for (Qubit q = 0; q < 200; ++q) wide.push_back(make_operation(GateKind::h, {q}));
  std::size_t total = 0;
  for (const Region& region : split_into_regions(wide, 200, 1000, random)) {
    CHECK(region.qubits.size() <= kPackedQubits);
    total += region.gates.size();
  }
  CHECK(total == 200);
}

TEST_CASE("gates on more than three qubits are regions that no search takes", "[regions]") {
  Random random(7);
  const std::vector<Operation> gates{make_operation(GateKind::h, {0}),
                                     make_operation(GateKind::c3x, {0, 1, 2, 3}),
                                     make_operation(GateKind::h, {0})};
  const std::vector<Region> regions = split_into_regions(gates, 4, 10, random);
  REQUIRE(regions.size() == 3);
  CHECK(regions[0].searchable);
  CHECK_FALSE(regions[1].searchable);
  CHECK(regions[2].searchable);
}

TEST_CASE("walls cut a circuit into blocks and are never crossed", "[blocks]") {
  const std::vector<Operation> operations{
      make_operation(GateKind::h, {0}), measure(0, 0), make_operation(GateKind::h, {0}),
      make_operation(GateKind::x, {1}), reset(0),      make_operation(GateKind::h, {0})};
  const std::vector<Block> blocks = split_at_walls(operations, 2);
  REQUIRE(blocks.size() == 3);
  // x on qubit 1 is held back by no wall: it may stand in the first block.
  CHECK(blocks[0].gates ==
        std::vector{make_operation(GateKind::h, {0}), make_operation(GateKind::x, {1})});
  CHECK(blocks[1].gates == std::vector{make_operation(GateKind::h, {0})});
  CHECK(blocks[2].gates == std::vector{make_operation(GateKind::h, {0})});
  CHECK(*blocks[0].wall == operations[1]);
  CHECK(*blocks[1].wall == operations[4]);
  CHECK_FALSE(blocks[2].wall.has_value());
}

TEST_CASE("gates under one condition are a block of their own", "[blocks]") {
  using enum GateKind;
  const std::vector<Operation> operations{
      make_operation(h, {0}),      conditional(make_operation(x, {0}), 0, 1),
      make_operation(h, {1}),      conditional(make_operation(z, {0}), 0, 1),
      make_operation(h, {0}),      conditional(make_operation(s, {2}), 0, 0),
      conditional(reset(1), 0, 0), make_operation(t, {2}),
  };
  const std::vector<Block> blocks = split_at_walls(operations, 3);
  REQUIRE(blocks.size() == 5);
  CHECK(blocks[0].gates == std::vector{make_operation(h, {0}), make_operation(h, {1})});
  CHECK(blocks[1].gates == std::vector{make_operation(x, {0}), make_operation(z, {0})});
  CHECK(*blocks[1].condition == *operations[1].classical);
  CHECK(blocks[2].gates == std::vector{make_operation(h, {0})});
  CHECK(blocks[2].condition == nullptr);
  CHECK(blocks[3].gates == std::vector{make_operation(s, {2})});
  CHECK(*blocks[3].wall == operations[6]);
  // No gate of another kind joins a block under a condition.
  CHECK(blocks[4].gates == std::vector{make_operation(t, {2})});
  const std::vector<Operation> joined = join_blocks(blocks);
  CHECK(joined == std::vector{operations[0], operations[2], operations[1], operations[3],
                              operations[4], operations[5], operations[6], operations[7]});
}

TEST_CASE("an interruption leaves no regions of a wide circuit", "[regions]") {
  Random random(7);
  std::vector<Operation> wide;
  for (Qubit q = 0; q < 2000; ++q) wide.push_back(make_operation(GateKind::h, {q}));
  CHECK(split_into_regions(wide, 2000, 48, random, [] { return true; }).empty());
  CHECK_FALSE(split_into_regions(wide, 2000, 48, random, [] { return false; }).empty());
}
