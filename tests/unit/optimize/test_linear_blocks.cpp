#include <algorithm>
#include <catch2/catch.hpp>

#include "optimize/linear/linear_blocks.hpp"
#include "optimize/linear/linear_synthesis.hpp"
#include "optimize/passes/shorten_linear_blocks.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using enum GateKind;

namespace {

LinearMap map_of(std::size_t wires, const std::vector<LinearCnot>& cnots) {
  LinearMap map(wires);
  for (const LinearCnot& each : cnots) map.append(each);
  return map;
}

std::vector<LinearCnot> random_cnots(Random& random, std::uint32_t wires, std::size_t count) {
  std::vector<LinearCnot> cnots;
  while (cnots.size() < count) {
    const std::uint32_t control = below(random, wires);
    const std::uint32_t target = below(random, wires);
    if (control == target) continue;
    cnots.push_back({static_cast<std::uint8_t>(control), static_cast<std::uint8_t>(target)});
  }
  return cnots;
}

/// A CNOT between any two of some qubits, from the lower to the higher one.
std::vector<Operation> full_entanglement(std::uint32_t qubits) {
  std::vector<Operation> gates;
  for (Qubit control = 0; control < qubits; ++control) {
    for (Qubit target = control + 1; target < qubits; ++target) {
      gates.push_back(make_operation(cx, {control, target}));
    }
  }
  return gates;
}

std::vector<Operation> resynthesized(const std::vector<Operation>& gates, std::uint32_t wires,
                                     const CouplingMap* coupling = nullptr) {
  return resynthesize_linear_blocks(gates, wires, coupling, Budget()).gates;
}

}  // namespace

TEST_CASE("the inverse and the transpose of a linear map", "[linear]") {
  Random random(11);
  for (const std::uint32_t wires : {1U, 2U, 5U, 17U, 64U}) {
    const std::vector<LinearCnot> cnots = wires == 1
                                              ? std::vector<LinearCnot>{}
                                              : random_cnots(random, wires, std::size_t{5} * wires);
    const LinearMap map = map_of(wires, cnots);
    CHECK(map.transposed().transposed() == map);
    CHECK(map.inverse().inverse() == map);
    CHECK(map_of(wires, {cnots.rbegin(), cnots.rend()}) == map.inverse());
  }
}

TEST_CASE("random linear maps are synthesized with fewer CNOTs", "[linear]") {
  Random random(12);
  std::size_t shorter = 0;
  for (int round = 0; round < 60; ++round) {
    INFO("seed 12, round " << round);
    const std::uint32_t wires = 3 + below(random, round % 10 == 0 ? 62 : 10);
    const std::vector<LinearCnot> cnots = random_cnots(random, wires, 1 + below(random, 6 * wires));
    const LinearMap map = map_of(wires, cnots);
    const auto found = synthesize_linear_map(map, 10'000);
    REQUIRE(found);
    CHECK(map_of(wires, *found) == map);
    shorter += found->size() < cnots.size() ? 1 : 0;
    CHECK_FALSE(synthesize_linear_map(map, found->size()));
    CHECK(synthesize_linear_map(map, found->size() + 1) == found);
  }
  CHECK(shorter > 20);
}

TEST_CASE("CNOTs between all qubits become a ladder", "[linear]") {
  for (const std::uint32_t qubits : {3U, 8U, 20U, 64U}) {
    const std::vector<Operation> after = resynthesized(full_entanglement(qubits), qubits);
    CHECK(after.size() == qubits - 1);
  }
  // A map on more qubits is left as it is.
  CHECK(resynthesized(full_entanglement(65), 65) == full_entanglement(65));
}

TEST_CASE("blocks of CNOTs and SWAPs are replaced between other gates", "[linear]") {
  Random random(13);
  const std::vector<GateKind> kinds{cx, cx, cx, cx, swap, cx, t, h};
  std::size_t shorter = 0;
  for (int round = 0; round < 40; ++round) {
    INFO("seed 13, round " << round);
    const std::uint32_t qubits = 3 + below(random, 3);
    std::vector<Operation> gates =
        random_circuit(random, kinds, qubits, 10 + below(random, 40)).operations;
    gates.insert(gates.begin() + below(random, gates.size()), measure(below(random, qubits), 0));
    const std::vector<Operation> after = resynthesized(gates, qubits);
    const auto cost = [](const std::vector<Operation>& operations) {
      std::size_t sum = 0;
      for (const Operation& each : operations) {
        if (each.is_boundary()) continue;
        sum += each.gate == swap ? 3 : 1;
      }
      return sum;
    };
    CHECK(cost(after) <= cost(gates));
    shorter += cost(after) < cost(gates) ? 1 : 0;
    CHECK(check_equivalence(classical_circuit(qubits, {1}, gates),
                            classical_circuit(qubits, {1}, after))
              .verdict == EquivalenceVerdict::equal);
  }
  CHECK(shorter > 20);
}

TEST_CASE("a coupling map restricts the CNOTs of a block", "[linear]") {
  // The ladder has CNOTs between neighbours only.
  const std::vector<Operation> gates = full_entanglement(4);
  CouplingMap all(false);
  CouplingMap some(false);
  for (Qubit a = 0; a < 4; ++a) {
    for (Qubit b = a + 1; b < 4; ++b) {
      all.add(a, b);
      if (a + b != 3) some.add(a, b);
    }
  }
  CHECK(resynthesized(gates, 4, &all).size() == 3);
  const std::vector<Operation> restricted = resynthesized(gates, 4, &some);
  const bool is_allowed = std::ranges::all_of(restricted, [&](const Operation& gate) {
    return some.allows(gate.qubits[0], gate.qubits[1]);
  });
  CHECK((is_allowed || restricted == gates));
}

TEST_CASE("the blocks of a whole circuit are shortened between measurements and conditions",
          "[linear]") {
  std::vector<Operation> operations = full_entanglement(4);
  operations.push_back(measure(0, 0));
  operations.push_back(conditional(make_operation(x, {1}), 0, 1));
  for (const Operation& each : full_entanglement(4)) operations.push_back(each);
  const Circuit circuit = classical_circuit(4, {1}, operations);
  const Circuit shorter = shorten_linear_blocks(circuit).circuit;
  CHECK(count_gates(shorter).two_qubit <= 8);
  CHECK(count_gates(shorter).total == count_gates(shorter).two_qubit + 1);
  CHECK(check_equivalence(circuit, shorter).verdict == EquivalenceVerdict::equal);
}

TEST_CASE("no circuit has fewer CNOTs than one in which they form no cycle", "[linear]") {
  // The least number of CNOTs of each map on four wires, by a search in breadth.
  constexpr std::uint8_t kCount = 4;
  std::vector<LinearMap> maps{LinearMap(kCount)};
  std::vector<std::size_t> least{0};
  for (std::size_t i = 0; i < maps.size() && least[i] < kCount - 1; ++i) {
    for (std::uint8_t control = 0; control < kCount; ++control) {
      for (std::uint8_t target = 0; target < kCount; ++target) {
        if (control == target) continue;
        LinearMap next = maps[i];
        next.append({control, target});
        if (std::ranges::find(maps, next) != maps.end()) continue;
        maps.push_back(std::move(next));
        least.push_back(least[i] + 1);
      }
    }
  }
  Random random(64);
  for (int round = 0; round < 300; ++round) {
    // Each wire but the first one is joined to one before it, in any order of the CNOTs.
    std::vector<LinearCnot> tree;
    for (std::uint8_t wire = 1; wire < kCount; ++wire) {
      const auto other = static_cast<std::uint8_t>(below(random, wire));
      tree.push_back(below(random, 2) == 0 ? LinearCnot{wire, other} : LinearCnot{other, wire});
    }
    std::ranges::shuffle(tree, random);
    INFO("seed 64, round " << round);
    const auto found = std::ranges::find(maps, map_of(kCount, tree));
    REQUIRE(found != maps.end());
    CHECK(least[static_cast<std::size_t>(found - maps.begin())] == tree.size());
    std::vector<Operation> gates;
    for (const LinearCnot& each : tree) {
      gates.push_back(make_operation(cx, {each.control, each.target}));
    }
    CHECK(resynthesize_linear_blocks(gates, kCount, nullptr, Budget()).gates == gates);
  }
}
