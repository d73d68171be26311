#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "circuit/derivation.hpp"
#include "optimize/derived_search.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/output_permutation.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "target/translation.hpp"
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
  OptimizeOptions options;
  options.search = "simplify";
  options.steps = 1;
  options.threads = 1;
  options.cost = CostKind::two_qubit;
  const GateSet set = load_gate_set("nam");
  circuit::DerivedCircuit found = target::translated(program, set);
  found.append(optimizer::search(found.circuit, set, RuleSet(), options,
                                 {.records = true, .on_better = {}, .on_best = {}})
                   .best);
  Circuit better = found.circuit;
  better.operations.insert(better.operations.end(),
                           {make_operation(GateKind::h, {0}), make_operation(GateKind::h, {0})});

  RunningCertificate certificate({.circuits = {&program, &program}});
  CheckRequest request;
  request.equivalence.seconds = 60;
  request.equivalence.memory_bytes = 1000;
  request.certificate = &certificate;
  request.history = found.derivation.history();
  request.share_of_both_ways = GENERATE(0.0, 0.9);
  CAPTURE(request.share_of_both_ways);

  SECTION("if the search found it on the way") {
    certificate.consider(
        {found.circuit.operations.size(), found.derivation.steps(), {}, [&] { return found; }});
    const CheckOutcome outcome = check_result(program, better, request);
    CHECK(outcome.check.verified == true);
    CHECK_THAT(outcome.check.text, Contains("replay"));
    REQUIRE(outcome.other != nullptr);
    CHECK(outcome.other->found.circuit == found.circuit);
  }
  SECTION("but not if there is none") {
    const CheckOutcome undecided = check_result(program, better, request);
    CHECK(undecided.check.verified == false);
    CHECK_THAT(undecided.check.text, Contains("the journal ends with"));
    CHECK(undecided.other == nullptr);
  }
  SECTION("nor if the result is certified") {
    const CheckOutcome same = check_result(program, found.circuit, request);
    CHECK(same.check.verified == true);
    CHECK(same.other == nullptr);
  }
}

TEST_CASE("a circuit behind a step that is not proved is compared directly", "[result check]") {
  // The first step, which folds the circuit, leads to another circuit according to its record.
  const Operation x = make_operation(GateKind::x, {0});
  const Circuit program = make_circuit(1, {x, x, x, x});
  const Circuit folded = make_circuit(1, {x, x});
  circuit::HistoryRecorder recorder(4);
  recorder.rewrite(std::vector<circuit::GateNumber>{2, 3}, {},
                   std::vector{make_operation(GateKind::z, {0})});
  const circuit::HistoryPointer history = std::move(recorder).finish({0, 1});
  RunningCertificate certificate({.circuits = {&program, &program}});
  certificate.consider({4, 0, {}, [&] { return circuit::DerivedCircuit::first(program); }});
  certificate.consider({2, 1, {}, [&] {
                          return circuit::DerivedCircuit{folded, circuit::Derivation::by(history)};
                        }});
  CheckRequest request;
  request.equivalence.seconds = 60;
  request.certificate = &certificate;
  request.history = history;
  request.share_of_both_ways = GENERATE(0.0, 0.9);
  // No method decides the result itself, which has an unknown operation.
  Operation unknown;
  unknown.kind = OperationKind::opaque;
  unknown.qubits = {0};
  unknown.classical = std::make_shared<ClassicalPart>(ClassicalPart{{}, {}, "unknown"});
  const CheckOutcome outcome = check_result(program, make_circuit(1, {unknown}), request);
  CHECK(outcome.check.verified == true);
  REQUIRE(outcome.other != nullptr);
  CHECK(outcome.other->found.circuit == folded);
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
    request.order = FreeOrderOfResult{&original, order, {}};
    CertificateOptions options{.circuits = {&result, &original}};
    options.replay.swaps = SwapGates::removed;
    std::optional<RunningCertificate> certificate;
    if (has_journal) request.certificate = &certificate.emplace(options);
    request.share_of_both_ways = has_journal ? 0.9 : 0;
    return check_result(result, result, request).check;
  };
  for (const bool has_journal : {false, true}) {
    CHECK(check(carried, {1, 0}, has_journal).verified == false);
    CHECK(check(right, permutation, has_journal).verified == true);
    CHECK(check(right, {1, 0}, has_journal).verified == false);
  }
}

TEST_CASE("Two proofs, one after the other, are a proof of the whole") {
  EquivalenceReport first;
  first.verdict = EquivalenceVerdict::equal;
  first.method = "one";
  first.phase = 0;
  first.distance = 1e-12;
  EquivalenceReport second;
  second.verdict = EquivalenceVerdict::equal_up_to_phase;
  second.method = "two";
  second.phase = 1;
  second.distance = 2e-12;
  second.log2_failure = -60;
  const EquivalenceReport both = chained(first, second);
  CHECK(both.verdict == EquivalenceVerdict::equal_up_to_phase);
  CHECK(both.method == "one, and from there: two");
  CHECK(both.phase == Approx(1));
  CHECK(both.distance == Approx(3e-12));
  CHECK(both.log2_failure == Approx(-60));
  CHECK(chained(second, second).log2_failure == Approx(-59));
  CHECK(chained(first, first).verdict == EquivalenceVerdict::equal);
  second.distance.reset();
  CHECK_FALSE(chained(first, second).distance);
}
