#include "optimize/annealing/annealing_chain.hpp"

#include <catch2/catch.hpp>

#include "gate_set_circuits.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::optimizer;
using namespace quartz::rewrite;
using namespace quartz::test;

TEST_CASE("placing rotations preserves the unitary and adds no gates", "[rotation_placement]") {
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
        // Rotations by angles that are not multiples of pi/4 stay in one piece.
        for (int i = 0; i < 4; ++i) {
          circuit.operations.insert(
              circuit.operations.begin() + below(random, circuit.operations.size()),
              make_operation(GateKind::rz, {below(random, 3)},
                             {Angle::pi_times(Rational(i % 2 == 0 ? 1 : -1, 3))}));
        }
      }
      AnnealingLabels labels(table->alphabet());
      const std::vector<PlainGate> gates = labels.intern(circuit.operations).gates;
      AnnealingChain chain(*table, labels, WireLists(gates, 3), choices());
      chain.settings.moved_rotations = 0.7;
      // The first move of a chain is a rotation move; a window move follows.
      chain.begin_sweep(gates.size());
      chain.run(1, 0);
      const std::span<const Change> changes = chain.log().changes();
      Circuit result = make_circuit(3, labels.operations(chain.circuit().gates()));
      result.global_phase = labels.phase() + Angle::pi_times(Rational(chain.totals().phase, 8));
      REQUIRE(unitary_distance(circuit, result) < 1e-8);
      CHECK(chain.circuit().size() <= gates.size());
      if (!changes.empty()) CHECK(changes[0].kind == RewriteKind::rotations);
    }
  }
}
