// Results in which the gates of the program stay declared.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/circuit/declared_gate.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "random_gate_programs.hpp"

using namespace quartz;
using namespace quartz::test;
using Catch::Matchers::Contains;

namespace {

Circuit kept(const std::string& text) {
  return parse_qasm(text, "test", IncludePath(), {}, {}, GateCalls::kept);
}

SuperoptimizeOptions options_with(std::uint64_t steps) {
  SuperoptimizeOptions options;
  options.keep_gates = true;
  options.steps = steps;
  options.threads = 1;
  options.cache.enabled = false;
  options.table_memory = std::uint64_t{1} << 20U;
  options.check = CheckPolicy::required;
  options.check_seconds = 5;
  return options;
}

const std::string kQasm3 = "OPENQASM 3.0; include \"stdgates.inc\"; ";

/// A gate that can be cheaper by a phase only: s x s x is a phase.
const std::string kPhase = "gate part a, b { s a; x a; s a; x a; cx a, b; cx a, b; h b; } ";

}  // namespace

TEST_CASE("Results with declared gates are equal to the program, phase included",
          "[declared gates]") {
  const GateSet nam = load_gate_set("nam");
  std::size_t declared = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const bool is_classical = seed % 4 >= 2;
    const std::string text = RandomGateProgram(random, 2 + seed % 2, is_classical).text();
    INFO("seed " << seed << '\n' << text);
    SuperoptimizeOptions options = options_with(0);
    options.seconds = 0;
    options.search = "simplify";
    const SuperoptimizeResult result = superoptimize(kept(text), nam, options);
    const std::string written = write_qasm(result.circuit);
    INFO(written);
    CHECK(result.check.verified == true);
    CHECK(parse_qasm(written) ==
          with_expanded_calls(without_phases_of_declared_gates(result.circuit)));
    const EquivalenceReport report = check_equivalence(parse_qasm(text), parse_qasm(written));
    CHECK(report.verdict != EquivalenceVerdict::not_equal);
    CHECK(report.verdict != EquivalenceVerdict::undecided);
    // A phase that depends on a bit has no meaning.
    if (!is_classical) {
      CHECK(report.verdict == EquivalenceVerdict::equal);
    }
    CHECK(cost_of(result.circuit, CostKind::total) <= cost_of(result.translated, CostKind::total));
    declared += result.circuit.declared_gates.size();
  }
  CHECK(declared > 40);
}

TEST_CASE("A body is optimized once, with its phase", "[declared gates]") {
  for (const unsigned version : {2U, 3U}) {
    Circuit circuit = kept(kQasm3 + kPhase + "qubit[3] q; part q[0],q[1]; part q[1],q[2];");
    circuit.qasm_version = version;
    const SuperoptimizeResult result =
        superoptimize(circuit, load_gate_set("nam"), options_with(1000));
    REQUIRE(result.circuit.declared_gates.size() == 1);
    CHECK(result.circuit.declared_gates[0].operations.size() == 1);
    CHECK(count_gates(result.circuit).total == 2);
    CHECK(result.circuit.operations.size() == 2);
    CHECK(result.check.report.verdict == EquivalenceVerdict::equal);
    const Circuit written = parse_qasm(write_qasm(result.circuit));
    CHECK(check_equivalence(circuit, written).verdict == EquivalenceVerdict::equal);
    CHECK(written.global_phase.reduced_modulo(2) == Angle::pi_times(1));
  }
}

TEST_CASE("Calls under controls are not affected by what becomes of the body", "[declared gates]") {
  const std::string text = kQasm3 + kPhase +
                           "qubit[3] q; h q[0]; ctrl @ part q[0],q[1],q[2]; part q[0],q[1]; "
                           "inv @ part q[1],q[2]; pow(3) @ part q[2],q[0]; h q[0];";
  const SuperoptimizeResult result =
      superoptimize(kept(text), load_gate_set("nam"), options_with(1000));
  CHECK(result.circuit.declared_gates.size() == 1);
  const EquivalenceReport report =
      check_equivalence(parse_qasm(text), parse_qasm(write_qasm(result.circuit)));
  CHECK(report.verdict == EquivalenceVerdict::equal);
}

TEST_CASE("Bodies are optimized for all values of their parameters", "[declared gates]") {
  const std::string text = kQasm3 +
                           "gate zz(t) a, b { cx a, b; rz(t) b; cx a, b; cx a, b; rz(t) b; "
                           "cx a, b; } qubit[2] q; zz(pi/7) q[0],q[1]; zz(0.3) q[1],q[0];";
  const SuperoptimizeResult result =
      superoptimize(kept(text), load_gate_set("nam"), options_with(1000));
  REQUIRE(result.circuit.declared_gates.size() == 1);
  CHECK(result.circuit.declared_gates[0].operations.size() == 3);
  CHECK(result.circuit.declared_gates[0].operations[1].angles[0] ==
        Angle::symbol("p0") * Rational(2));
}

TEST_CASE("Calls in bodies are expanded where that is cheaper", "[declared gates]") {
  const std::string text = kQasm3 +
                           "gate one a { h a; } gate two(t) a { one a; one a; rz(t) a; } "
                           "gate three a, b { cx a, b; one a; } qubit[2] q; one q[0]; "
                           "two(0.4) q[1]; three q[0],q[1];";
  const SuperoptimizeResult result =
      superoptimize(kept(text), load_gate_set("nam"), options_with(1000));
  REQUIRE(result.circuit.declared_gates.size() == 3);
  CHECK(result.circuit.declared_gates[1].operations.size() == 1);
  const DeclaredGate& three = result.circuit.declared_gates[2];
  CHECK(called_gate(result.circuit, three.operations.back()) != nullptr);
  CHECK(result.circuit.operations.size() == 3);
  CHECK(check_equivalence(parse_qasm(text), parse_qasm(write_qasm(result.circuit))).verdict ==
        EquivalenceVerdict::equal);
}

TEST_CASE("A gate whose body the set lacks is expanded with a warning", "[declared gates]") {
  const std::string text =
      kQasm3 +
      "gate turn(t) a { rz(t) a; h a; } gate plain a { h a; t a; h a; } qubit q; "
      "turn(pi/4) q; plain q; turn(pi/2) q;";
  SuperoptimizeOptions options = options_with(100);
  std::vector<std::string> warnings;
  options.on_warning = [&](std::string_view warning) { warnings.emplace_back(warning); };
  const SuperoptimizeResult result =
      superoptimize(kept(text), load_gate_set("clifford_t"), options);
  REQUIRE(result.circuit.declared_gates.size() == 1);
  CHECK(result.circuit.declared_gates[0].name == "plain");
  REQUIRE_FALSE(warnings.empty());
  CHECK_THAT(warnings[0], Contains("calls of the gate 'turn' are expanded"));
  CHECK(check_equivalence(parse_qasm(text), result.circuit).verdict == EquivalenceVerdict::equal);
}

TEST_CASE("Without the option, declared gates are expanded", "[declared gates]") {
  SuperoptimizeOptions options = options_with(100);
  options.keep_gates = false;
  const SuperoptimizeResult result = superoptimize(
      kept(kQasm3 + kPhase + "qubit[2] q; part q[0],q[1];"), load_gate_set("nam"), options);
  CHECK(result.circuit.declared_gates.empty());
  CHECK(count_gates(result.circuit).total == 1);
}

TEST_CASE("The result is the translation if a longest chain would be longer", "[declared gates]") {
  for (std::uint64_t seed = 100; seed < 104; ++seed) {
    Random random(seed);
    const std::string text = RandomGateProgram(random, 3).text();
    INFO("seed " << seed << '\n' << text);
    SuperoptimizeOptions options = options_with(200);
    options.cost = Cost(CostKind::depth);
    const SuperoptimizeResult result = superoptimize(kept(text), load_gate_set("nam"), options);
    CHECK(cost_of(result.circuit, CostKind::depth) <= cost_of(result.translated, CostKind::depth));
    CHECK(result.check.verified == true);
  }
}

TEST_CASE("The qubits of the program may start in zero and end in any order", "[declared gates]") {
  const std::string text = kQasm3 + kPhase +
                           "qubit[3] q; bit[3] c; cz q[0],q[1]; part q[0],q[1]; swap q[1],q[2]; "
                           "part q[1],q[2]; c = measure q;";
  SuperoptimizeOptions options = options_with(100);
  options.assumptions = {.starts_zero = true, .ends_discarded = true};
  const SuperoptimizeResult result = superoptimize(kept(text), load_gate_set("nam"), options);
  CHECK(result.check.verified == true);
  CHECK(std::ranges::none_of(result.circuit.operations, [](const Operation& operation) {
    return operation.kind == OperationKind::gate && operation.gate == GateKind::cz;
  }));
  SuperoptimizeOptions free_order = options_with(100);
  free_order.qubit_order = QubitOrder::free;
  const SuperoptimizeResult permuted =
      superoptimize(kept(kQasm3 + kPhase +
                         "qubit[3] q; part q[0],q[1]; swap q[1],q[2]; "
                         "part q[1],q[2];"),
                    load_gate_set("nam"), free_order);
  CHECK(permuted.check.verified == true);
  CHECK_FALSE(permuted.permutation.empty());
}

TEST_CASE("Options that are about one circuit are refused", "[declared gates]") {
  const Circuit circuit = kept(kQasm3 + kPhase + "qubit[2] q; part q[0],q[1];");
  const auto refused = [&](auto change) {
    SuperoptimizeOptions options = options_with(10);
    change(options);
    CHECK_THROWS_AS(superoptimize(circuit, load_gate_set("nam"), options), UsageError);
  };
  refused([](SuperoptimizeOptions& options) { options.coupling = CouplingOfCircuit{}; });
  refused([](SuperoptimizeOptions& options) { options.record_journal = true; });
  refused([](SuperoptimizeOptions& options) { options.checkpoint.folder = "/tmp/none"; });
  refused([](SuperoptimizeOptions& options) { options.ancillas = 1; });
  refused([](SuperoptimizeOptions& options) { options.epsilon = 0.1; });
}

TEST_CASE("A stopped search with declared gates returns its best circuit", "[declared gates]") {
  std::stop_source stop;
  SuperoptimizeOptions options = options_with(0);
  options.steps = 0;
  options.seconds = 60;
  options.check = CheckPolicy::normal;
  options.on_progress = [&](const SuperoptimizeProgress& progress) {
    if (progress.stage == SuperoptimizeStage::check) stop.request_stop();
  };
  options.stop = stop.get_token();
  const SuperoptimizeResult result = superoptimize(
      kept(kQasm3 + kPhase + "gate other a { h a; h a; } qubit[2] q; part q[0],q[1]; other q[0];"),
      load_gate_set("nam"), options);
  CHECK(result.stop_reason == StopReason::interrupted);
  CHECK(result.circuit.declared_gates.size() == 2);
}
