#include <catch2/catch.hpp>

#include <string_view>

#include "gate_set_circuits.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/classes/class_table.hpp"
#include "quartz/optimize/optimize.hpp"
#include "quartz/target/gate_set.hpp"
#include "short_searches.hpp"
#include "unitary_distance.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

/// Returns whether the set has few enough letters, with constants and a free angle, for a class
/// table.
bool has_class_table(const GateSet& set) {
  ClassTableOptions options;
  options.cost = 1;
  options.symbolic = true;
  try {
    (void)build_class_table(set, options);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace

TEST_CASE("a set without a CNOT, or with too many letters, is searched in the intermediate set",
          "[optimize]") {
  for (const char* name : {"ibm_heron", "rigetti", "ion_trap", "ibm_u"}) {
    const GateSet set = load_gate_set(name);
    Random random(47);
    const Circuit given = random_circuit_in(load_gate_set("nam"), random, 4, 60);
    const Circuit circuit = translate(given, set);
    OptimizeOptions options = by_steps(CostKind::two_qubit, 20000);
    options.search = "auto";
    options.seconds = 1;
    INFO(name << ", seed 47");
    const OptimizeResult result = optimize(circuit, set, rules_of(set), options);
    CHECK(has_pass(result, "intermediate"));
    CHECK(count_gates(result.circuit).two_qubit < count_gates(circuit).two_qubit);
    CHECK(translate(result.circuit, set) == result.circuit);
    CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
  }
}

TEST_CASE("a set without a class table is searched in the intermediate set even within a second",
          "[optimize]") {
  const GateSet set = load_gate_set("ionq_forte");
  REQUIRE_FALSE(has_class_table(set));
  Random random(61);
  const Circuit circuit = translate(random_circuit_in(load_gate_set("nam"), random, 3, 30), set);
  OptimizeOptions options = quick(CostKind::two_qubit);
  options.seconds = 0.9;
  options.find_class_table = nullptr;  // a table takes time
  INFO("seed 61");
  const OptimizeResult result =
      optimize(circuit, set, rules_of(set), stopped_in_backtracking(options));
  CHECK(has_pass(result, "intermediate"));
  CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
}

TEST_CASE("among circuits of equal cost in the intermediate set, those with fewer blocks are found",
          "[optimize]") {
  // If the controls of its Toffolis are taken in the right order, gates before and after each
  // Toffoli share a block with its first gates: Qiskit 2.6.2 finds 10 gates on two qubits. The
  // circuits from the intermediate set with the fewest CNOTs give 10 and 11.
  const GateSet set = load_gate_set("ibm_heron_fractional");
  const Circuit given = make_circuit(
      3,
      {make_operation(GateKind::csdg, {0, 2}), make_operation(GateKind::t, {1}),
       make_operation(GateKind::ccx, {1, 0, 2}), make_operation(GateKind::y, {2}),
       make_operation(GateKind::u, {0},
                      {Angle::decimal("2.192"), Angle::decimal("4.204"), Angle::decimal("4.461")}),
       make_operation(GateKind::p, {1}, {Angle::decimal("4.649")}),
       make_operation(GateKind::cp, {1, 2}, {Angle::decimal("2.393")}),
       make_operation(GateKind::ccz, {2, 1, 0})});
  const Circuit circuit = translate(given, set);
  // Annealing gets 90% of the steps: 400,000.
  OptimizeOptions options = by_steps(Cost({CostKind::two_qubit, CostKind::total}), 444'445);
  options.search = "auto";
  options.exactness = Exactness::numeric;
  options.threads = 1;
  std::uint64_t gates = 0;
  for (options.seed = 0; options.seed < 2; ++options.seed) {
    const OptimizeResult result =
        optimize(circuit, set, rules_of(set), stopped_in_backtracking(options));
    CHECK(has_pass(result, "intermediate"));
    CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
    gates += count_gates(result.circuit).two_qubit;
  }
  CHECK(gates < 2 * 10);
}

TEST_CASE(
    "a set without a Hadamard gate is also searched in the intermediate set, and the better result "
    "is kept",
    "[optimize]") {
  for (const char* name : {"ibm", "ibm_heron", "clifford_t"}) {
    const GateSet set = load_gate_set(name);
    Random random(53);
    const Circuit given =
        random_circuit(random, {GateKind::h, GateKind::x, GateKind::t, GateKind::cx}, 4, 60);
    const Circuit circuit = translate(given, set);
    OptimizeOptions options = by_steps(CostKind::total, 20000);
    INFO(name << ", seed 53");
    const OptimizeResult result = optimize(circuit, set, rules_of(set), options);
    CHECK(has_pass(result, "intermediate") == (name != std::string_view("clifford_t")));
    CHECK(count_gates(result.circuit).total < count_gates(circuit).total);
    CHECK(translate(result.circuit, set) == result.circuit);
    CHECK(unitary_distance(circuit, result.circuit) < 1e-8);
    CHECK(optimize(circuit, set, rules_of(set), options).circuit == result.circuit);
  }
}
