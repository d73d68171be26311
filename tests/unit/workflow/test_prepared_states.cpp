#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "quartz/base/errors.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/certify/journal.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/program_assumptions.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"

using namespace quartz;
using Catch::Matchers::Contains;

namespace {

/// Prepares a W state on the first three of five qubits, and uses it in gates on the others.
Circuit w_state_in_use(const std::string& before) {
  return parse_qasm(
      "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[5]; creg c[1]; " + before +
      "x q[2]; cx q[1],q[2]; ry(0.955316618) q[1]; cx q[2],q[1]; ry(-0.955316618) q[1];"
      "cx q[2],q[1]; cx q[1],q[2]; cx q[0],q[1]; ry(0.785398163) q[0]; cx q[1],q[0];"
      "ry(-0.785398163) q[0]; cx q[1],q[0]; cx q[0],q[1]; "
      "measure q[3] -> c[0]; ccx q[0],q[3],q[4]; cx q[2],q[4];");
}

SuperoptimizeOptions options_for_states() {
  SuperoptimizeOptions options;
  options.cost = CostKind::two_qubit;
  options.search = "states";
  options.exactness = Exactness::numeric;
  options.steps = 3'000'000;
  options.threads = 1;
  options.seed = 1;
  options.cache.enabled = false;
  options.record_journal = true;
  return options;
}

std::ptrdiff_t two_qubit_gates(const Circuit& circuit) {
  return std::ranges::count_if(circuit.operations, [](const Operation& operation) {
    return operation.kind == OperationKind::gate && operation.qubits.size() == 2;
  });
}

bool is_replayed(const Circuit& circuit, const SuperoptimizeResult& result,
                 const ProgramAssumptions& assumptions) {
  std::istringstream journal(result.journal);
  ReplayOptions options;
  options.assumptions = assumptions;
  return replay_journal(circuit, result.circuit, journal, "the journal", options).is_certified;
}

}  // namespace

TEST_CASE("Preparations of known states are shortened, checked and replayed", "[states]") {
  const GateSet set = load_gate_set("ibm_heron");
  SuperoptimizeOptions options = options_for_states();
  // Either the input resets its qubits, or they are assumed to start in |0>.
  const std::string resets = "reset q[0]; reset q[1]; reset q[2]; ";
  for (const ProgramAssumptions& assumptions :
       {ProgramAssumptions{}, ProgramAssumptions{true, false}}) {
    const Circuit circuit = w_state_in_use(assumptions.any() ? "" : resets);
    options.assumptions = assumptions;
    const SuperoptimizeResult result = superoptimize(circuit, set, options);
    CHECK(result.check.verified == true);
    CHECK(result.numeric);
    // Eight CNOTs prepare the state, and three are enough.
    CHECK(two_qubit_gates(result.circuit) + 5 <= two_qubit_gates(result.translated));
    CHECK(is_replayed(circuit, result, assumptions));
    if (assumptions.any()) CHECK_FALSE(is_replayed(circuit, result, {}));
  }
}

TEST_CASE("No state is known without a reset, or behind a barrier", "[states]") {
  const GateSet set = load_gate_set("ibm_heron");
  SuperoptimizeOptions options = options_for_states();
  CHECK_THROWS_WITH(superoptimize(w_state_in_use(""), set, options), Contains("no state is known"));
  // Behind barriers, only blocks on two qubits become shorter.
  const std::string resets = "reset q[0]; reset q[1]; reset q[2]; ";
  const std::string barriers = "barrier q[0]; barrier q[1]; barrier q[2]; ";
  const auto found_by = [&](const std::string& search, const std::string& before) {
    options.search = search;
    const SuperoptimizeResult result = superoptimize(w_state_in_use(before), set, options);
    CHECK(result.check.verified == true);
    return two_qubit_gates(result.circuit);
  };
  const std::ptrdiff_t by_blocks = found_by("simplify", resets + barriers);
  CHECK(found_by("states", resets + barriers) == by_blocks);
  CHECK(found_by("states", resets) < by_blocks);
}
