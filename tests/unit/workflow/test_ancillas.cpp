#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "outcomes.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/options.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "random_circuits.hpp"

using namespace quartz;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

/// A Toffoli gate with three controls, by an ancilla that may be in any state: 28 T gates.
const char* const kToffolis = R"(
  ccx q[0],q[1],q[3]; ccx q[3],q[2],q[4]; ccx q[0],q[1],q[3]; ccx q[3],q[2],q[4];)";

Circuit program(unsigned version, const std::string& statements) {
  return parse_qasm(version == 2
                        ? "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[5];" + statements
                        : "OPENQASM 3.0; include \"stdgates.inc\"; qubit[5] q;" + statements);
}

struct Run {
  SuperoptimizeResult result;
  std::vector<std::string> warnings;
};

Run optimized(const Circuit& circuit, std::uint32_t ancillas, const char* set = "nam") {
  Run run;
  SuperoptimizeOptions options;
  options.cost = Cost({CostKind::t, CostKind::total});
  options.steps = 20'000;
  options.threads = 1;
  options.cache.enabled = false;
  options.check = CheckPolicy::required;
  options.ancillas = ancillas;
  options.on_warning = [&](std::string_view text) { run.warnings.emplace_back(text); };
  run.result = superoptimize(circuit, load_gate_set(set), options);
  return run;
}

std::uint64_t t_gates(const Circuit& circuit) { return count_gates(circuit).t; }

}  // namespace

TEST_CASE("Ancillas are in the output permutation that the input states") {
  const Circuit circuit =
      with_stated_permutation(program(2, kToffolis), OutputPermutation{1, 0, 2, 3, 4});
  const SuperoptimizeResult result = optimized(circuit, 2).result;
  REQUIRE(result.ancillas == 2);
  CHECK(stated_permutation(result.circuit) == OutputPermutation{1, 0, 2, 3, 4, 5, 6});
}

TEST_CASE("With ancillas there are fewer T gates, and each outcome leaves the same state") {
  for (const unsigned version : {2U, 3U}) {
    const Circuit circuit = program(version, kToffolis);
    const SuperoptimizeResult result = optimized(circuit, 4).result;
    REQUIRE(result.ancillas > 0);
    CHECK(result.ancillas <= 4);
    CHECK(result.circuit.qubit_count() == 5 + result.ancillas);
    CHECK(t_gates(result.circuit) < 16);
    CHECK(cost_of(result.circuit, result.cost) < *result.without_ancillas);
    CHECK_THAT(result.check.text, Contains("for every outcome"));
    const Circuit written = parse_qasm(write_qasm(result.circuit));
    CHECK(written.qasm_version == version);
    EquivalenceOptions limits;
    limits.ancillas = true;
    CHECK(check_equivalence(circuit, written, limits).verdict ==
          EquivalenceVerdict::equal_up_to_phase);
    std::mt19937_64 random(1);
    const test::AncillaDistance distance = test::ancilla_distance(circuit, written, random);
    CHECK(distance.infidelity < 1e-9);
    CHECK(distance.bias < 1e-9);
  }
}

TEST_CASE("With one ancilla, a Toffoli gate takes four T gates") {
  const Circuit circuit = program(2, "ccx q[0],q[1],q[2];");
  const SuperoptimizeResult result = optimized(circuit, 1).result;
  CHECK(result.ancillas == 1);
  CHECK(result.gadgets == 0);
  CHECK(result.measured_toffolis == 1);
  CHECK(t_gates(result.circuit) == 4);
  CHECK_THAT(result.check.text, Contains("for every outcome"));
}

TEST_CASE("With ancillas, two pairs of Toffoli gates take as many T gates as two Toffoli gates") {
  const SuperoptimizeResult result = optimized(program(2, kToffolis), 4).result;
  CHECK(t_gates(result.circuit) == 8);
  CHECK(result.measured_toffolis == 2);
}

TEST_CASE("A result has no more ancillas than are permitted") {
  const Run run = optimized(program(2, kToffolis), 1);
  CHECK(run.result.circuit.qubit_count() <= 6);
}

TEST_CASE("A circuit without Hadamard gates between T gates has no ancillas, and a warning") {
  const Run run = optimized(program(2, "t q[0]; cx q[0],q[1]; t q[1];"), 4);
  CHECK(run.result.ancillas == 0);
  CHECK(run.result.circuit.qubit_count() == 5);
  REQUIRE(run.warnings.size() == 1);
  CHECK(
      run.warnings[0] ==
      "the result has no ancillas: the simplified circuit has no Hadamard gate, and no product of "
      "three parities takes fewer T gates with an ancilla");
  const Run between = optimized(program(2, "h q[0]; t q[0]; cx q[0],q[1]; t q[1];"), 4);
  REQUIRE(between.warnings.size() == 1);
  CHECK_THAT(between.warnings[0],
             Contains("the simplified circuit has 1 Hadamard gate and 2 rotations by odd multiples "
                      "of pi/4, but no Hadamard gate is between rotations"));
}

TEST_CASE("A circuit with too many rotations for ancillas has a warning with both numbers") {
  std::string statements;
  for (int i = 0; i < 2000; ++i) {
    statements += fmt::format("rz(0.3) q[{0}]; h q[{0}]; cx q[{0}],q[{1}];", i % 5, (i + 1) % 5);
  }
  const Run run = optimized(program(2, statements), 2);
  CHECK(run.result.ancillas == 0);
  REQUIRE(run.warnings.size() == 1);
  CHECK_THAT(
      run.warnings[0],
      StartsWith("the result has no ancillas: the simplified circuit has ") &&
          EndsWith(" rotations by other angles than multiples of pi/2, and the most are 1500"));
}

TEST_CASE("If ancillas do not help, the search without them goes on with the rest of the steps") {
  // A Hadamard gate between T gates of which none can be merged, and more gates to anneal.
  std::string statements;
  for (const char* const control : {"0", "1", "2", "3"}) {
    statements += fmt::format(
        "t q[{0}]; h q[{0}]; t q[{0}]; cx q[{0}],q[4]; t q[4]; cx q[4],q[{0}];", control);
  }
  const Circuit circuit = program(2, statements);
  const Run without = optimized(circuit, 0);
  const Run run = optimized(circuit, 4);
  REQUIRE(run.result.ancillas == 0);
  REQUIRE(run.warnings.size() == 1);
  CHECK_THAT(run.warnings[0], Contains("with them, the cost is"));
  CHECK(run.result.check.verified == true);
  CHECK(2 * run.result.annealing_moves > without.result.annealing_moves);
  CHECK(cost_of(run.result.circuit, run.result.cost) == *run.result.without_ancillas);
  EquivalenceOptions limits;
  CHECK(check_equivalence(circuit, run.result.circuit, limits).verdict ==
        EquivalenceVerdict::equal);
}

TEST_CASE("A circuit with a loop has no ancillas, and a warning") {
  const Circuit circuit = program(3, R"(bit c; c = measure q[0];
      while (c) { t q[1]; h q[1]; t q[1]; c = measure q[0]; })");
  const Run run = optimized(circuit, 4);
  CHECK(run.result.ancillas == 0);
  REQUIRE(run.warnings.size() == 1);
  CHECK_THAT(run.warnings[0], Contains("loops"));
}

TEST_CASE("Ancillas cannot be combined with a coupling map") {
  SuperoptimizeOptions options;
  options.ancillas = 2;
  options.coupling = CouplingOfCircuit{};
  CHECK_THROWS_AS(superoptimize(program(2, kToffolis), load_gate_set("nam"), options), UsageError);
}

TEST_CASE("A message names the option that cannot be combined with ancillas, and says why") {
  SuperoptimizeOptions options;
  CHECK_NOTHROW(require_suitable_for_ancillas(options));
  options.checkpoint.folder = "folder";
  CHECK_THROWS_WITH(require_suitable_for_ancillas(options),
                    "--ancillas cannot be combined with --checkpoint: a checkpoint is one circuit");
  options.checkpoint.folder.clear();
  options.qubit_order = QubitOrder::free;
  CHECK_THROWS_WITH(require_suitable_for_ancillas(options), Contains("--permutation free"));
}

namespace {

Run approximated(const Circuit& circuit, std::uint32_t ancillas, double epsilon) {
  Run run;
  SuperoptimizeOptions options;
  options.steps = 20'000;
  options.threads = 1;
  options.cache.enabled = false;
  options.check = CheckPolicy::required;
  options.epsilon = epsilon;
  options.ancillas = ancillas;
  options.on_warning = [&](std::string_view text) { run.warnings.emplace_back(text); };
  run.result = superoptimize(circuit, load_gate_set("clifford_t"), options);
  return run;
}

/// Two bonds of a Heisenberg chain, as XX + YY + ZZ each.
const char* const kBonds = R"(rxx(0.2) q[0],q[1]; ryy(0.2) q[0],q[1]; rzz(0.2) q[0],q[1];
  rxx(0.2) q[2],q[3]; ryy(0.2) q[2],q[3]; rzz(0.2) q[2],q[3];)";

}  // namespace

TEST_CASE("Equal rotations become fewer with ancillas before they are approximated") {
  constexpr double kEpsilon = 1e-2;
  const Circuit circuit = program(2, kBonds);
  const Run run = approximated(circuit, 3, kEpsilon);
  CHECK(run.warnings.empty());
  CHECK(run.result.ancillas > 0);
  CHECK(run.result.adders == 2);
  CHECK(run.result.approximated_rotations == 2);
  CHECK(run.result.check.verified == true);
  CHECK(run.result.check.report.verdict == EquivalenceVerdict::within_epsilon);
  CHECK(run.result.check.report.distance.value() <= kEpsilon);
  const Run without = approximated(circuit, 0, kEpsilon);
  CHECK(2 * t_gates(run.result.circuit) < t_gates(without.result.circuit));
  test::Random random(5);
  const test::AncillaDistance distance =
      test::ancilla_distance(circuit, run.result.circuit, random);
  CHECK(distance.infidelity < 4 * kEpsilon * kEpsilon);
  EquivalenceOptions limits;
  limits.ancillas = true;
  limits.epsilon = kEpsilon;
  const EquivalenceReport report = check_equivalence(circuit, run.result.circuit, limits);
  CHECK(report.verdict == EquivalenceVerdict::within_epsilon);
  limits.epsilon = report.distance.value() / 2;
  CHECK(check_equivalence(circuit, run.result.circuit, limits).verdict ==
        EquivalenceVerdict::undecided);
}

TEST_CASE("Different rotations stay without ancillas, and a warning says why") {
  const Run run = approximated(program(2, "rz(0.2) q[0]; rz(0.3) q[1]; rz(0.5) q[2];"), 3, 1e-2);
  CHECK(run.result.ancillas == 0);
  CHECK(run.result.check.verified == true);
  REQUIRE(run.warnings.size() == 1);
  CHECK_THAT(run.warnings[0], Contains("no three rotations"));
}

TEST_CASE(
    "An epsilon changes nothing for circuits that are exact with ancillas, and a warning says so") {
  const Run run = approximated(program(2, "ccx q[0],q[1],q[2];"), 2, 1e-2);
  REQUIRE(run.warnings.size() == 1);
  CHECK_THAT(run.warnings[0], Contains("the result is exact"));
  CHECK(run.result.ancillas == 1);
  CHECK(run.result.measured_toffolis == 1);
  CHECK(run.result.check.report.verdict == EquivalenceVerdict::equal_up_to_phase);
}

TEST_CASE("Equal rotations of programs with measurements get ancillas between these") {
  const Circuit circuit = program(2, R"(creg c[1];
      rz(0.2) q[0]; rz(0.2) q[1]; rz(0.2) q[2]; h q[0]; measure q[0] -> c[0];
      if (c == 1) x q[1]; rz(0.2) q[2]; rz(0.2) q[3]; rz(0.2) q[1];)");
  const Run run = approximated(circuit, 1, 1e-2);
  CHECK(run.result.ancillas == 1);
  CHECK(run.result.check.verified == true);
}
