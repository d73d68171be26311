#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "optimize/state/qubit_groups.hpp"
#include "random_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;

TEST_CASE("groups joined give the circuit, and have few qubits", "[qubit_groups]") {
  Random random(11);
  for (int round = 0; round < 100; ++round) {
    const Circuit circuit = random_circuit(random, kinds_up_to(3), 7, 30);
    const std::size_t max_qubits = 3 + below(random, 5);
    INFO("seed 11, round " << round << ", " << max_qubits << " qubits");
    std::vector<Operation> joined;
    for (const QubitGroup& group : split_by_qubits(circuit.operations, max_qubits)) {
      CHECK(group.qubits.size() <= max_qubits);
      CHECK(std::is_sorted(group.qubits.begin(), group.qubits.end()));
      append_group(group, group.gates, joined);
    }
    CHECK(joined.size() == circuit.operations.size());
    CHECK(unitary_distance(circuit, make_circuit(7, joined)) < 1e-9);
  }
}

TEST_CASE("gates that share no qubits form one group as long as it has room", "[qubit_groups]") {
  std::vector<Operation> gates;
  for (Qubit q = 0; q < 10; ++q) gates.push_back(make_operation(GateKind::h, {1'000'000 * q}));
  const std::vector<QubitGroup> groups = split_by_qubits(gates, 4);
  REQUIRE(groups.size() == 3);
  CHECK(groups[1].qubits == std::vector<Qubit>{4'000'000, 5'000'000, 6'000'000, 7'000'000});
  CHECK(groups[2].gates ==
        std::vector<Operation>{make_operation(GateKind::h, {0}), make_operation(GateKind::h, {1})});
}
