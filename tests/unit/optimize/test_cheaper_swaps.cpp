#include <catch2/catch.hpp>

#include "optimize/passes/free_swaps.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::test;
using enum GateKind;

namespace {

/// Returns the circuit with the SWAP gates that are cheaper; itself if there are none.
Circuit with_swaps(const Circuit& circuit, SwapPlaces places) {
  const auto result = with_free_swaps(circuit, load_gate_set("nam"), CostKind::two_qubit, places);
  return result ? result->circuit : circuit;
}

const Operation forth = make_operation(cx, {0, 1});
const Operation back = make_operation(cx, {1, 0});
const Operation exchanged = make_operation(swap, {0, 1});

}  // namespace

TEST_CASE("A SWAP gate follows two CNOTs in both directions, which it makes one", "[swaps]") {
  const Operation behind = make_operation(cx, {1, 2});
  const Circuit circuit = make_circuit(3, {forth, back, behind, make_operation(h, {0})});
  const auto result =
      with_free_swaps(circuit, load_gate_set("nam"), CostKind::two_qubit, SwapPlaces::anywhere);
  REQUIRE(result);
  CHECK(result->circuit.operations ==
        std::vector{forth, back, exchanged, make_operation(cx, {0, 2}), make_operation(h, {1})});
  CHECK(result->permutation == OutputPermutation{1, 0, 2});
  CHECK_FALSE(
      with_free_swaps(circuit, load_gate_set("nam"), CostKind::two_qubit, SwapPlaces::at_the_end));
  CHECK(with_swaps(make_circuit(3, {behind, forth, back}), SwapPlaces::at_the_end).operations ==
        std::vector{behind, forth, back, exchanged});
  CHECK_FALSE(with_free_swaps(make_circuit(2, {forth, forth}), load_gate_set("nam"),
                              CostKind::two_qubit, SwapPlaces::anywhere));
}

TEST_CASE("No SWAP gate is put where something else than gates follows", "[swaps]") {
  const Circuit reused =
      classical_circuit(2, {1}, {forth, back, measure(0, 0), make_operation(h, {0})});
  CHECK(with_swaps(reused, SwapPlaces::anywhere) == reused);
  const Circuit guarded =
      classical_circuit(2, {1}, {forth, back, conditional(make_operation(x, {1}), 0, 1)});
  CHECK(with_swaps(guarded, SwapPlaces::anywhere) == guarded);
  const Circuit measured = classical_circuit(2, {1}, {forth, back, measure(0, 0)});
  CHECK(with_swaps(measured, SwapPlaces::at_the_end).operations ==
        std::vector{forth, back, exchanged, measure(1, 0)});
}

TEST_CASE("Circuits with cheaper SWAP gates are equal up to their permutation", "[swaps]") {
  const std::vector<GateKind> kinds{cx, cx, cx, h, rz, x};
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    const auto qubits = static_cast<Qubit>(2 + below(random, 3));
    const Circuit circuit = random_circuit(random, kinds, qubits, 16);
    for (const SwapPlaces places : {SwapPlaces::anywhere, SwapPlaces::at_the_end}) {
      const auto result =
          with_free_swaps(circuit, load_gate_set("nam"), CostKind::two_qubit, places);
      if (!result) continue;
      ++found;
      const Circuit undone = with_permutation_undone(result->circuit, result->permutation);
      CHECK(check_equivalence(circuit, undone).verdict == EquivalenceVerdict::equal);
    }
  }
  CHECK(found > 50);
}
