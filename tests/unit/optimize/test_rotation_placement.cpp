#include "optimize/annealing/rotation_placement.hpp"

#include <catch2/catch.hpp>

#include "gate_set_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::test;

TEST_CASE("placing rotations keeps the unitary and adds no gates", "[rotation_placement]") {
  for (const char* name : {"nam", "ibm", "ibm_heron", "rigetti", "clifford_t"}) {
    const GateSet set = load_gate_set(name);
    ClassTableOptions options;
    options.cost = 1;
    options.symbolic = true;
    const auto table = build_class_table(set, options);
    Random random(17);
    FastRandom choices(17);
    INFO("gate set " << name << ", seed 17");
    for (int round = 0; round < 60; ++round) {
      Circuit circuit = random_circuit_in(set, random, 3, 40);
      if (!set.alphabet.expressions.empty()) {
        // Angles that are no multiples of pi/4 move as they are.
        for (int i = 0; i < 4; ++i) {
          circuit.operations.insert(
              circuit.operations.begin() + below(random, circuit.operations.size()),
              make_operation(GateKind::rz, {below(random, 3)},
                             {Angle::pi_times(Rational(i % 2 == 0 ? 1 : -1, 3))}));
        }
      }
      AnnealingLabels labels(table->alphabet());
      const std::vector<PlainGate> gates = labels.intern(circuit.operations);
      const PlacedRotations placed = place_rotations(gates, 3, labels, 0.7, choices);
      Circuit result = make_circuit(3, labels.operations(placed.gates));
      result.global_phase = labels.phase() + Angle::pi_times(Rational(placed.phase, 8));
      REQUIRE(unitary_distance(circuit, result) < 1e-8);
      CHECK(placed.gates.size() <= gates.size());
    }
  }
}
