#include <catch2/catch.hpp>

#include <random>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "outcomes.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/compound_journal/compound_journal.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"

using namespace quartz;
using Catch::Matchers::Contains;

namespace {

const char* const kThreeToffolis = "ccx q[0],q[1],q[2]; ccx q[2],q[1],q[3]; ccx q[3],q[0],q[1];";

Circuit four_qubits(unsigned version, const std::string& statements) {
  return parse_qasm(version == 2
                        ? "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[4];" + statements
                        : "OPENQASM 3.0; include \"stdgates.inc\"; qubit[4] q;" + statements);
}

struct ParallelRun {
  SuperoptimizeResult result;
  std::vector<std::string> warnings;
};

ParallelRun with_t_depth(const Circuit& circuit, std::uint32_t ancillas, const char* set = "nam") {
  ParallelRun run;
  SuperoptimizeOptions options;
  options.cost = Cost({CostKind::t_depth, CostKind::t, CostKind::total});
  options.steps = 10'000;
  options.threads = 1;
  options.cache.enabled = false;
  options.check = CheckPolicy::required;
  options.ancillas = ancillas;
  options.record_journal = true;
  options.on_warning = [&](std::string_view text) { run.warnings.emplace_back(text); };
  run.result = superoptimize(circuit, load_gate_set(set), options);
  return run;
}

std::uint64_t t_depth_of(const Circuit& circuit) {
  return Objective(CostKind::t_depth).units_of(circuit);
}

/// Checks that a result equals its input by the state of random inputs, by a comparison of both
/// circuits, and by its journal.
void check_parallel(const Circuit& circuit, const SuperoptimizeResult& result) {
  const Circuit written = parse_qasm(write_qasm(result.circuit));
  std::mt19937_64 random(1);
  const test::AncillaDistance distance = test::ancilla_distance(circuit, written, random);
  CHECK(distance.infidelity < 1e-9);
  CHECK(distance.bias < 1e-9);
  EquivalenceOptions limits;
  limits.ancillas = true;
  CHECK(check_equivalence(circuit, written, limits).verdict ==
        EquivalenceVerdict::equal_up_to_phase);
  CHECK(replay_compound_journal(circuit, result.circuit, result.journal, "the journal", limits)
            .verdict == EquivalenceVerdict::equal_up_to_phase);
}

}  // namespace

TEST_CASE("With four ancillas, a Toffoli gate has T depth 1, in both versions of OpenQASM") {
  for (const unsigned version : {2U, 3U}) {
    const Circuit circuit = four_qubits(version, "ccx q[0],q[1],q[2];");
    const SuperoptimizeResult result = with_t_depth(circuit, 4).result;
    CHECK(result.ancillas == 4);
    CHECK(result.parity_ancillas == 4);
    CHECK(t_depth_of(result.circuit) == 1);
    CHECK(result.circuit.qasm_version == version);
    CHECK(count_measurements(result.circuit) == 0);
    CHECK(cost_of(result.circuit, result.cost) < *result.without_ancillas);
    check_parallel(circuit, result);
  }
}

TEST_CASE("More ancillas make rotations diagonal together, in fewer layers") {
  const Circuit circuit = four_qubits(2, kThreeToffolis);
  std::uint64_t before = t_depth_of(with_t_depth(circuit, 0).result.circuit);
  for (const std::uint32_t ancillas : {2U, 9U}) {
    CAPTURE(ancillas);
    const SuperoptimizeResult result = with_t_depth(circuit, ancillas).result;
    CHECK(result.ancillas <= ancillas);
    CHECK(result.circuit.qubit_count() == 4 + result.ancillas);
    CHECK(t_depth_of(result.circuit) < before);
    CHECK(result.check.verified == true);
    check_parallel(circuit, result);
    before = t_depth_of(result.circuit);
    if (ancillas == 9) CHECK(result.gadgets > 0);
  }
}

TEST_CASE("The result with ancillas is in the gates of the set") {
  const Circuit circuit = four_qubits(3, "ccx q[0],q[1],q[2]; h q[2]; ccx q[2],q[1],q[3];");
  const SuperoptimizeResult result = with_t_depth(circuit, 4, "clifford_t").result;
  REQUIRE(result.ancillas > 0);
  const GateSet set = load_gate_set("clifford_t");
  for (const Operation& operation : result.circuit.operations) {
    if (operation.kind == OperationKind::gate) CHECK(set.contains(operation));
  }
  check_parallel(circuit, result);
}

TEST_CASE("Programs with measurements have ancillas between these") {
  const Circuit circuit = four_qubits(
      3, "bit c; ccx q[0],q[1],q[2]; c = measure q[2]; if (c) z q[0]; ccx q[0],q[1],q[3];");
  const SuperoptimizeResult result = with_t_depth(circuit, 4).result;
  CHECK(result.ancillas > 0);
  CHECK(result.ancillas <= 4);
  CHECK(t_depth_of(result.circuit) == 2);
  EquivalenceOptions limits;
  limits.ancillas = true;
  CHECK(replay_compound_journal(circuit, result.circuit, result.journal, "the journal", limits)
            .verdict == EquivalenceVerdict::equal_up_to_phase);
}

TEST_CASE("If no layer needs an ancilla, a warning says so, and the search goes on") {
  const Circuit circuit = four_qubits(2, "t q[0]; cx q[0],q[1]; t q[1]; h q[2]; t q[2];");
  const ParallelRun run = with_t_depth(circuit, 4);
  CHECK(run.result.ancillas == 0);
  CHECK(run.result.circuit.qubit_count() == 4);
  REQUIRE(run.warnings.size() == 1);
  CHECK_THAT(run.warnings[0], Contains("no more rotations can be beside each other"));
  CHECK(run.result.check.verified == true);
}

TEST_CASE("A search that is stopped has a result, with or without ancillas") {
  const Circuit circuit = four_qubits(2, kThreeToffolis);
  bool has_ancillas = false;
  bool has_none = false;
  for (const int calls : {1, 2, 4, 8, 16, 32, 64, 128}) {
    CAPTURE(calls);
    std::stop_source source;
    int left = calls;
    SuperoptimizeOptions options;
    options.cost = Cost({CostKind::t_depth, CostKind::t, CostKind::total});
    options.steps = 10'000;
    options.threads = 1;
    options.cache.enabled = false;
    options.ancillas = 9;
    options.stop = source.get_token();
    options.on_progress = [&](const SuperoptimizeProgress& progress) {
      if (progress.search != nullptr && --left == 0) source.request_stop();
    };
    const SuperoptimizeResult result = superoptimize(circuit, load_gate_set("nam"), options);
    std::mt19937_64 random(1);
    CHECK(test::ancilla_distance(circuit, result.circuit, random).infidelity < 1e-9);
    (result.ancillas > 0 ? has_ancillas : has_none) = true;
  }
  CHECK(has_ancillas);
  CHECK(has_none);
}

TEST_CASE("A loop leaves a circuit without ancillas for its T depth") {
  const Circuit circuit =
      four_qubits(3, "bit c; while (!c) { ccx q[0],q[1],q[2]; c = measure q[2]; }");
  const ParallelRun run = with_t_depth(circuit, 4);
  CHECK(run.result.ancillas == 0);
  REQUIRE(run.warnings.size() == 1);
  CHECK_THAT(run.warnings[0], Contains("the circuit has loops"));
}
