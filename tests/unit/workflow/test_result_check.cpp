#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "circuit/history.hpp"
#include "journal/history_writer.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "workflow/result_check.hpp"

using namespace quartz;
using namespace quartz::workflow;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const Circuit input = make_circuit(2, {make_operation(GateKind::cx, {0, 1})});
const Circuit wrong = make_circuit(2, {make_operation(GateKind::cx, {1, 0})});

/// Returns two-qubit blocks with decimal angles, which are resynthesized in double precision: only
/// dense simulation, which needs memory, and the journal compare the result with the input.
Circuit hard_to_compare() {
  std::string text = "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[8];\n";
  for (int i = 0; i < 7; ++i) {
    const std::string a = "q[" + std::to_string(i) + "]";
    const std::string b = "q[" + std::to_string(i + 1) + "]";
    for (const std::string z : {"rz(0.3) ", "rz(1.1) ", "rz(0.7) ", "rz(0.2) "}) {
      text += "cx " + a + "," + b + ";" + z + b + ";cx " + a + "," + b + ";h " + b + ";" + z + b +
              ";cx " + b + "," + a + ";" + z + a + ";h " + a + ";\n";
    }
  }
  return parse_qasm(text);
}

}  // namespace

TEST_CASE("a result that is not equal to the input is never accepted", "[result check]") {
  for (const CheckPolicy policy : {CheckPolicy::normal, CheckPolicy::required}) {
    CheckRequest request;
    request.policy = policy;
    CHECK(check_result(input, input, request).check.verified == true);
    CHECK_THROWS_AS(check_result(input, wrong, request), InternalError);
    CHECK_THROWS_WITH(check_result(input, wrong, request),
                      StartsWith("the result is not equal to the input and was not written: "));

    // The caller's rules may be the cause.
    request.rules_name = "rules.json";
    CHECK_THROWS_AS(check_result(input, wrong, request), InputError);
    CHECK_THROWS_WITH(check_result(input, wrong, request),
                      StartsWith("rules.json: the search with these rules ended in a circuit") &&
                          Contains("do not trust this rule set"));
  }
}

TEST_CASE("a result that violates the coupling map is rejected even without a check",
          "[result check]") {
  CheckRequest request;
  request.policy = CheckPolicy::off;
  CHECK_FALSE(check_result(input, wrong, request).check.verified.has_value());
  request.coupling = CouplingMap(true);
  request.coupling->add(0, 1);
  CHECK_NOTHROW(check_result(input, input, request));
  CHECK_THROWS_AS(check_result(input, wrong, request), InternalError);
  CHECK_THROWS_WITH(check_result(input, wrong, request),
                    Contains("between qubits 1 and 0, which are not coupled"));
}

TEST_CASE("a circuit that can be certified takes the place of a result that cannot",
          "[result check]") {
  // The result differs from the circuit that was found before by a rewrite, and no method may use
  // the memory to compare either of them with the input.
  const Circuit program = hard_to_compare();
  SuperoptimizeOptions options;
  options.search = "simplify";
  options.steps = 1;
  options.threads = 1;
  options.cost = CostKind::two_qubit;
  options.check = CheckPolicy::off;
  options.record_journal = true;
  const SuperoptimizeResult found = superoptimize(program, load_gate_set("nam"), options);
  Circuit better = found.circuit;
  better.operations.insert(better.operations.end(),
                           {make_operation(GateKind::h, {0}), make_operation(GateKind::h, {0})});
  CheckRequest request;
  request.equivalence.seconds = 60;
  request.equivalence.memory_bytes = 1000;
  request.replay_seconds = 1000;
  request.journal = []() -> std::string {
    throw InternalError("there is no time for this journal");
  };
  REQUIRE(found.check.verified == std::nullopt);

  double most = 0;
  Circuit other = found.circuit;
  FallbackCircuit fallback{
      {other.operations.size(), 0, [&] { return circuit::DerivedCircuit::first(other); }},
      [&](const circuit::DerivedCircuit&) { return found.journal; },
      1};
  request.fallback = [&](double seconds, std::uint64_t) {
    most = seconds;
    return fallback;
  };
  const CheckOutcome outcome = check_result(program, better, request);
  CHECK(outcome.check.verified == true);
  CHECK_THAT(outcome.check.text, Contains("replay"));
  REQUIRE(outcome.fallback);
  CHECK(outcome.fallback->circuit == found.circuit);
  CHECK(most > 10);
  CHECK(most < 60);

  // If a circuit is not certified either, one with a shorter history is tried.
  std::vector<std::uint64_t> asked;
  const Circuit certified = found.circuit;
  request.fallback = [&](double seconds, std::uint64_t most_steps) {
    // The first circuit on the way is asked for without time, and is not certified.
    other = seconds == 0 ? better : certified;
    if (seconds != 0) asked.push_back(most_steps);
    return fallback;
  };
  const CheckOutcome second = check_result(program, better, request);
  CHECK(second.fallback.has_value());
  REQUIRE(asked.size() == 2);
  CHECK(asked[1] < asked[0]);

  // A circuit that is not certified either takes no place.
  request.fallback = [&](double, std::uint64_t) { return fallback; };
  other = better;
  const CheckOutcome undecided = check_result(program, better, request);
  CHECK(undecided.check.verified == false);
  CHECK_FALSE(undecided.fallback);

  // The other circuit may be the result itself.
  other = found.circuit;
  const CheckOutcome same = check_result(program, found.circuit, request);
  CHECK(same.check.verified == true);
  CHECK_FALSE(same.fallback);

  // Without other circuits, the journal of the result is tried.
  request.fallback = nullptr;
  CHECK_THROWS_WITH(check_result(program, better, request),
                    Contains("there is no time for this journal"));
}

TEST_CASE("a circuit behind a step that is not proved is compared directly", "[result check]") {
  // The journal of the result ends with its first step, so replays only certify the input.
  const Operation x = make_operation(GateKind::x, {0});
  const Circuit program = make_circuit(1, {x, x, x, x});
  const Circuit folded = make_circuit(1, {x, x});
  CheckRequest request;
  request.equivalence.seconds = 60;
  request.max_steps = 0;
  request.rewrites = 10;
  request.journal = [] { return std::string(); };
  const FallbackCircuit start{{4, 0, [&] { return circuit::DerivedCircuit::first(program); }},
                              [](const circuit::DerivedCircuit&) { return std::string(); },
                              0};
  const FallbackCircuit first{{2, 1, [&] { return circuit::DerivedCircuit::first(folded); }},
                              [](const circuit::DerivedCircuit&) { return std::string(); },
                              0};
  request.fallback = [&](double, std::uint64_t most_steps) {
    return std::optional(most_steps == 0 ? start : first);
  };
  // No method decides the result itself, which has an unknown operation.
  Operation unknown;
  unknown.kind = OperationKind::opaque;
  unknown.qubits = {0};
  unknown.classical = std::make_shared<ClassicalPart>(ClassicalPart{{}, {}, "unknown"});
  const CheckOutcome outcome = check_result(program, make_circuit(1, {unknown}), request);
  CHECK(outcome.check.verified == true);
  REQUIRE(outcome.fallback);
  CHECK(outcome.fallback->circuit == folded);
}

TEST_CASE("circuits with histories of different lengths are remembered", "[result check]") {
  const auto circuit_with = [](std::uint64_t steps) { return CertifiableCircuit{1, steps, {}}; };
  CertifiableCircuits circuits;
  CHECK_FALSE(circuits.best_within(1e9, 1));
  for (std::uint64_t steps = 0; steps < 1000; steps += 7) circuits.add(circuit_with(steps));
  const auto steps_within = [&](double seconds) { return circuits.best_within(seconds, 1)->steps; };
  CHECK(steps_within(1e9) == 994);
  const double seconds = replay_seconds(2, 500);
  CHECK(steps_within(seconds) <= 500);
  CHECK(steps_within(seconds) >= 500 / 2);
  CHECK(steps_within(0) == 0);
  CHECK(circuits.best_within(1e9, 1, 100)->steps <= 100);

  CertifiableCircuits without_start;
  without_start.add(circuit_with(50));
  CHECK_FALSE(without_start.best_within(1e9, 1, 49));
}

TEST_CASE("the first circuits of a search stay certifiable, and few circuits are kept",
          "[result check]") {
  // Numbers of a multiplier in GF(2^128): few steps fold it, behind as many that translate it.
  constexpr std::size_t operations = 200'000;
  constexpr std::uint64_t translated = 16'384;
  constexpr std::uint64_t folded = translated + 38;
  const auto token = std::make_shared<int>(0);
  CertifiableCircuits circuits;
  const auto add = [&](std::uint64_t steps, std::size_t size) {
    circuits.add({size, steps, [token] { return circuit::DerivedCircuit::first({}); }});
  };
  add(translated, operations);
  add(folded, operations);
  for (std::uint64_t steps = 20'000; steps < 10'000'000; steps += steps / 100) {
    add(steps, operations);
  }
  CHECK(circuits.best_within(1e9, operations, folded)->steps == folded);
  CHECK(circuits.best_within(0, operations)->steps >= folded);
  CHECK(token.use_count() - 1 <=
        static_cast<long>(CertifiableCircuits::kMaxOperations / operations));

  // Three larger circuits are kept: the first, the last and one between them.
  constexpr std::size_t many = 10 * CertifiableCircuits::kMaxOperations;
  CertifiableCircuits of_large;
  of_large.add({many, 0, {}});
  of_large.add({many, 50, {}});
  for (std::uint64_t steps = 100'000; steps < 200'000; steps += 1000) {
    of_large.add({many, steps, {}});
  }
  CHECK(of_large.best_within(1e9, many)->steps == 199'000);
  CHECK(of_large.best_within(1e9, many, 198'000)->steps == 50);
  CHECK(of_large.best_within(1e9, many, 49)->steps == 0);

  // A circuit with a shorter history takes the place of those before.
  circuits.add({operations, folded - 1, {}});
  CHECK(circuits.best_within(1e9, operations)->steps == folded - 1);
}

TEST_CASE("a result is certified only in an order that its certification proves",
          "[result check][order]") {
  // The SWAP gate of the loop's body was removed, as if the body were executed once.
  const std::string head = "OPENQASM 3.0; include \"stdgates.inc\"; qubit[2] q; bit[2] c; x q[0]; ";
  const Circuit original = parse_qasm(
      head + "while (c[0]) { swap q[0],q[1]; c[0] = measure q[0]; } c[1] = measure q[0];");
  const Circuit carried =
      parse_qasm(head + "while (c[0]) { c[0] = measure q[1]; } c[1] = measure q[1];");
  const auto [right, permutation] = without_swaps(original);
  const auto check = [&](const Circuit& result, const OutputPermutation& order, bool has_journal) {
    CheckRequest request;
    request.order = FreeOrderOfResult{&original, order, SwapGates::removed, {}};
    request.replay_seconds = 1e-3;
    if (has_journal) {
      request.journal = [&result] {
        std::ostringstream out;
        (void)journal::write_journal(out, result, nullptr);
        return out.str();
      };
    }
    return check_result(result, result, request).check;
  };
  for (const bool has_journal : {false, true}) {
    CHECK(check(carried, {1, 0}, has_journal).verified == false);
    CHECK(check(right, permutation, has_journal).verified == true);
    CHECK(check(right, {1, 0}, has_journal).verified == false);
  }
}
