#include <catch2/catch.hpp>
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
  FallbackCircuit fallback{
      {found.circuit, found.numeric, found.history}, [&] { return found.journal; }, 1};
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
  request.fallback = [&](double, std::uint64_t most_steps) {
    asked.push_back(most_steps);
    fallback.found.circuit = asked.size() == 2 ? better : certified;
    return fallback;
  };
  const CheckOutcome second = check_result(program, better, request);
  CHECK(second.fallback.has_value());
  REQUIRE(asked.size() == 3);
  CHECK(asked[2] < asked[1]);

  // A circuit that is not certified either takes no place.
  request.fallback = [&](double, std::uint64_t) { return fallback; };
  fallback.found.circuit = better;
  const CheckOutcome undecided = check_result(program, better, request);
  CHECK(undecided.check.verified == false);
  CHECK_FALSE(undecided.fallback);

  // The other circuit may be the result itself.
  fallback.found.circuit = found.circuit;
  const CheckOutcome same = check_result(program, found.circuit, request);
  CHECK(same.check.verified == true);
  CHECK_FALSE(same.fallback);

  // Without other circuits, the journal of the result is tried.
  request.fallback = nullptr;
  CHECK_THROWS_WITH(check_result(program, better, request),
                    Contains("there is no time for this journal"));
}

TEST_CASE("circuits with histories of different lengths are remembered", "[result check]") {
  const auto history_of_length = [](int length) {
    circuit::HistoryPointer history;
    for (int i = 0; i < length; ++i) {
      circuit::HistoryRecorder recorder(1);
      recorder.rewrite(std::vector<circuit::GateNumber>{0}, {},
                       std::vector<Operation>{make_operation(GateKind::x, {0})});
      history = circuit::in_sequence(std::move(history), std::move(recorder).finish({1}));
    }
    return history;
  };
  const Circuit one = make_circuit(1, {make_operation(GateKind::x, {0})});
  CertifiableCircuits circuits;
  CHECK_FALSE(circuits.best_within(1e9, one));
  for (int length = 0; length < 1000; length += 7) {
    circuits.add({one, false, history_of_length(length)});
  }
  const auto steps_within = [&](double seconds) {
    return circuit::steps_of(circuits.best_within(seconds, one)->history.get());
  };
  CHECK(steps_within(1e9) == 994);
  const double seconds = replay_seconds(one, one, history_of_length(500).get());
  CHECK(steps_within(seconds) <= 500);
  CHECK(steps_within(seconds) >= 500 / 2);
  CHECK(steps_within(0) == 0);
  CHECK(circuit::steps_of(circuits.best_within(1e9, one, 100)->history.get()) <= 100);

  CertifiableCircuits without_start;
  without_start.add({one, false, history_of_length(50)});
  CHECK_FALSE(without_start.best_within(1e9, one, 49));
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
