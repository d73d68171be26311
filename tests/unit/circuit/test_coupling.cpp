#include <catch2/catch.hpp>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/coupling.hpp"

using namespace quartz;
using enum GateKind;

TEST_CASE("Pairs have no direction by default, and no qubit is coupled with itself") {
  CouplingMap map;
  map.add(3, 1);
  map.add(1, 3);
  CHECK(map.size() == 1);
  CHECK(map.contains(1, 3));
  CHECK(map.contains(3, 1));
  CHECK_FALSE(map.contains(1, 2));
  CHECK_THROWS_AS(map.add(2, 2), UsageError);
}

TEST_CASE("A circuit couples the pairs that its gates act on") {
  Operation barrier;
  barrier.kind = OperationKind::barrier;
  barrier.qubits = {0, 4};
  const Circuit circuit = make_circuit(5, {make_operation(h, {4}), make_operation(cx, {1, 0}),
                                           barrier, make_operation(ccx, {0, 2, 3})});
  const CouplingMap map = coupling_of(circuit);
  CHECK(map.size() == 4);
  for (const auto& [a, b] : {std::pair(0U, 1U), {0U, 2U}, {0U, 3U}, {2U, 3U}}) {
    CHECK(map.contains(a, b));
  }
  CHECK_FALSE(uncoupled_gate(circuit, map));

  CouplingMap line;
  for (Qubit qubit = 0; qubit < 4; ++qubit) line.add(qubit, qubit + 1);
  const auto found = uncoupled_gate(circuit, line);
  REQUIRE(found);
  CHECK(found->operation == 3);
  CHECK(found->first == 0);
  CHECK(found->second == 2);
}
