#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/check/check_command.hpp"
#include "cli/command_run.hpp"
#include "cli/gen/gen_command.hpp"
#include "cli/opt/opt_command.hpp"
#include "quartz/base/files.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"

using namespace quartz;
using namespace quartz::cli;
using namespace quartz::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

const std::string bell_with_waste = R"(OPENQASM 2.0;
include "qelib1.inc";
qreg a[1];
qreg b[1];
creg c[2];
h a[0];
x b[0];
x b[0];
swap a[0],b[0];
t a[0];
t a[0];
measure a[0] -> c[0];
h b[0];
)";

/// A folder with a small rule set, so that no test waits for its generation or touches the user's
/// cache.
class FolderWithRules {
 public:
  FolderWithRules() : cache_("XDG_CACHE_HOME", folder_.path().string()) {
    REQUIRE(run(gen_command(), {"--gate-set", "nam", "--gates", "2", "--qubits", "2", "--output",
                                rules(), "--quiet"})
                .code == 0);
    write_text_file(input(), bell_with_waste);
  }
  [[nodiscard]] std::string file(const char* name) const { return (folder_ / name).string(); }
  [[nodiscard]] std::string rules() const { return file("rules.json"); }
  [[nodiscard]] std::string input() const { return file("in.qasm"); }

  /// Optimizes a circuit that is small enough to be exhausted, so that no result depends on time.
  [[nodiscard]] Run optimize(const std::vector<std::string>& more,
                             const std::stop_token& stop = {}) const {
    return optimize_for("60s", more, stop);
  }
  /// Translates and simplifies the circuit without a search.
  [[nodiscard]] Run simplify(const std::vector<std::string>& more) const {
    return optimize_for("0s", more, {});
  }

 private:
  [[nodiscard]] Run optimize_for(const std::string& time, const std::vector<std::string>& more,
                                 const std::stop_token& stop) const {
    std::vector<std::string> arguments{input(), "--gate-set", "nam",      "--rules",
                                       rules(), "--time",     time,       "--threads",
                                       "1",     "--search",   "backtrack"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(opt_command(), arguments, false, stop);
  }

  Folder folder_;
  EnvironmentVariable cache_;
};

}  // namespace

TEST_CASE("quartz-opt --list prints names, without a circuit", "[opt]") {
  const Run sets = run(opt_command(), {"--list", "gate-sets"});
  CHECK(sets.code == 0);
  std::string expected;
  for (const std::string& name : bundled_gate_sets()) expected += name + "\n";
  CHECK(sets.out == expected);
  CHECK_THAT(run(opt_command(), {"--list", "costs"}).out, StartsWith("total\n"));
  CHECK_THAT(run(opt_command(), {"--list", "searches"}).out, StartsWith("auto\n"));
  const Run unknown = run(opt_command(), {"--list", "colours"});
  CHECK(unknown.code == 2);
  CHECK(unknown.out.empty());
}

TEST_CASE("quartz-opt keeps gates on the pairs of a coupling map", "[opt]") {
  const FolderWithRules place;
  // These four gates equal one gate between the ends of a line.
  const std::string on_a_line =
      "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[3];\n"
      "cx q[0],q[1];\ncx q[1],q[2];\ncx q[0],q[1];\ncx q[1],q[2];\n";
  write_text_file(place.input(), on_a_line);
  const std::string map = place.file("map.json");
  write_text_file(map, R"({"format": "quartz-coupling", "version": 1, "pairs": [[1, 0], [1, 2]]})");
  const auto optimized = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{place.input(), "-g",        "nam",   "-o",
                                       "-",           "--steps",   "20000", "--search",
                                       "anneal",      "--threads", "1",     "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Run result = run(opt_command(), arguments);
    INFO(result.err);
    REQUIRE(result.code == 0);
    return parse_qasm(result.out, "out");
  };
  CHECK(optimized({}).operations == std::vector{make_operation(GateKind::cx, {0, 2})});
  for (const std::string& coupling : {map, std::string("auto")}) {
    const Circuit kept = optimized({"--coupling", coupling});
    CHECK(kept.operations.size() == 4);
    CHECK_FALSE(uncoupled_gate(kept, coupling_of(parse_qasm(on_a_line, "in"))));
  }

  write_text_file(map, R"({"format": "quartz-coupling", "version": 1, "pairs": [[0, 1]]})");
  const Run refused = run(opt_command(), {place.input(), "-g", "nam", "--coupling", map});
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, Contains("a gate between qubits 1 and 2, which " + map +
                                   " does not couple; route the circuit first"));
}

TEST_CASE("quartz-opt keeps gates in the direction of a directed coupling map", "[opt]") {
  const FolderWithRules place;
  const std::string header = "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[3];\n";
  const std::string map = place.file("map.json");
  write_text_file(map,
                  R"({"format": "quartz-coupling", "version": 1, "directed": true,
                      "pairs": [[1, 0], [1, 2]]})");
  CouplingMap directed(true);
  directed.add(1, 0);
  directed.add(1, 2);
  for (const std::string gates : {"cx q[0],q[1];\ncx q[0],q[1];\ncx q[0],q[1];\nt q[1];\n",
                                  "cx q[1],q[0];\ncx q[2],q[1];\nh q[1];\ncx q[1],q[2];\n",
                                  "ecr q[0],q[1];\nt q[0];\necr q[2],q[1];\n"}) {
    write_text_file(place.input(), header + gates);
    for (const char* set : {"nam", "ibm_eagle"}) {
      const Run result =
          run(opt_command(), {place.input(), "-g", set, "-o", "-", "--coupling", map, "--steps",
                              "20000", "--search", "anneal", "--threads", "1"});
      INFO(set << ": " << gates << result.err);
      REQUIRE(result.code == 0);
      CHECK_THAT(result.err, Contains("checked  equal"));
      CHECK_FALSE(uncoupled_gate(parse_qasm(result.out, "out"), directed));
    }
  }
  // Symmetric gates are written with the qubits of a pair in its order, and ms has its angles
  // exchanged.
  write_text_file(place.input(), header + "cz q[0],q[1];\nh q[1];\ncz q[2],q[1];\n");
  for (const auto& [set, gate] : {std::pair("ibm_heron", "cz"), {"ionq_aria", "ms"}}) {
    const Run result = run(opt_command(), {place.input(), "-g", set, "-o", "-", "--coupling", map,
                                           "--steps", "100", "--threads", "1"});
    INFO(set << ": " << result.err << result.out);
    REQUIRE(result.code == 0);
    CHECK_THAT(result.err, Contains("checked  equal"));
    const Circuit written = parse_qasm(result.out, "out");
    std::size_t count = 0;
    for (const Operation& operation : written.operations) {
      if (quartz::gate(operation.gate).name != gate) continue;
      CHECK(directed.allows(operation.qubits[0], operation.qubits[1]));
      ++count;
    }
    CHECK(count == 2);
  }
  const auto refusal = [&](const std::string& gates, const char* set) {
    write_text_file(place.input(), header + gates);
    const Run refused = run(opt_command(), {place.input(), "-g", set, "--coupling", map});
    CHECK(refused.code == 3);
    return refused.err;
  };
  CHECK_THAT(refusal("cx q[0],q[2];\n", "nam"), Contains("does not couple"));
  const std::string own = place.file("own.json");
  write_text_file(own, R"({"format": "quartz-gate-set", "version": 1, "name": "own",
                           "gates": [{"gate": "rz"}, {"gate": "sx"}, {"gate": "cu3"}],
                           "alphabet": {"parameters": 1, "expressions": ["p0"]}})");
  CHECK_THAT(refusal("cu3(0.1,0.2,0.3) q[0],q[1];\n", own.c_str()),
             Contains("couples in the other direction only, and no rewrite of cu3 with its qubits "
                      "exchanged is known in the gate set"));
}

TEST_CASE("quartz-opt writes native gates with definitions for other readers", "[opt]") {
  const FolderWithRules place;
  for (const std::string& name : {std::string("ionq_aria"), std::string("google")}) {
    for (const char* version : {"2", "3"}) {
      const Run result = run(opt_command(), {place.input(), "-g", name, "-o", "-", "--time", "0.1s",
                                             "--threads", "1", "--qasm", version});
      INFO(name << ", version " << version << "\n" << result.err << result.out);
      REQUIRE(result.code == 0);
      CHECK_THAT(result.out, Contains(name == "google" ? "gate r(" : "gate gpi2("));
      const Circuit before = read_qasm_file(place.input());
      const Circuit after = parse_qasm(result.out, "out");
      CHECK(check_equivalence(before, after).verdict != EquivalenceVerdict::not_equal);
    }
  }
}

TEST_CASE("quartz-opt writes an equal circuit with the input's registers", "[opt]") {
  const FolderWithRules place;
  const Run result = place.optimize({"--output", place.file("out.qasm")});
  INFO(result.err);
  REQUIRE(result.code == 0);
  const Circuit before = read_qasm_file(place.input());
  const Circuit after = read_qasm_file(place.file("out.qasm"));
  CHECK(after.qubit_registers == before.qubit_registers);
  CHECK(after.bit_registers == before.bit_registers);
  // Here swap is three cx, t t is one rz, and x x is removed.
  CHECK(count_gates(after).total <= 6);
  CHECK(check_equivalence(before, after).verdict != EquivalenceVerdict::not_equal);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, Contains("two-qubit") && Contains("checked  equal"));
}

TEST_CASE("quartz-opt writes to standard output by default, and statistics on request", "[opt]") {
  const FolderWithRules place;
  const Run result = place.optimize({"--stats", place.file("s.json"), "--quiet"});
  REQUIRE(result.code == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, StartsWith("OPENQASM 2.0;"));
  const auto stats = nlohmann::json::parse(read_text_file(place.file("s.json")));
  for (const char* circuit : {"before", "after"}) {
    for (const char* figure : {"total", "two_qubit", "t", "depth"}) {
      INFO(circuit << " " << figure);
      CHECK(stats.at(circuit).at(figure).is_number_unsigned());
    }
    CHECK(stats.at(circuit).at("cost") == nlohmann::json{{"total", stats.at(circuit).at("total")}});
  }
  CHECK(stats.at("after").at("total") <= stats.at("before").at("total"));
  CHECK(stats.at("after").at("total") == count_gates(parse_qasm(result.out)).total);
  CHECK(stats.at("seconds").is_number());
  CHECK(stats.at("stop_reason").is_string());
  CHECK_THAT(stats.at("checked").get<std::string>(), StartsWith("equal"));
}

TEST_CASE("A run with steps can be repeated, whatever the search, and records what it depends on",
          "[opt]") {
  const Folder folder;
  const EnvironmentVariable cache("XDG_CACHE_HOME", folder.path().string());
  const std::string input = std::string(QUARTZ_SOURCE_DIR) + "/circuits/tof_5.qasm";
  const std::string stats = (folder / "stats.json").string();
  for (const char* search : {"auto", "anneal", "backtrack", "fold,backtrack,anneal"}) {
    INFO(search);
    std::vector<std::string> results;
    for (int i = 0; i < 2; ++i) {
      const Run run_once =
          run(opt_command(), {input, "-g", "nam", "--search", search, "--steps", "30000",
                              "--threads", "2", "--seed", "7", "--stats", stats, "--quiet"});
      REQUIRE(run_once.code == 0);
      results.push_back(run_once.out);
    }
    CHECK(results[0] == results[1]);
    const auto replay = nlohmann::json::parse(read_text_file(stats))["replay"];
    CHECK(replay["reproducible"] == true);
    CHECK(replay["search"] == search);
    CHECK(replay["seed"] == 7);
    CHECK(replay["steps"] == 30000);
    CHECK(replay["threads"] == 2);
    CHECK(replay["gate_set_digest"] == load_gate_set("nam").digest);
    CHECK(replay["rules"]["rules"] > 0);
    CHECK(replay["class_tables"].empty() == (std::string(search) == "backtrack"));
  }
}

TEST_CASE("quartz-opt distinguishes rewrites in double precision from exact ones", "[opt]") {
  const FolderWithRules place;
  write_text_file(place.input(),
                  "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[2];\ncx q[0],q[1];\n"
                  "rz(0.3) q[1];\ncx q[0],q[1];\nh q[1];\nrz(0.7) q[1];\ncx q[1],q[0];\n"
                  "rz(1.1) q[0];\ncx q[1],q[0];\ncx q[0],q[1];\nrz(0.2) q[1];\ncx q[0],q[1];\n");
  const Run numeric = place.optimize({"--stats", place.file("s.json"), "--cost", "two-qubit"});
  INFO(numeric.err);
  REQUIRE(numeric.code == 0);
  CHECK_THAT(numeric.err, Contains("in double precision") && Contains("checked  equal"));
  CHECK(count_gates(parse_qasm(numeric.out)).two_qubit <= 3);
  const auto stats = [&] { return nlohmann::json::parse(read_text_file(place.file("s.json"))); };
  CHECK(stats().at("numeric") == true);
  const Run exact = place.optimize(
      {"--stats", place.file("s.json"), "--cost", "two-qubit", "--exactness", "exact"});
  REQUIRE(exact.code == 0);
  CHECK_THAT(exact.err, Contains("all exact"));
  CHECK(stats().at("numeric") == false);
  CHECK(count_gates(parse_qasm(exact.out)).two_qubit > 3);
}

TEST_CASE("a gate whose angles need too many digits in the gate set is shown with its place",
          "[opt]") {
  const FolderWithRules place;
  write_text_file(place.file("wide.qasm"),
                  "OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit q;\n"
                  "p(pi/9223372036854775783) q;\nh q;\np(pi/9223372036854775643) q;\n");
  const Run result = run(opt_command(), {place.file("wide.qasm"), "-g", "nam", "--search", "fold"});
  CHECK(result.code == 3);
  CHECK_THAT(result.err,
             Contains(place.file("wide.qasm") + ":4:1: p(pi/9223372036854775783): its angles"));
}

TEST_CASE("quartz-opt warns of weights that are too small beside others", "[opt]") {
  const FolderWithRules place;
  const auto warnings = [&](const std::string& small) {
    write_text_file(place.file("w.json"),
                    R"({"format": "quartz-cost", "version": 1, "name": "far", "default": )" +
                        small + R"(, "gates": [{"gate": "cx", "qubits": [0, 2], "weight": 1e9}]})");
    return place.optimize({"--cost", place.file("w.json")}).err;
  };
  CHECK_THAT(warnings("1e-9"),
             Contains("warning: the weights 'far': 1e-09 counts as 1e-04, because "
                      "another weight is so much greater"));
  CHECK_THAT(warnings("0.001"), !Contains("warning"));
}

TEST_CASE("quartz-opt accepts a list of costs with a file of weights", "[opt]") {
  const FolderWithRules place;
  write_text_file(place.file("w.json"),
                  R"({"format": "quartz-cost", "version": 1, "name": "mine", "default": 0.5,
                      "gates": [{"gate": "cx", "weight": 0.25},
                                {"gate": "cx", "weight": 8, "qubits": [1, 0]}]})");
  const Run result =
      place.optimize({"--cost", "t," + place.file("w.json"), "--stats", place.file("s.json")});
  INFO(result.err);
  REQUIRE(result.code == 0);
  CHECK_THAT(result.err, Contains("two-qubit") && Contains("depth") && Contains("mine"));
  const auto stats = nlohmann::json::parse(read_text_file(place.file("s.json")));
  CHECK(stats.at("cost") == "t,mine");
  const Circuit after = parse_qasm(result.out);
  double recount = 0;
  for (const Operation& operation : after.operations) {
    if (operation.kind != OperationKind::gate) continue;
    const bool dear = operation.qubits.size() == 2 && operation.qubits[0] == 1;
    recount += operation.gate != GateKind::cx ? 0.5 : dear ? 8 : 0.25;
  }
  CHECK(stats.at("after").at("cost") ==
        nlohmann::json{{"t", count_gates(after).t}, {"mine", recount}});
  CHECK(stats.at("after").at("cost").at("mine") <= stats.at("before").at("cost").at("mine"));
  CHECK(stats.at("after").at("total") == count_gates(after).total);
}

TEST_CASE("an input with a gate without a weight has no weighted sum, but its translation has one",
          "[opt]") {
  const FolderWithRules place;
  write_text_file(place.file("w.json"),
                  R"({"format": "quartz-cost", "version": 1, "name": "mine", "errors": true,
                      "gates": [{"gate": "cx", "error_rate": 1e-2}, {"gate": "h", "error_rate": 0},
                                {"gate": "x", "error_rate": 0}, {"gate": "rz", "error_rate": 0}]})");
  const Run result =
      place.optimize({"--cost", place.file("w.json"), "--stats", place.file("s.json")});
  INFO(result.err);
  REQUIRE(result.code == 0);
  const auto stats = nlohmann::json::parse(read_text_file(place.file("s.json")));
  CHECK(stats.at("input").at("cost").at("mine").is_null());
  CHECK(stats.at("before").at("cost").at("mine").get<double>() == Approx(-3 * std::log(0.99)));
  CHECK(stats.at("after").at("cost").at("mine").get<double>() <= -3 * std::log(0.99) + 1e-9);
}

TEST_CASE("quartz-opt uses the rules that come with the gate set, or generates and caches them",
          "[opt]") {
  const FolderWithRules place;
  const auto rule_sets_cached_for = [&](const std::string& set) {
    const Run result = run(opt_command(), {place.input(), "--gate-set", set, "--time", "10ms"});
    INFO(result.err);
    CHECK(result.code == 0);
    std::size_t cached = 0;
    if (!fs::exists(place.file("quartz"))) return cached;
    for (const auto& entry : fs::directory_iterator(place.file("quartz"))) {
      cached += entry.path().extension() == ".json" ? 1 : 0;
    }
    return cached;
  };
  CHECK(rule_sets_cached_for("nam") == 0);
  // A set with the same name and gates but another alphabet has other rules.
  std::string text = read_text_file(QUARTZ_SOURCE_DIR "/gatesets/nam.json");
  const std::string expressions = R"("p0", "p1", "2*p0", "p0+p1", "2*p1")";
  REQUIRE(text.find(expressions) != std::string::npos);
  text.replace(text.find(expressions), expressions.size(), R"("p0", "p1", "p0+p1")");
  write_text_file(place.file("nam.json"), text);
  CHECK(rule_sets_cached_for(place.file("nam.json")) == 1);
  CHECK(rule_sets_cached_for(place.file("nam.json")) == 1);
}

namespace {

/// Two-qubit blocks that are resynthesized in double precision: the result is not a rearrangement
/// of the input's rotations, so no fast method decides their equality.
std::string hard_to_check() {
  std::string text = "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[8];\n";
  const auto add = [&text](const std::string& gate, int first, int second = -1) {
    text += gate + " q[" + std::to_string(first) + "]";
    if (second >= 0) text += ",q[" + std::to_string(second) + "]";
    text += ";\n";
  };
  for (int a = 0; a < 7; ++a) {
    const int b = a + 1;
    for (const char* angle : {"0.3", "1.1", "0.7", "0.2"}) {
      const std::string z = std::string("rz(") + angle + ")";
      add("cx", a, b);
      add(z, b);
      add("cx", a, b);
      add("h", b);
      add(z, b);
      add("cx", b, a);
      add(z, a);
      add("h", a);
    }
  }
  return text;
}

}  // namespace

TEST_CASE("a result that could not be verified has a separate exit code", "[opt]") {
  const FolderWithRules place;
  write_text_file(place.input(), hard_to_check());
  const std::string output = place.file("out.qasm");
  const auto optimize = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{place.input(),
                                       "-g",
                                       "nam",
                                       "--cost",
                                       "two-qubit",
                                       "--search",
                                       "anneal",
                                       "--steps",
                                       "100",
                                       "--threads",
                                       "1",
                                       "--output",
                                       output,
                                       "--check-time",
                                       "0s",
                                       "--stats",
                                       place.file("s.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    fs::remove(output);
    return run(opt_command(), arguments);
  };
  const auto stats = [&] { return nlohmann::json::parse(read_text_file(place.file("s.json"))); };

  const Run written = optimize({});
  INFO(written.err);
  CHECK(written.code == 12);
  CHECK(fs::exists(output));
  CHECK_THAT(written.err, Contains("checked  undecided: ") &&
                              Contains("\nquartz-opt: warning: " + output +
                                       " was written, but could not be verified: undecided: "));
  CHECK(stats().at("verified") == false);
  CHECK(stats().at("written") == true);
  CHECK_THAT(stats().at("checked").get<std::string>(), StartsWith("undecided: "));

  const Run quiet = optimize({"--quiet"});
  CHECK(quiet.code == 12);
  CHECK_THAT(quiet.err, StartsWith("quartz-opt: warning: "));
  CHECK(std::count(quiet.err.begin(), quiet.err.end(), '\n') == 1);

  const Run required = optimize({"--require-checked", "--quiet"});
  CHECK(required.code == 12);
  CHECK_FALSE(fs::exists(output));
  CHECK_THAT(required.err, StartsWith("quartz-opt: error: " + output +
                                      " was not written, because "
                                      "the result could not be verified (--require-checked): "));
  CHECK(stats().at("verified") == false);
  CHECK(stats().at("written") == false);

  const Run chosen = optimize({"--no-check", "--quiet"});
  CHECK(chosen.code == 0);
  CHECK(chosen.err.empty());
  CHECK(fs::exists(output));
  CHECK(stats().at("verified").is_null());

  CHECK(optimize({"--no-check", "--require-checked"}).code == 2);
}

TEST_CASE("barriers of the input stay or are ignored", "[opt]") {
  const FolderWithRules place;
  write_text_file(place.input(),
                  "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[2];\ncreg c[1];\n"
                  "h q[0];\nbarrier q;\nh q[0];\ncx q[0],q[1];\nbarrier q[0];\n"
                  "cx q[0],q[1];\nmeasure q[1] -> c[0];\n");
  const std::string journal = place.file("out.qj");
  const auto gates_with = [&](const std::string& barriers) {
    const Run done = place.optimize(
        {"--output", place.file("out.qasm"), "--barriers", barriers, "--journal", journal});
    CHECK(done.code == 0);
    CHECK(run(check_command(),
              {place.input(), place.file("out.qasm"), "--barriers", barriers, "--journal", journal})
              .code == 0);
    const Circuit result = read_qasm_file(place.file("out.qasm"));
    std::size_t gates = 0;
    for (const Operation& operation : result.operations) {
      const bool is_barrier = operation.kind == OperationKind::barrier;
      CHECK_FALSE((is_barrier && barriers == "ignore"));
      if (operation.kind == OperationKind::gate) ++gates;
    }
    return gates;
  };
  CHECK(gates_with("keep") == 4);
  CHECK(gates_with("ignore") == 0);
  // Barriers have no effect on the states that are compared.
  CHECK(run(check_command(), {place.input(), place.file("out.qasm")}).code == 0);
  // The journal begins with the circuit without barriers.
  CHECK(run(check_command(), {place.input(), place.file("out.qasm"), "--journal", journal}).code !=
        0);
  CHECK(place.optimize({"--barriers", "perhaps"}).code == 2);
}

TEST_CASE("a complete program starts in |0> and ends in its measurements", "[opt]") {
  const FolderWithRules place;
  write_text_file(place.input(),
                  "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[3];\ncreg c[1];\n"
                  "cx q[0],q[1];\nh q[1];\nccx q[0],q[1],q[2];\ncx q[1],q[2];\nt q[1];\n"
                  "measure q[1] -> c[0];\n");
  const std::string output = place.file("out.qasm");
  const std::string journal = place.file("out.qj");
  const auto gates_with = [&](const std::vector<std::string>& edges) {
    std::vector<std::string> options{"--output", output, "--journal", journal};
    options.insert(options.end(), edges.begin(), edges.end());
    const Run done = place.optimize(options);
    CHECK(done.code == 0);
    for (const std::vector<std::string>& more :
         {std::vector<std::string>(), {"--journal", journal}}) {
      std::vector<std::string> arguments{place.input(), output};
      arguments.insert(arguments.end(), edges.begin(), edges.end());
      arguments.insert(arguments.end(), more.begin(), more.end());
      CHECK(run(check_command(), arguments).code == 0);
    }
    const Circuit result = read_qasm_file(output);
    return std::ranges::count(result.operations, OperationKind::gate, &Operation::kind);
  };
  CHECK(gates_with({}) > 10);
  CHECK(gates_with({"--initial-state", "zero"}) == 3);
  // Without the assumption they are not equal.
  CHECK(run(check_command(), {place.input(), output}).code == 10);
  CHECK(gates_with({"--program"}) == 1);
  CHECK(run(check_command(), {place.input(), output, "--initial-state", "zero"}).code == 10);
  const Run verdict = run(check_command(), {place.input(), output, "--program"});
  CHECK_THAT(verdict.out,
             Contains("assumed: the qubits start in |0> and are discarded at the end"));
  // Without a measurement, nothing would be left.
  write_text_file(place.input(), "OPENQASM 2.0;\nqreg q[1];\nU(1,2,3) q[0];\n");
  CHECK(place.optimize({"--final-state", "discarded"}).code == 2);
  CHECK(place.optimize({"--program", "--output", output}).code == 0);
}

TEST_CASE("barriers keep an experiment whose outcome is known", "[opt]") {
  const FolderWithRules place;
  const std::string output = place.file("out.qasm");
  const std::string statistics = place.file("stats.json");
  const std::string round =
      "barrier q;\ncx q[0],q[2];\ncx q[1],q[2];\nmeasure q[2] -> c[0];\nreset q[2];\n";
  write_text_file(place.input(),
                  "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[3];\ncreg c[2];\n" + round +
                      round + "barrier q;\nmeasure q[0] -> c[1];\n");
  struct Outcome {
    std::ptrdiff_t gates = 0;
    nlohmann::json known_states;
    std::string summary;
  };
  const auto with = [&](std::vector<std::string> edges) {
    std::vector<std::string> options{"--output", output, "--stats", statistics};
    options.insert(options.end(), edges.begin(), edges.end());
    const Run done = place.optimize(options);
    CHECK(done.code == 0);
    edges.insert(edges.begin(), {place.input(), output});
    CHECK(run(check_command(), edges).code == 0);
    const Circuit result = read_qasm_file(output);
    return Outcome{std::ranges::count(result.operations, OperationKind::gate, &Operation::kind),
                   nlohmann::json::parse(read_text_file(statistics))["known_states"], done.err};
  };
  for (const std::vector<std::string>& edges :
       std::vector<std::vector<std::string>>{{},
                                             {"--program"},
                                             {"--program", "--barriers", "keep"},
                                             {"--initial-state", "zero"},
                                             {"--final-state", "discarded"}}) {
    const Outcome kept = with(edges);
    CHECK(kept.gates == 4);
    CHECK(kept.known_states == nlohmann::json{{"gates_removed", 0}, {"gates_replaced", 0}});
    CHECK_THAT(kept.summary, !Contains("states "));
  }
  const Outcome ignored = with({"--program", "--barriers", "ignore"});
  CHECK(ignored.gates == 0);
  CHECK(ignored.known_states == nlohmann::json{{"gates_removed", 4}, {"gates_replaced", 0}});
  CHECK_THAT(ignored.summary,
             Contains("states   gates removed because of known states: 4, replaced: 0\n"));
}

TEST_CASE("qubits may end in another order, which the result states", "[opt]") {
  const FolderWithRules place;
  write_text_file(place.input(),
                  "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[3];\n"
                  "h q[0];\nswap q[0],q[1];\ncx q[1],q[2];\nswap q[1],q[2];\n");
  const std::string output = place.file("out.qasm");
  const std::string journal = place.file("out.qj");
  CHECK(place.optimize({"--output", output, "--permutation", "free", "--journal", journal}).code ==
        0);
  CHECK_THAT(read_text_file(output), StartsWith("// output permutation: [1, 2, 0]\n"));
  const auto check = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{place.input(), output};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(check_command(), arguments).code;
  };
  CHECK(check({"--permutation", "free"}) == 0);
  CHECK(check({"--permutation", "free", "--journal", journal}) == 0);
  CHECK(check({}) == 10);
  // Another permutation than that of the journal.
  write_text_file(output, "// output permutation: [0, 2, 1]\n" + read_text_file(output));
  CHECK(check({"--permutation", "free"}) == 10);
  CHECK(check({"--permutation", "free", "--journal", journal}) == 11);
}

TEST_CASE("a result that is verified satisfies --require-checked", "[opt]") {
  const FolderWithRules place;
  const Run result =
      place.optimize({"--require-checked", "--output", place.file("out.qasm"), "--check-memory",
                      "1GiB", "--stats", place.file("s.json"), "--quiet"});
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  CHECK(fs::exists(place.file("out.qasm")));
  const auto stats = nlohmann::json::parse(read_text_file(place.file("s.json")));
  CHECK(stats.at("verified") == true);
  CHECK(stats.at("written") == true);
}

TEST_CASE("the summary contains the figures of the input if translation changed them", "[opt]") {
  const FolderWithRules place;
  write_text_file(place.input(),
                  "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[3];\nccx q[0],q[1],q[2];\n");
  const Run translated = place.simplify({"--output", "-"});
  INFO(translated.err);
  REQUIRE(translated.code == 0);
  CHECK_THAT(translated.err, StartsWith("no cheaper circuit found: 15 gates, proved equal\n"
                                        "gates      input  translated  after  change\n"
                                        "total          1          15     15    0.0%\n"
                                        "two-qubit      1           6      6    0.0%\n"));
  CHECK_THAT(translated.err, !Contains("grew"));
  write_text_file(place.input(),
                  "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[1];\nh q[0];\nh q[0];\n");
  const Run kept = place.simplify({"--output", "-"});
  CHECK_THAT(kept.err, StartsWith("no cheaper circuit found: 2 gates, proved equal\n"
                                  "gates      before  after  change\n"));
}

TEST_CASE("without --cost the cost of the gate set is minimized", "[opt]") {
  const FolderWithRules place;
  const auto cost_for = [&](const std::string& set, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{
        place.input(), "-g", set,       "-o",      "-",
        "--time",      "0s", "--quiet", "--stats", place.file("s.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Run result = run(opt_command(), arguments);
    INFO(result.err);
    REQUIRE(result.code == 0);
    return nlohmann::json::parse(read_text_file(place.file("s.json")))
        .at("cost")
        .get<std::string>();
  };
  CHECK(cost_for("nam") == "total");
  CHECK(cost_for("clifford_t") == "t,two-qubit,total");
  CHECK(cost_for("ibm_heron") == "two-qubit,two-qubit-depth,total");
  CHECK(cost_for("ibm_heron", {"--cost", "depth"}) == "depth");
}

TEST_CASE("a table of error rates in the format of a backend is read", "[opt]") {
  const FolderWithRules place;
  // The cz on 0 and 1 is broken, but the gates on that pair cancel; both directions are listed.
  write_text_file(place.file("backend.json"),
                  R"({"format": "quartz-cost", "version": 1, "name": "backend", "errors": true,
                      "gates": [{"gate": "rz", "error_rate": 0}, {"gate": "sx", "error_rate": 1e-4},
                                {"gate": "x", "error_rate": 1e-4}, {"gate": "cz", "error_rate": 0.01},
                                {"gate": "cz", "error_rate": 1.0, "qubits": [0, 1]},
                                {"gate": "cz", "error_rate": 1.0, "qubits": [1, 0]},
                                {"gate": "cz", "error_rate": 0.003, "qubits": [1, 2]},
                                {"gate": "cz", "error_rate": 0.003, "qubits": [2, 1]}]})");
  write_text_file(place.input(),
                  "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[3];\ncx q[0],q[1];\n"
                  "cx q[1],q[2];\ncz q[0],q[1];\nt q[1];\ncz q[1],q[0];\ncx q[0],q[1];\n");
  const Run result =
      run(opt_command(), {place.input(), "-g", "ibm_heron", "-o", "-", "--cost",
                          place.file("backend.json"), "--search", "anneal", "--steps", "50000",
                          "--threads", "1", "--stats", place.file("s.json")});
  INFO(result.err);
  REQUIRE(result.code == 0);
  const auto stats = nlohmann::json::parse(read_text_file(place.file("s.json")));
  const double before = stats.at("before").at("cost").at("backend");
  const double after = stats.at("after").at("cost").at("backend");
  CHECK(before > 4 * 37);
  CHECK(after < 2 * 37 + 1);
  CHECK(stats.at("verified") == true);
}

TEST_CASE("a stop while files are read causes exit code 4, and nothing is written", "[opt]") {
  const FolderWithRules place;
  std::stop_source source;
  source.request_stop();
  const Run result = place.optimize({"--output", place.file("out.qasm")}, source.get_token());
  CHECK(result.code == 4);
  CHECK_THAT(result.err, Catch::StartsWith("quartz-opt: error: stopped while reading"));
  CHECK_FALSE(std::filesystem::exists(place.file("out.qasm")));
}

TEST_CASE("quartz-opt reports an error in one line, and exits with the right code", "[opt]") {
  const FolderWithRules place;
  write_text_file(place.file("broken.qasm"), "OPENQASM 2.0;\nqreg q[1];\nfoo q[0];\n");
  std::string edited = read_text_file(place.rules());
  edited.replace(edited.find("\"h\""), 3, "\"x\"");
  write_text_file(place.file("edited.json"), edited);
  write_text_file(place.file("truncated.json"), edited.substr(0, edited.size() / 2));
  write_text_file(place.file("cost.json"),
                  R"({"format": "quartz-cost", "version": 1, "name": "c", "gates": []})");
  write_text_file(place.file("bad.json"), "{\n  \"format\" \"quartz-cost\"\n}");
  const std::string output = place.file("out.qasm");
  struct Case {
    std::vector<std::string> arguments;
    int code;
    std::string message;
  };
  const std::string in = place.input();
  for (const Case& c : {
           Case{{}, 2, "input is required"},
           Case{{in}, 2, "--gate-set is required"},
           Case{{in, "-g", "nam", "--cost", "beauty"}, 2, "unknown cost 'beauty'; known costs: "},
           Case{{in, "-g", "nam", "--cost", "two-qbit"}, 2, "(did you mean 'two-qubit'?); known"},
           Case{{in, "-g", "nam", "--search", "aneal"}, 2, "(did you mean 'anneal'?); known"},
           Case{{in, "-g", "nam", "--exactness", "exakt"}, 2, "(did you mean 'exact'?)"},
           Case{{in, "-g", "clifordt"}, 2, "(did you mean 'clifford_t'?); bundled gate sets: "},
           Case{{in, "-g", "nam", "--tme", "1s"}, 2, "--tme (did you mean '--time'?) (see --help)"},
           Case{{in, "-g", "nam", "--ouput=x"}, 2, "(did you mean '--output'?) (see --help)"},
           Case{{in, "-g", "nam", "--memory", "4"},
                2,
                "--memory: 4 bytes is less than any run needs; did you mean 4GiB?"},
           Case{{in, "-g", "nam", "--memory", "100MiB"},
                2,
                "--memory is 100 MiB, expected at least 128 MiB"},
           Case{{in, "-g", "nam", "--cost", "t,t"}, 2, "the cost 't' is given twice"},
           Case{{in, "-g", "nam", "--cost", "t,"}, 2, "is empty"},
           Case{{in, "-g", "nam", "--cost", place.file("none.json")}, 3, "none.json: cannot read"},
           Case{{in, "-g", "nam", "--cost", place.file("cost.json")}, 3, "no weight for h"},
           Case{{in, "-g", "nam", "--cost", place.file("bad.json")}, 3, "bad.json:2:24"},
           Case{{in, "-g", "nam", "--exactness", "roughly"}, 2, "unknown exactness 'roughly'"},
           Case{{in, "-g", "nam", "--time", "soon"}, 2, "soon"},
           Case{{in, "-g", "nam", "--time", "-1s"}, 2, "-1s"},
           Case{{in, "-g", "nam", "--steps", "0"}, 2, "the number of steps is at least 1"},
           Case{{in, "-g", "ionq_forte", "--search", "anneal", "--steps", "100"},
                2,
                "too many different angles for a class table"},
           Case{{in, "-g", "nam", "--frobnicate"}, 2, "--frobnicate"},
           Case{{in, "-g", "nope"}, 2, "nope"},
           Case{{place.file("none.qasm"), "-g", "nam"}, 3, "none.qasm: cannot read"},
           Case{{place.file("broken.qasm"), "-g", "nam"}, 3, "broken.qasm:3:1"},
           Case{{in, "-g", "nam", "--rules", place.file("none.json")}, 3, "none.json"},
           Case{{in, "-g", "nam", "--rules", place.file("edited.json")}, 3, "edited"},
           Case{{in, "-g", "nam", "--rules", place.file("truncated.json")}, 3, "truncated"},
           Case{{in, "-g", "ibm", "--rules", place.rules()}, 3, "nam"},
           Case{{in, "-g", "nam", "-o", place.file("no/such/folder/out.qasm")}, 3, "cannot write"},
           Case{{in, "-g", "nam", "--coupling", place.file("none.json")},
                3,
                "none.json: cannot read"},
           Case{{in, "-g", "nam", "--coupling", place.file("cost.json")}, 3, "cost.json:1:"},
           Case{{in, "-g", "nam", "--stats", place.file("no/such/s.json")}, 3, "cannot write"},
       }) {
    std::vector<std::string> arguments = c.arguments;
    if (std::find(arguments.begin(), arguments.end(), "-o") == arguments.end()) {
      arguments.insert(arguments.end(), {"-o", output});
    }
    const Run result = run(opt_command(), arguments);
    INFO(c.message << " in: " << result.err);
    CHECK(result.code == c.code);
    CHECK_THAT(result.err, StartsWith("quartz-opt: error: ") && Contains(c.message));
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    CHECK(result.out.empty());
    CHECK_FALSE(fs::exists(output));
  }
}

TEST_CASE("a gate outside the set is reported with its place and with sets that have it", "[opt]") {
  const FolderWithRules place;
  const auto error_for = [&](const std::string& program) {
    write_text_file(place.input(), program);
    const Run result =
        run(opt_command(), {place.input(), "-g", "clifford_t", "-o", place.file("out.qasm")});
    CHECK(result.code == 3);
    CHECK_FALSE(fs::exists(place.file("out.qasm")));
    return result.err;
  };
  const std::string head = "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[2];\n";
  CHECK_THAT(
      error_for(head + "h q[0]; rz(0.3) q[0];\n"),
      StartsWith("quartz-opt: error: " + place.input() +
                 ":4:9: rz(0.3) cannot be expressed exactly in the gate set 'clifford_t' (") &&
          Contains("); gate sets that can express it: ") && Contains("ibm_heron, ") &&
          EndsWith("; with an epsilon above 0, rotations are approximated\n"));
  // Within a gate definition, the place is that of the call.
  CHECK_THAT(error_for(head + "gate mine a { h a; rz(0.3) a; }\nx q[0];\n  mine q[1];\n"),
             StartsWith("quartz-opt: error: " + place.input() + ":6:3: rz(0.3)"));
}

TEST_CASE("the summary and the statistics say how many rotations were approximated", "[opt]") {
  const FolderWithRules place;
  const std::string statistics = place.file("stats.json");
  write_text_file(place.input(),
                  "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[2];\nrz(0.3) q[0];\nh q[0];\n"
                  "rz(0.2) q[0];\nrz(0.1) q[0];\ncx q[0],q[1];\nrz(pi/4) q[1];\n");
  const Run done =
      run(opt_command(), {place.input(), "-g", "clifford_t", "--time", "0s", "--epsilon", "1e-3",
                          "--output", place.file("out.qasm"), "--stats", statistics});
  CHECK(done.code == 0);
  CHECK_THAT(done.err, Contains("rewrites 2 rotations approximated, in all within 0.001"));
  CHECK(nlohmann::json::parse(read_text_file(statistics))["approximated_rotations"] == 2);
}

TEST_CASE("one rotation is not several, and a long global phase is rounded", "[opt]") {
  const FolderWithRules place;
  const std::string statistics = place.file("stats.json");
  write_text_file(place.input(),
                  "OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[1] q;\n"
                  "gphase(0.123456789012345678901234567890123456789012345678901234567890);\n"
                  "rz(0.3) q[0];\n");
  const Run done =
      run(opt_command(), {place.input(), "-g", "clifford_t", "--time", "0s", "--epsilon", "1e-2",
                          "--output", place.file("out.qasm"), "--stats", statistics});
  REQUIRE(done.code == 0);
  CHECK_THAT(done.err, Contains("rewrites 1 rotation approximated, in all within 0.01"));
  const std::size_t phase = done.err.find("\nphase    ");
  REQUIRE(phase != std::string::npos);
  CHECK(done.err.find('\n', phase + 1) - phase < 40);
  CHECK_THAT(done.err.substr(phase), StartsWith("\nphase    about "));
  const auto whole = nlohmann::json::parse(read_text_file(statistics)).at("global_phase");
  CHECK(whole.get<std::string>().size() > 48);
}

TEST_CASE("the summary says how long the run took, and how much of that the search", "[opt]") {
  const FolderWithRules place;
  const Run done = place.simplify({"--output", "-"});
  const std::size_t line = done.err.find("\ntime     ");
  REQUIRE(line != std::string::npos);
  double whole = 0;
  double search = 0;
  REQUIRE(std::sscanf(done.err.c_str() + line, "\ntime %lf s, %lf s of it in the search, stopped",
                      &whole, &search) == 2);
  CHECK(whole >= search);
}

TEST_CASE("the T depth, qubits and measurements are figures where they matter", "[opt]") {
  const FolderWithRules place;
  const std::string statistics = place.file("stats.json");
  write_text_file(place.input(),
                  "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[3];\nccx q[0],q[1],q[2];\n");
  const auto optimized = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{place.input(),          "--threads", "1",       "--output",
                                       place.file("out.qasm"), "--stats",   statistics};
    arguments.insert(arguments.end(), more.begin(), more.end());
    Run done = run(opt_command(), arguments);
    INFO(done.err);
    REQUIRE(done.code == 0);
    return done;
  };
  const Run with = optimized({"-g", "clifford_t", "--ancillas", "1", "--steps", "20000"});
  const auto figures = nlohmann::json::parse(read_text_file(statistics));
  CHECK(figures.at("before").at("t_depth") > 0);
  CHECK(figures.at("after").at("t_depth") > 0);
  CHECK(figures.at("before").at("qubits") == 3);
  CHECK(figures.at("after").at("qubits") == 4);
  CHECK(figures.at("before").at("measurements") == 0);
  CHECK(figures.at("after").at("measurements") == 1);
  CHECK_THAT(with.err, Contains("\nt-depth  ") && Contains("\nqubits  ") &&
                           Contains("\nmeasurements ") && !Contains("qubits grew") &&
                           !Contains("measurements grew"));
  CHECK_THAT(with.err, Contains("ancillas 1, for 0 measured Hadamard gadgets and 1 Toffoli gate;"));

  const Run without = optimized({"-g", "nam", "--time", "0s", "--explain"});
  CHECK_THAT(without.err, !Contains("\nt-depth  ") && !Contains("\nmeasurements   0  "));
  CHECK_THAT(without.err, Contains("\nsizes         input  translated  result\n"
                                   "qubits            3           3       3\n"
                                   "measurements      0           0       0\n"));
}

TEST_CASE("quartz-opt --help names every option, cost and gate set", "[opt]") {
  const Run result = run(opt_command(), {"--help"});
  CHECK(result.code == 0);
  for (const char* word : {"--output",
                           "--gate-set",
                           "--rules",
                           "--table",
                           "--table-memory",
                           "--emit-rules",
                           "--cost",
                           "--time",
                           "--search",
                           "--steps",
                           "--exactness",
                           "anneal",
                           "--threads",
                           "--seed",
                           "--stats",
                           "--qasm",
                           "--explain",
                           "two-qubit",
                           "depth",
                           "JSON",
                           "ibm_heron",
                           "clifford_t",
                           "--require-checked",
                           "--check-time",
                           "--check-memory",
                           "--no-check",
                           "SIGHUP",
                           "t,two-qubit,total"}) {
    CHECK_THAT(result.out, Contains(word));
  }
}
