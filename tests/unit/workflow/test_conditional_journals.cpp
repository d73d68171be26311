#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "quartz/certify/journal.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "random_circuits.hpp"
#include "replayed_journal.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

constexpr std::uint32_t kQubits = 4;

Operation random_rotation(Random& random, bool has_symbols) {
  const std::vector<GateKind> kinds{GateKind::rz, GateKind::rz, GateKind::p, GateKind::rx};
  Operation gate = random_gate(random, kinds, kQubits, 4);
  if (has_symbols && below(random, 2) == 0) {
    gate.angles[0] += Angle::symbol(below(random, 2) == 0 ? "a" : "b");
  }
  return gate;
}

/// Returns a circuit with measurements, resets, barriers and runs of gates under conditions.
Circuit random_dynamic_circuit(Random& random, bool has_symbols) {
  const std::vector<GateKind> kinds{GateKind::h,  GateKind::cx, GateKind::cx,  GateKind::t,
                                    GateKind::s,  GateKind::x,  GateKind::z,   GateKind::tdg,
                                    GateKind::cz, GateKind::y,  GateKind::ccx, GateKind::swap};
  const std::vector<std::vector<Condition>> conditions{
      {{0, 1, 0}}, {{0, 0, 1}}, {{1, 1}}, {{0, 2}}, {{1, 1}, {0, 1, 0}}};
  std::vector<Operation> operations;
  while (operations.size() < 60) {
    bool is_run = false;
    switch (below(random, 8)) {
      case 0:
        operations.push_back(measure(below(random, kQubits), below(random, 3)));
        break;
      case 1:
        operations.push_back(reset(below(random, kQubits)));
        break;
      case 2:
        operations.push_back(barrier({below(random, 2), 2}));
        break;
      default:
        is_run = true;
    }
    ClassicalPart part;
    if (below(random, is_run ? 2 : 4) == 0) {
      part.conditions = conditions[below(random, conditions.size())];
    }
    if (!is_run && operations.back().kind != OperationKind::barrier && !part.conditions.empty()) {
      if (operations.back().classical != nullptr) part.bits = operations.back().classical->bits;
      operations.back() = with_classical(operations.back(), part);
    }
    for (std::uint32_t i = is_run ? 4 + below(random, 12) : 0; i-- > 0;) {
      Operation gate = has_symbols && below(random, 3) == 0
                           ? random_rotation(random, has_symbols)
                           : random_gate(random, kinds, kQubits, 4);
      if (!part.conditions.empty()) gate = with_classical(std::move(gate), part);
      operations.push_back(std::move(gate));
    }
  }
  Circuit circuit = classical_circuit(kQubits, {2, 1}, std::move(operations));
  circuit.qasm_version = 3;
  circuit.parameters = {{"a"}, {"b"}};
  return circuit;
}

bool has_conditional_gate(const Circuit& circuit) {
  for (const Operation& operation : circuit.operations) {
    if (operation.kind == OperationKind::gate && !operation.conditions().empty()) return true;
  }
  return false;
}

/// Checks that circuits that differ from the result in one operation are not certified.
void check_changes(const Circuit& input, const SuperoptimizeResult& result, Random& random) {
  for (int i = 0; i < 6; ++i) {
    Circuit other = result.circuit;
    Operation& changed = other.operations[below(random, other.operations.size())];
    const bool is_conditional = !changed.conditions().empty();
    if (is_conditional && i % 2 == 0) {
      ClassicalPart part = *changed.classical;
      Condition& condition = part.conditions[below(random, part.conditions.size())];
      condition.value ^= 1U;
      changed.classical = std::make_shared<const ClassicalPart>(std::move(part));
    } else if (is_conditional && i % 3 == 0 && changed.kind == OperationKind::gate) {
      changed.classical = nullptr;
    } else {
      changed.qubits[0] = (changed.qubits[0] + 1) % kQubits;
    }
    CHECK_FALSE(replay(input, other, result.journal).is_certified);
  }
}

}  // namespace

TEST_CASE("Journals certify the results for circuits with conditions", "[journal][conditions]") {
  struct Case {
    std::string set;
    std::string search;
    bool has_symbols;
  };
  const auto [name, search, has_symbols] = GENERATE(
      Case{"nam", "auto", true}, Case{"nam", "anneal", true}, Case{"nam", "backtrack", true},
      Case{"clifford_t", "auto", false}, Case{"ibm", "auto", true}, Case{"rigetti", "auto", true},
      Case{"ion_trap", "auto", true}, Case{"ionq_forte", "simplify", true});
  const GateSet set = load_gate_set(name);
  SuperoptimizeOptions options;
  options.search = search;
  options.steps = 1000;
  options.threads = 1;
  options.check = CheckPolicy::off;
  options.record_journal = true;
  options.cache.enabled = false;
  int conditional = 0;
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    INFO(name << ", " << search << ", seed " << seed);
    Random random(seed);
    const Circuit input = random_dynamic_circuit(random, has_symbols);
    if (has_conditional_gate(input)) ++conditional;
    options.seed = seed;
    const SuperoptimizeResult result = superoptimize(input, set, options);
    CHECK(result.circuit.operations.size() < result.translated.operations.size());
    const ReplayReport report = replay(input, result.circuit, result.journal);
    CHECK(report.fault.empty());
    REQUIRE(report.is_certified);
    check_changes(input, result, random);
  }
  CHECK(conditional == 2);
}

TEST_CASE("Short bodies of if, else, switch and while are optimized, and certified",
          "[journal][conditions]") {
  const std::string body = "{ x q[1]; x q[1]; z q[1]; }";
  const std::string head =
      "OPENQASM 3.0; include \"stdgates.inc\"; qubit[3] q; bit[2] c; h q[0]; c[0] = measure q[0]; ";
  struct Case {
    std::string statement;
    std::uint64_t gates;  ///< that are left under conditions or in loops
  };
  for (const Case& each : {
           Case{"if (c[0]) " + body, 1},
           Case{"if (c[0]) { x q[1]; x q[1]; }", 0},
           Case{"if (c[0]) " + body + " else { h q[2]; h q[2]; }", 1},
           Case{"if (c[0]) { if (c[1]) " + body + " }", 1},
           Case{"switch (c) { case 1 " + body + " default { x q[2]; x q[2]; } }", 1},
           Case{"while (c[0]) { x q[1]; x q[1]; z q[1]; c[0] = measure q[0]; }", 1},
           Case{"while (c[0]) { if (c[1]) " + body + " c[0] = measure q[0]; }", 1},
       }) {
    const Circuit input = parse_qasm(head + each.statement + " c[1] = measure q[1];");
    for (const std::string name : {"clifford_t", "nam"}) {
      INFO(name << ": " << each.statement);
      SuperoptimizeOptions options;
      options.steps = 20'000;
      options.threads = 1;
      options.cost = Cost(CostKind::total);
      options.record_journal = true;
      options.cache.enabled = false;
      const SuperoptimizeResult result = superoptimize(input, load_gate_set(name), options);
      // The first gate is h.
      CHECK(count_gates(result.circuit).total == 1 + each.gates);
      CHECK(result.check.verified == true);
      CHECK(replay(input, result.circuit, result.journal).is_certified);
    }
  }
}
