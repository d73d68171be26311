#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "circuit/history.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/class_table_source.hpp"
#include "quartz/workflow/superoptimize.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using namespace quartz::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

namespace fs = std::filesystem;

/// Returns a gate set without bundled rules and with few letters, so that rules and tables are
/// built quickly.
const GateSet& small_set() {
  static const GateSet set = parse_gate_set(
      R"({"format": "quartz-gate-set", "version": 1, "name": "small",
          "gates": [{"gate": "h"}, {"gate": "s"}, {"gate": "sdg"}, {"gate": "cx"}]})",
      "small.json");
  return set;
}

Circuit program(const std::string& statements, unsigned qubits = 3) {
  return parse_qasm("OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[" + std::to_string(qubits) +
                    "];\n" + statements);
}

/// Returns four gates that equal one gate between the ends of a line.
Circuit cx_on_a_line() {
  return program("cx q[0],q[1]; cx q[1],q[2]; cx q[0],q[1]; cx q[1],q[2];");
}

/// Returns options with which every run gives the same result, without the user's cache.
SuperoptimizeOptions reproducible() {
  SuperoptimizeOptions options;
  options.search = "anneal";
  options.steps = 2000;
  options.seconds = 60;
  options.threads = 1;
  options.cache.enabled = false;
  return options;
}

/// Returns two-qubit blocks that are resynthesized in double precision: the result is not a
/// rearrangement of the input's rotations, so no fast method can compare them.
Circuit hard_to_check() {
  std::string text;
  for (int i = 0; i < 7; ++i) {
    const std::string a = "q[" + std::to_string(i) + "]";
    const std::string b = "q[" + std::to_string(i + 1) + "]";
    for (const std::string z : {"rz(0.3) ", "rz(1.1) ", "rz(0.7) ", "rz(0.2) "}) {
      text += "cx " + a + "," + b + ";" + z + b + ";cx " + a + "," + b + ";h " + b + ";" + z + b +
              ";cx " + b + "," + a + ";" + z + a + ";h " + a + ";\n";
    }
  }
  return program(text, 8);
}

SuperoptimizeOptions unverifiable() {
  SuperoptimizeOptions options = reproducible();
  options.cost = CostKind::two_qubit;
  options.steps = 100;
  options.check_seconds = 0;
  return options;
}

RuleSet wrong_rules() {
  RuleSet rules = bundled_rule_set(load_gate_set("nam")).value();
  rules.classes[0].members[1].phase += Angle::pi_times(1);
  return rules;
}

std::string message_of(const Circuit& circuit, const GateSet& set,
                       const SuperoptimizeOptions& options) {
  try {
    (void)superoptimize(circuit, set, options);
  } catch (const InputError& error) {
    return error.what();
  }
  FAIL("no InputError");
  return {};
}

}  // namespace

TEST_CASE("the result is in the gate set, cheaper, and checked", "[superoptimize]") {
  const GateSet set = load_gate_set("nam");
  const Circuit input = program("ccx q[0],q[1],q[2]; t q[0]; t q[0]; ccx q[0],q[1],q[2];");
  const SuperoptimizeResult result = superoptimize(input, set, reproducible());
  CHECK(result.check.verified == true);
  CHECK_THAT(result.check.text, StartsWith("equal ("));
  CHECK(result.check.report.verdict == EquivalenceVerdict::equal);
  CHECK(check_equivalence(input, result.circuit).verdict == EquivalenceVerdict::equal);
  CHECK(count_gates(result.translated).total == 32);
  CHECK(result.circuit.operations ==
        std::vector{make_operation(GateKind::rz, {0}, {Angle::pi_times({1, 2})})});
  CHECK(std::all_of(result.circuit.operations.begin(), result.circuit.operations.end(),
                    [&](const Operation& operation) { return set.contains(operation); }));
  std::vector<std::string> stages;
  for (const StageTime& stage : result.stages) {
    stages.push_back(stage.name);
    CHECK(stage.seconds >= 0);
  }
  CHECK(stages == std::vector<std::string>{"translate", "rules", "search", "check"});
}

TEST_CASE("operations and assignments with annotations stay as they are", "[superoptimize]") {
  const Circuit circuit = parse_qasm(
      "OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit c;\nh q[0];\nh q[0];\n@keep\n"
      "h q[1];\n@keep\nh q[1];\nif (c) {\n  h q[0];\n  h q[0];\n  @keep\n  x q[0];\n  @keep\n"
      "  x q[0];\n}\n@keep\nc = 1;\nwhile (c) {\nh q[0];\nh q[0];\n@keep\nc = measure q[0];\n}\n");
  SuperoptimizeOptions options = reproducible();
  options.check = CheckPolicy::required;
  const SuperoptimizeResult result = superoptimize(circuit, load_gate_set("nam"), options);
  CHECK(result.check.verified == true);
  CHECK(write_qasm(result.circuit) ==
        "OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[1] c;\n@keep\nh q[1];\n@keep\n"
        "h q[1];\nif (c == 1) {\n  @keep\n  x q[0];\n  @keep\n  x q[0];\n}\n@keep\nc[0] = 1;\n"
        "while (c[0]) {\n@keep\nc = measure q[0];\n}\n");
}

TEST_CASE("the default cost is that of the gate set", "[superoptimize]") {
  SuperoptimizeOptions options = reproducible();
  options.seconds = 0;
  options.steps = 0;
  options.search = "backtrack";
  const Circuit input = program("t q[0]; cx q[0],q[1];");
  CHECK(superoptimize(input, load_gate_set("clifford_t"), options).cost.name() ==
        "t,two-qubit,total");
  options.cost = CostKind::depth;
  CHECK(superoptimize(input, load_gate_set("clifford_t"), options).cost.name() == "depth");
}

TEST_CASE("gates stay on the pairs of a coupling map", "[superoptimize]") {
  const GateSet set = load_gate_set("nam");
  SuperoptimizeOptions options = reproducible();
  options.steps = 20000;
  const SuperoptimizeResult free = superoptimize(cx_on_a_line(), set, options);
  CHECK(free.circuit.operations == std::vector{make_operation(GateKind::cx, {0, 2})});
  CHECK_FALSE(free.coupling.has_value());

  CouplingMap line;
  line.add(0, 1);
  line.add(1, 2);
  for (const CouplingChoice& coupling :
       {CouplingChoice(line), CouplingChoice(CouplingOfCircuit{})}) {
    options.coupling = coupling;
    const SuperoptimizeResult kept = superoptimize(cx_on_a_line(), set, options);
    REQUIRE(kept.coupling.has_value());
    CHECK(kept.coupling->size() == 2);
    CHECK_FALSE(uncoupled_gate(kept.circuit, line));
  }

  CouplingMap directed(true);
  directed.add(1, 0);
  directed.add(1, 2);
  options.coupling = directed;
  const SuperoptimizeResult reversed = superoptimize(cx_on_a_line(), set, options);
  CHECK(reversed.check.verified == true);
  CHECK_FALSE(uncoupled_gate(reversed.translated, directed));
  CHECK_FALSE(uncoupled_gate(reversed.circuit, directed));

  options.coupling = line;
  options.circuit_name = "adder";
  CHECK(message_of(program("cx q[0],q[2];"), set, options) ==
        "adder: a gate between qubits 0 and 2, which the coupling map does not couple; route the "
        "circuit first");
}

TEST_CASE("a coupling map may be in a file", "[superoptimize]") {
  const TemporaryFolder folder;
  const fs::path file = folder / "map.json";
  write_text_file(file, R"({"format": "quartz-coupling", "version": 1, "pairs": [[0, 1]]})");
  SuperoptimizeOptions options = reproducible();
  options.coupling = file;
  CHECK_THAT(message_of(cx_on_a_line(), load_gate_set("nam"), options),
             StartsWith("the circuit: a gate between qubits 1 and 2, which " + file.string()));
  options.coupling = folder / "none.json";
  CHECK_THAT(message_of(cx_on_a_line(), load_gate_set("nam"), options),
             Contains("none.json: cannot read"));
}

TEST_CASE("wrong rules are rejected before the search", "[superoptimize]") {
  const GateSet set = load_gate_set("nam");
  SuperoptimizeOptions options = reproducible();
  options.rules = wrong_rules();
  CHECK_THAT(message_of(cx_on_a_line(), set, options),
             StartsWith("the rule set: wrong rule set: class 1"));

  const TemporaryFolder folder;
  const fs::path file = folder / "rules.json";
  write_text_file(file, write_rule_set(wrong_rules()));
  options.rules = file;
  CHECK_THAT(message_of(cx_on_a_line(), set, options),
             StartsWith(file.string() + ": wrong rule set: class 1"));

  options.rules = bundled_rule_set(load_gate_set("ibm")).value();
  CHECK_THAT(message_of(cx_on_a_line(), set, options), StartsWith("the rule set: "));
}

TEST_CASE("a check that could not decide is an error if one is required", "[superoptimize]") {
  const GateSet set = load_gate_set("nam");
  SuperoptimizeOptions options = unverifiable();
  const SuperoptimizeResult undecided = superoptimize(hard_to_check(), set, options);
  CHECK(undecided.check.verified == false);
  CHECK_THAT(undecided.check.text, StartsWith("undecided: "));
  CHECK(undecided.numeric);

  options.check = CheckPolicy::required;
  CHECK_THROWS_AS(superoptimize(hard_to_check(), set, options), Unverified);
  CHECK(superoptimize(cx_on_a_line(), set, options).check.verified == true);

  options.check = CheckPolicy::off;
  const SuperoptimizeResult unchecked = superoptimize(hard_to_check(), set, options);
  CHECK_FALSE(unchecked.check.verified.has_value());
  CHECK(unchecked.check.text == "not checked");
}

TEST_CASE("a result within epsilon is certified, and its distance stated", "[superoptimize]") {
  const GateSet set = load_gate_set("ibm_heron");
  const Circuit circuit = parse_qasm(
      "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[4]; creg c[4]; h q; rzz(0.002) q[0],q[1];"
      "rx(0.3) q[1]; cx q[1],q[2]; rzz(0.001) q[2],q[3]; ry(0.7) q[2]; cx q[1],q[2];");
  SuperoptimizeOptions options;
  options.cost = CostKind::two_qubit;
  options.search = "simplify,deletion";
  options.steps = 1'000'000;
  options.threads = 1;
  options.record_journal = true;
  const auto two_qubit_gates = [&](double epsilon) {
    options.epsilon = epsilon;
    const SuperoptimizeResult result = superoptimize(circuit, set, options);
    CHECK(result.check.verified == true);
    CHECK(result.check.report.distance.value() <= std::max(epsilon, 1e-9));
    CHECK(result.run_record.value_of("epsilon") == OptionValue(epsilon));
    EquivalenceOptions limits;
    limits.epsilon = epsilon;
    const EquivalenceVerdict verdict = check_equivalence(circuit, result.circuit, limits).verdict;
    CHECK(verdict != EquivalenceVerdict::not_equal);
    return std::ranges::count_if(result.circuit.operations, [](const Operation& operation) {
      return operation.qubits.size() == 2;
    });
  };
  CHECK(two_qubit_gates(0) == 6);
  CHECK(two_qubit_gates(0.01) == 2);

  options.checkpoint.folder = "folder";
  CHECK_THROWS_AS(two_qubit_gates(0.01), UsageError);
  options.checkpoint.folder.clear();
  CHECK_THROWS_AS(two_qubit_gates(-1), UsageError);
}

TEST_CASE("a stop before the search ends the call, a stop during the search only the search",
          "[superoptimize]") {
  const GateSet set = load_gate_set("nam");
  SuperoptimizeOptions options = reproducible();
  options.steps = 0;
  options.search = "auto";
  std::stop_source early;
  early.request_stop();
  options.stop = early.get_token();
  CHECK_THROWS_AS(superoptimize(cx_on_a_line(), set, options), Stopped);

  std::stop_source source;
  options.stop = source.get_token();
  options.on_progress = [&](const SuperoptimizeProgress& progress) {
    if (progress.search != nullptr) source.request_stop();
  };
  const SuperoptimizeResult result = superoptimize(hard_to_check(), set, options);
  CHECK(result.stop_reason == StopReason::interrupted);
  CHECK(result.check.verified == true);
}

TEST_CASE("the check of a large circuit may take longer by default", "[superoptimize]") {
  Circuit circuit = make_circuit(2, {});
  for (int i = 0; i < 10'000; ++i) {
    circuit.operations.push_back(make_operation(GateKind::cx, {0, 1}));
    circuit.operations.push_back(make_operation(GateKind::h, {1}));
  }
  SuperoptimizeOptions options = reproducible();
  options.steps = 0;
  options.seconds = 0.1;
  std::optional<double> limit;
  options.on_progress = [&](const SuperoptimizeProgress& progress) {
    if (progress.stage == SuperoptimizeStage::check) limit = progress.check_seconds;
  };
  (void)superoptimize(circuit, load_gate_set("nam"), options);
  REQUIRE(limit.has_value());
  CHECK(*limit == Approx(kBaseCheckSeconds + 0.1 * kCheckShare + 20'000 * kCheckSecondsOfGate));
  options.check_seconds = 7;
  (void)superoptimize(circuit, load_gate_set("nam"), options);
  CHECK(limit == 7);
}

TEST_CASE("a stop during the generation of rules ends the call with Stopped", "[superoptimize]") {
  SuperoptimizeOptions options = reproducible();
  std::stop_source source;
  options.stop = source.get_token();
  options.on_progress = [&](const SuperoptimizeProgress& progress) {
    if (progress.stage == SuperoptimizeStage::rules) source.request_stop();
  };
  CHECK_THROWS_AS(superoptimize(cx_on_a_line(), small_set(), options), Stopped);
}

TEST_CASE("rules that take longer than the time left are done without", "[superoptimize]") {
  // Its rules take some twenty seconds.
  const GateSet set = parse_gate_set(
      R"({"format": "quartz-gate-set", "version": 1, "name": "many",
          "gates": [{"gate": "h"}, {"gate": "x"}, {"gate": "y"}, {"gate": "s"}, {"gate": "sdg"},
                    {"gate": "t"}, {"gate": "tdg"}, {"gate": "sx"}, {"gate": "sxdg"},
                    {"gate": "rx"}, {"gate": "ry"}, {"gate": "rz"}, {"gate": "u2"},
                    {"gate": "crz"}, {"gate": "rzz"}, {"gate": "cx"}, {"gate": "cz"},
                    {"gate": "cy"}, {"gate": "swap"}, {"gate": "ccx"}],
          "alphabet": {"parameters": 2, "expressions": ["p0", "p1", "p0+p1", "2*p0", "pi/16",
                                                        "pi/32", "3*pi/16", "1"]}})",
      "many.json");
  std::vector<std::string> warnings;
  SuperoptimizeOptions options = reproducible();
  options.search = "fold";
  options.steps = 0;
  options.seconds = 0.2;
  options.on_warning = [&](std::string_view warning) { warnings.emplace_back(warning); };
  const SuperoptimizeResult result =
      superoptimize(program("h q[0]; h q[0]; cx q[0],q[1];"), set, options);
  CHECK(warnings == std::vector<std::string>{
                        "there was no time to generate rules for the gate set 'many', and the "
                        "search has none: quartz-gen generates them in advance"});
  CHECK(result.run_record.rules == 0);
  CHECK(result.check.verified);
}

TEST_CASE("a circuit whose translation takes most of the time is not simplified before it",
          "[superoptimize]") {
  // Nine CNOTs that equal fewer, in a gate set in which that is not seen any more
  const Circuit circuit = program(
      "cx q[0],q[1]; cx q[1],q[2]; cx q[2],q[0]; cx q[0],q[1]; cx q[1],q[2]; cx q[2],q[0]; "
      "cx q[0],q[1]; cx q[1],q[2]; cx q[2],q[0];");
  const auto two_qubit_gates = [&](double seconds) {
    SuperoptimizeOptions options = reproducible();
    options.search = "fold";
    options.steps = 0;
    options.seconds = seconds;
    return count_gates(superoptimize(circuit, load_gate_set("ibm_heron"), options).circuit)
        .two_qubit;
  };
  CHECK(two_qubit_gates(0) < 9);
  CHECK(two_qubit_gates(1e-9) == 9);
}

TEST_CASE("the translated circuit of an input in the gate set is the input", "[superoptimize]") {
  const GateSet set = load_gate_set("nam");
  const Circuit input = program("cx q[0],q[1]; rz(pi/4) q[1]; rz(pi/4) q[1]; h q[2];");
  SuperoptimizeOptions options = reproducible();
  for (const bool is_checked : {true, false}) {
    if (!is_checked) options.check = CheckPolicy::off;
    const SuperoptimizeResult result = superoptimize(input, set, options);
    CHECK(result.translated == input);
    CHECK(result.circuit.operations.size() == 3);
    CHECK(result.check.verified.has_value() == is_checked);
  }
  options.qasm_version = 3;
  const SuperoptimizeResult result = superoptimize(input, set, options);
  CHECK(result.translated.qasm_version == 3);
  CHECK(result.translated.operations == input.operations);
  CHECK(result.circuit.qasm_version == 3);
}

TEST_CASE("a request that ends only the search may come before it", "[superoptimize]") {
  SuperoptimizeOptions options = reproducible();
  options.search = "auto";
  std::stop_source source;
  source.request_stop();
  options.end_search = source.get_token();
  const GateSet set = load_gate_set("nam");
  const SuperoptimizeResult result = superoptimize(hard_to_check(), set, options);
  CHECK(result.stop_reason == StopReason::interrupted);
  CHECK(result.circuit.operations == result.translated.operations);
  CHECK(result.check.verified == true);
}

TEST_CASE("a search without memory ends with the best circuit so far", "[superoptimize]") {
  SuperoptimizeOptions options = reproducible();
  options.search = "auto";
  options.steps = 1'000'000;
  options.cost = CostKind::two_qubit;
  std::vector<std::string> warnings;
  options.on_warning = [&](std::string_view message) { warnings.emplace_back(message); };
  std::optional<CostValue> first;
  options.on_progress = [&](const SuperoptimizeProgress& progress) {
    if (progress.search == nullptr) return;
    if (!first) first = progress.search->best_cost;
    if (progress.search->best_cost != *first) throw std::bad_alloc();
  };
  const GateSet set = load_gate_set("nam");
  const SuperoptimizeResult result = superoptimize(hard_to_check(), set, options);
  CHECK(result.stop_reason == StopReason::memory_limit);
  CHECK(cost_of(result.circuit, result.cost) < cost_of(result.translated, result.cost));
  CHECK(result.check.verified == true);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], Catch::Contains("no memory to continue"));
}

TEST_CASE("a circuit on the way is certified if the journal of the result is too long",
          "[superoptimize]") {
  // Pairs of Toffoli gates between blocks that no direct method compares in so little memory.
  Circuit input = hard_to_check();
  const Circuit pairs = program(
      "ccx q[0],q[1],q[2]; h q[2]; ccx q[0],q[1],q[2]; h q[2]; cx q[2],q[3];"
      "ccx q[3],q[1],q[4]; h q[4]; ccx q[3],q[1],q[4]; cx q[0],q[4]; cx q[4],q[1];"
      "ccx q[0],q[4],q[1];",
      8);
  const Circuit blocks = input;
  for (const Circuit* const part : {&pairs, &blocks}) {
    input.operations.insert(input.operations.end(), part->operations.begin(),
                            part->operations.end());
  }
  const GateSet set = load_gate_set("nam");
  SuperoptimizeOptions options = reproducible();
  options.search = "auto";
  options.steps = 100'000;
  options.cost =
      Cost({CostKind::two_qubit, CostKind::total});  // versions of equal costs count as one
  options.check_memory_bytes = 10'000;               // the steps take less
  options.record_journal = true;
  const SuperoptimizeResult best = superoptimize(input, set, options);
  REQUIRE(best.check.verified == true);
  REQUIRE_FALSE(best.uncertified_cost);
  const CostValue least = cost_of(best.circuit, best.cost);

  options.check_steps = best.journal_rewrites - 1;
  const SuperoptimizeResult result = superoptimize(input, set, options);
  REQUIRE(result.uncertified_cost);
  CHECK(*result.uncertified_cost == least);
  CHECK(result.check.verified == true);
  CHECK(least < cost_of(result.circuit, result.cost));
  CHECK(cost_of(result.circuit, result.cost) < cost_of(result.translated, result.cost));
}

TEST_CASE("a requested journal has a stage between search and check", "[superoptimize]") {
  SuperoptimizeOptions options = reproducible();
  options.record_journal = true;
  std::vector<SuperoptimizeStage> announced;
  options.on_progress = [&](const SuperoptimizeProgress& progress) {
    if (announced.empty() || announced.back() != progress.stage)
      announced.push_back(progress.stage);
  };
  const SuperoptimizeResult result = superoptimize(cx_on_a_line(), small_set(), options);
  using enum SuperoptimizeStage;
  CHECK(announced == std::vector{translate, SuperoptimizeStage::rules, SuperoptimizeStage::search,
                                 journal, check});
  std::vector<std::string> timed;
  for (const StageTime& stage : result.stages) timed.push_back(stage.name);
  CHECK(timed == std::vector<std::string>{"translate", "rules", "search", "journal", "check"});
  CHECK_FALSE(result.journal.empty());
  CHECK(result.journal_rewrites > 0);
}

TEST_CASE("every stage is announced, and generation and search report their progress",
          "[superoptimize]") {
  SuperoptimizeOptions options = reproducible();
  std::vector<SuperoptimizeStage> stages;
  std::size_t while_generating = 0;
  std::size_t while_searching = 0;
  options.on_progress = [&](const SuperoptimizeProgress& progress) {
    if (stages.empty() || stages.back() != progress.stage) stages.push_back(progress.stage);
    if (progress.rules != nullptr) {
      ++while_generating;
      CHECK(progress.stage == SuperoptimizeStage::rules);
    }
    if (progress.search != nullptr) {
      ++while_searching;
      CHECK(progress.stage == SuperoptimizeStage::search);
    }
  };
  (void)superoptimize(cx_on_a_line(), small_set(), options);
  using enum SuperoptimizeStage;
  CHECK(stages ==
        std::vector{translate, SuperoptimizeStage::rules, SuperoptimizeStage::search, check});
  CHECK(while_generating > 0);
  CHECK(while_searching > 0);
}

TEST_CASE("the second call reads rules and class tables from the cache", "[superoptimize]") {
  const TemporaryFolder folder;
  SuperoptimizeOptions options = reproducible();
  options.cache = {.enabled = true, .folder = folder / "cache"};
  std::size_t generated = 0;
  std::vector<std::string> warnings;
  options.on_warning = [&](std::string_view message) { warnings.emplace_back(message); };
  options.on_progress = [&](const SuperoptimizeProgress& progress) {
    generated += progress.rules != nullptr ? 1 : 0;
  };
  const auto cached = [&] {
    std::vector<std::string> names;
    if (!fs::exists(options.cache.folder)) return names;
    for (const auto& entry : fs::directory_iterator(options.cache.folder)) {
      names.push_back(entry.path().extension().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  std::vector<std::string> cached_at_result;
  options.on_result = [&](const SuperoptimizeResult& result) {
    CHECK(result.check.verified == true);
    cached_at_result = cached();
  };
  const SuperoptimizeResult first = superoptimize(cx_on_a_line(), small_set(), options);
  CHECK(generated > 0);
  CHECK(cached_at_result == std::vector<std::string>{".json"});
  CHECK(cached() == std::vector<std::string>{".bin", ".json"});

  generated = 0;
  std::vector<fs::file_time_type> written;
  for (const auto& entry : fs::directory_iterator(options.cache.folder)) {
    written.push_back(entry.last_write_time());
  }
  const SuperoptimizeResult second = superoptimize(cx_on_a_line(), small_set(), options);
  CHECK(generated == 0);
  CHECK(second.circuit == first.circuit);
  std::size_t i = 0;
  for (const auto& entry : fs::directory_iterator(options.cache.folder)) {
    CHECK(entry.last_write_time() == written.at(i++));
  }
  CHECK(warnings.empty());

  // A damaged table reveals that the cache is read, and is replaced.
  for (const auto& entry : fs::directory_iterator(options.cache.folder)) {
    if (entry.path().extension() == ".bin") write_text_file(entry.path(), "damaged");
  }
  CHECK(superoptimize(cx_on_a_line(), small_set(), options).circuit == first.circuit);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], StartsWith("cached class table is not used and will be replaced: "));
}

TEST_CASE("a cache that is not enabled is neither read nor written", "[superoptimize]") {
  const TemporaryFolder folder;
  SuperoptimizeOptions options = reproducible();
  options.cache = {.enabled = false, .folder = folder / "cache"};
  std::size_t warnings = 0;
  options.on_warning = [&](std::string_view) { ++warnings; };
  CHECK(superoptimize(cx_on_a_line(), small_set(), options).check.verified == true);
  CHECK(folder.names().empty());
  CHECK(warnings == 0);
}

TEST_CASE("a class table may be in a file", "[superoptimize]") {
  const TemporaryFolder folder;
  ClassTableFileOptions request;
  request.file = folder / "small.table";
  request.table.cost = 4;
  const ClassTableFile made = make_class_table_file(small_set(), request);
  CHECK(made.table.cost == 4);
  CHECK(made.file == request.file);
  SuperoptimizeOptions options = reproducible();
  options.class_table = made.file;
  CHECK(superoptimize(cx_on_a_line(), small_set(), options).check.verified == true);
  options.class_table = folder / "none.table";
  CHECK_THAT(message_of(cx_on_a_line(), small_set(), options), Contains("none.table"));
}

TEST_CASE("the version of the language is checked before the search", "[superoptimize]") {
  const Circuit input = parse_qasm(
      "OPENQASM 3.0;\ninclude \"stdgates.inc\";\ninput float theta;\nqubit[1] q;\n"
      "rz(theta) q[0];\n");
  SuperoptimizeOptions options = reproducible();
  options.qasm_version = 2;
  CHECK_THROWS_AS(superoptimize(input, load_gate_set("nam"), options), UsageError);
  options.qasm_version = 3;
  CHECK(superoptimize(cx_on_a_line(), load_gate_set("nam"), options).circuit.qasm_version == 3);
}

TEST_CASE("an unknown search is an error", "[superoptimize]") {
  SuperoptimizeOptions options = reproducible();
  options.search = "dance";
  CHECK_THROWS_AS(superoptimize(cx_on_a_line(), load_gate_set("nam"), options), UsageError);
}

TEST_CASE("a search accepts the recorded rules as a rule set", "[superoptimize]") {
  const GateSet set = load_gate_set("nam");
  SuperoptimizeOptions options = reproducible();
  options.record_rules = true;
  const SuperoptimizeResult result = superoptimize(cx_on_a_line(), set, options);
  const RuleSet rules = recorded_rule_set(result, set, options.seed);
  REQUIRE_FALSE(rules.classes.empty());
  CHECK_NOTHROW(require_usable_rules(rules, set, "recorded"));
  CHECK(parse_rule_set(write_rule_set(rules), "recorded").classes.size() == rules.classes.size());
}

TEST_CASE("large circuits are translated with merged runs, which the check proves",
          "[superoptimize]") {
  // Half a million gates of the set, one after the other, if no runs were merged.
  constexpr std::size_t kGates = 10'000;
  constexpr std::uint32_t kQubits = 10;
  std::vector<Operation> gates;
  for (std::uint32_t i = 0; i < kGates; ++i) {
    gates.push_back(make_operation(
        GateKind::ccx, {i % kQubits, (i + 1 + i % 3) % kQubits, (i + 5 + i % 4) % kQubits}));
  }
  const GateSet set = load_gate_set("ibm_heron");
  SuperoptimizeOptions options;
  options.seconds = 1e-3;  // The search is left out: the translation alone takes longer.
  options.check_seconds = 300;
  options.threads = 1;
  const SuperoptimizeResult result = superoptimize(make_circuit(kQubits, gates), set, options);
  CHECK(result.check.verified == true);
  CHECK_THAT(result.check.text, StartsWith("equal"));
  CHECK(result.stop_reason == StopReason::time_limit);
  CHECK(result.circuit.operations == result.translated.operations);
  const GateCounts counts = count_gates(result.circuit);
  CHECK(counts.two_qubit == 6 * kGates);
  CHECK(counts.total < 45 * kGates);
  // The passes and the limit of the check are about the translation gate by gate, whose figures
  // reports give.
  REQUIRE(result.plain_translation.has_value());
  const std::uint64_t plain = result.plain_translation->operations;
  CHECK(plain == 55 * kGates);
  CHECK(cost_of(result.translated, result.cost) < cost_of_translation(result));
  REQUIRE(result.passes.size() == 1);
  CHECK(result.passes[0].gates_removed == static_cast<std::int64_t>(plain - counts.total));
  // A replay that is prepared by another thread meanwhile proves the same, and the translation need
  // not be copied.
  options.threads = 2;
  options.copies_translation = false;
  const Circuit input = make_circuit(kQubits, gates);
  const SuperoptimizeResult two = superoptimize(input, set, options);
  CHECK(two.check.text == result.check.text);
  CHECK(two.circuit == result.circuit);
  CHECK(two.translated.operations.empty());
  CHECK(&translation_of(two, input) == &two.circuit);
  CHECK(cost_of_translation(two) == cost_of_translation(result));
}

TEST_CASE("the translation of a result is the input if that is in the set", "[superoptimize]") {
  const Circuit input = cx_on_a_line();
  const GateSet set = load_gate_set("nam");
  SuperoptimizeOptions options = reproducible();
  const SuperoptimizeResult copied = superoptimize(input, set, options);
  CHECK(copied.translated == input);
  CHECK(&translation_of(copied, input) == &copied.translated);
  options.copies_translation = false;
  const SuperoptimizeResult result = superoptimize(input, set, options);
  CHECK(result.circuit == copied.circuit);
  CHECK(&translation_of(result, input) == &input);
  // What is searched without barriers, or with what is assumed, is another circuit.
  options.barriers = Barriers::ignore;
  const SuperoptimizeResult ignored = superoptimize(input, set, options);
  CHECK(&translation_of(ignored, input) == &ignored.translated);
}
