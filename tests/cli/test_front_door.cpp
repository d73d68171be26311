#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/check/check_command.hpp"
#include "cli/command_run.hpp"
#include "cli/gen/gen_command.hpp"
#include "cli/opt/opt_command.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/files.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/qasm/qasm.hpp"

using namespace quartz;
using namespace quartz::cli;
using namespace quartz::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

// These tests run from file to file, with free parameters, global phases, optimization boundaries,
// and both versions of OpenQASM.

namespace {

const std::string version_3 = "OPENQASM 3.0;\ninclude \"stdgates.inc\";\n";

class FrontDoor {
 public:
  FrontDoor() : cache_("XDG_CACHE_HOME", folder_.path().string()) {
    REQUIRE(run(gen_command(), {"--gate-set", "nam", "--gates", "2", "--qubits", "2", "--output",
                                file("rules.json"), "--quiet"})
                .code == 0);
  }
  [[nodiscard]] std::string file(const char* name) const { return (folder_ / name).string(); }

  /// Runs quartz-opt on the program until the search is exhausted; the result is in out.qasm.
  [[nodiscard]] Run optimize(const std::string& program,
                             const std::vector<std::string>& more = {}) const {
    write_text_file(file("in.qasm"), program);
    std::vector<std::string> arguments{
        file("in.qasm"), "-g", "nam",      "--rules",   file("rules.json"), "--time",        "60s",
        "--threads",     "1",  "--search", "backtrack", "--output",         file("out.qasm")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(opt_command(), arguments);
  }
  [[nodiscard]] std::string output() const { return read_text_file(file("out.qasm")); }

 private:
  Folder folder_;
  EnvironmentVariable cache_;
};

}  // namespace

TEST_CASE("free parameters merge, cancel and stay, once for all values", "[front door]") {
  const FrontDoor door;
  struct Case {
    std::string program;
    std::string result;  ///< the result after the declarations
  };
  const std::string inputs = "input float[64] theta;\ninput float[64] phi;\n";
  const std::string qubits = "qubit[2] q;\n";
  for (const Case& c : {
           Case{"rz(theta) q[0]; rz(1.0) q[0];", "rz(theta+1) q[0];\n"},
           Case{"rz(theta) q[0]; cx q[0],q[1]; rz(-theta) q[0]; cx q[0],q[1];", ""},
           Case{"rz(pi/2) q[0]; rz(theta) q[0]; rz(pi/2) q[0]; rz(phi) q[0]; rz(theta) q[0];",
                "rz(phi+2*theta+pi) q[0];\n"},
           Case{"cx q[0],q[1]; rz(theta/3) q[1]; cx q[0],q[1]; x q[0]; cx q[0],q[1]; rz(theta/3) "
                "q[1]; cx q[0],q[1]; x q[0];",
                ""},
           Case{"ctrl @ gphase(theta) q[0]; p(-theta) q[0];", ""},
       }) {
    INFO(c.program);
    const Run result = door.optimize(version_3 + inputs + qubits + c.program);
    INFO(result.err);
    REQUIRE(result.code == 0);
    CHECK(door.output() == version_3 + inputs + qubits + c.result);
    CHECK_THAT(result.err, Contains("checked  equal (") && Contains("all exact"));
    const Run check = run(check_command(), {door.file("in.qasm"), door.file("out.qasm")});
    CHECK(check.code == 0);
    CHECK_THAT(check.out, StartsWith("equal\n"));
  }
}

TEST_CASE("short decimals do not drift if blocks are resynthesized", "[front door]") {
  const FrontDoor door;
  const std::string start = version_3 + "qubit[2] q;\n";
  const Run result = door.optimize(
      start + "rz(0.5) q[1]; cx q[0],q[1]; cx q[0],q[1]; rz(0.25) q[1]; h q[1]; rz(0.1) q[1];");
  REQUIRE(result.code == 0);
  CHECK(door.output() == start + "rz(0.75) q[1];\nh q[1];\nrz(0.1) q[1];\n");
}

TEST_CASE("a global phase that depends on a parameter is kept exactly", "[front door]") {
  const FrontDoor door;
  // The gate p(theta) is e^{i theta/2} rz(theta).
  const Run result =
      door.optimize(version_3 + "input angle theta;\nqubit q;\ngphase(pi/4);\np(theta) q;\n");
  INFO(result.err);
  REQUIRE(result.code == 0);
  CHECK(door.output() == version_3 +
                             "input angle theta;\nqubit[1] q;\ngphase(theta/2+pi/4);\n"
                             "rz(theta) q[0];\n");
  // A different phase is detected.
  write_text_file(door.file("other.qasm"),
                  version_3 + "input angle theta;\nqubit q;\ngphase(theta/2);\nrz(theta) q;\n");
  const Run check = run(check_command(), {door.file("in.qasm"), door.file("other.qasm")});
  CHECK_THAT(check.out, StartsWith("equal up to global phase\n"));
}

TEST_CASE("measurements, delays and conditions stay, gates between and inside them are optimized",
          "[front door]") {
  const FrontDoor door;
  const Run result = door.optimize(
      version_3 +
      "qubit[2] q;\nbit[2] c;\nh q[0];\nx q[1];\nx q[1];\nc[0] = measure q[0];\nh q[0];\n"
      "if (c[0]) {\n  rz(pi/8) q[1];\n  cx q[0],q[1];\n  cx q[0],q[1];\n  rz(pi/16) q[1];\n} else "
      "{\n"
      "  h q[1];\n  h q[1];\n}\ndelay[10us] q[1];\nrz(0.25) q[1];\n");
  INFO(result.err);
  REQUIRE(result.code == 0);
  CHECK(door.output() ==
        version_3 +
            "qubit[2] q;\nbit[2] c;\nh q[0];\nc[0] = measure q[0];\nh q[0];\n"
            "if (c[0]) { rz(3*pi/16) q[1]; }\ndelay[10us] q[1];\nrz(0.25) q[1];\n");
  CHECK_THAT(result.err, Contains("checked  equal"));
}

TEST_CASE("the result is written in the version of the input, or the requested one",
          "[front door]") {
  const FrontDoor door;
  const std::string second =
      "// mine\nOPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[1];\ncreg c[1];\nt q[0];\nmeasure "
      "q[0] -> c[0];\n";
  REQUIRE(door.optimize(second).code == 0);
  CHECK(door.output() ==
        "// mine\nOPENQASM 2.0;\ninclude \"qelib1.inc\";\n// global phase: pi/8\nqreg q[1];\ncreg "
        "c[1];\nrz(pi/4) q[0];\nmeasure q[0] -> c[0];\n");
  REQUIRE(door.optimize(second, {"--qasm", "3"}).code == 0);
  const std::string third = "// mine\n" + version_3 +
                            "qubit[1] q;\nbit[1] c;\ngphase(pi/8);\nrz(pi/4) q[0];\nc[0] = measure "
                            "q[0];\n";
  CHECK(door.output() == third);
  REQUIRE(door.optimize(third, {"--qasm", "2"}).code == 0);
  CHECK_THAT(door.output(), StartsWith("// mine\nOPENQASM 2.0;"));
}

TEST_CASE("what the other version cannot express is an error before the search", "[front door]") {
  const FrontDoor door;
  struct Case {
    std::string program;
    std::string version;
    std::string message;
  };
  for (const Case& c : {
           Case{version_3 + "input float t; qubit q; rz(t) q;", "2", "free parameters"},
           Case{version_3 + "qubit q; delay[1ns] q;", "2", "delay[1ns]"},
           Case{version_3 + "qubit q; bit[2] c; if (c[0]) x q;", "2",
                "one bit of the register 'c'"},
           Case{"OPENQASM 2.0; qreg measure[1];", "3", "the name 'measure'"},
           Case{"OPENQASM 2.0; qreg q[1];", "4", "--qasm"},
       }) {
    const Run result = door.optimize(c.program, {"--qasm", c.version});
    INFO(result.err);
    CHECK(result.code == 2);
    CHECK_THAT(result.err, Contains(c.message));
    CHECK_FALSE(fs::exists(door.file("out.qasm")));
  }
}

TEST_CASE("quartz-opt --explain and --stats report the result", "[front door]") {
  const FrontDoor door;
  const Run result = door.optimize(
      version_3 +
          "qubit[2] q;\nbit[1] c;\nt q[0];\nt q[0];\nswap q[0],q[1];\nh q[0];\nh q[0];\n"
          "barrier q;\nc[0] = measure q[0];\nif (c == 1) { x q[1]; }\n",
      {"--explain", "--stats", door.file("s.json")});
  INFO(result.err);
  REQUIRE(result.code == 0);
  for (const char* line : {"gates by kind", "never crossed", "barrier", "simplify: rotations",
                           "backtrack: backtracking", "stage", "translate"}) {
    CHECK_THAT(result.err, Contains(line));
  }
  const auto stats = nlohmann::json::parse(read_text_file(door.file("s.json")));
  CHECK(stats.at("input").at("gates") == nlohmann::json{{"h", 2}, {"swap", 1}, {"t", 2}, {"x", 1}});
  CHECK(stats.at("before").at("gates") == nlohmann::json{{"cx", 3}, {"h", 2}, {"rz", 2}, {"x", 1}});
  CHECK(stats.at("after").at("gates") == nlohmann::json{{"cx", 3}, {"rz", 1}, {"x", 1}});
  CHECK(stats.at("boundaries") ==
        nlohmann::json{{"barrier", 1}, {"conditional gate", 1}, {"measure", 1}});
  std::int64_t removed = 0;
  for (const auto& pass : stats.at("passes")) {
    CHECK(pass.at("runs_that_paid") <= pass.at("runs"));
    CHECK(pass.at("processor_seconds") >= 0.0);
    removed += pass.at("gates_removed").get<std::int64_t>();
  }
  CHECK(removed == 3);
  CHECK(stats.at("products").is_null());
  for (const char* stage : {"read", "translate", "rules", "search", "check", "write"}) {
    CHECK(stats.at("stage_seconds").contains(stage));
  }
}

TEST_CASE("quartz-opt --explain and --stats report the size of the journal", "[front door]") {
  const FrontDoor door;
  const std::string program = version_3 + "qubit[2] q;\nh q[0];\nh q[0];\ncx q[0],q[1];\n";
  const auto stats = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"--explain", "--stats", door.file("s.json")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Run result = door.optimize(program, arguments);
    INFO(result.err);
    REQUIRE(result.code == 0);
    auto read = nlohmann::json::parse(read_text_file(door.file("s.json")));
    read["explanation"] = result.err;
    return read;
  };
  SECTION("with --journal") {
    const auto with = stats({"--journal", door.file("j.qj")});
    const auto& journal = with.at("journal");
    const auto rewrites = journal.at("rewrites").get<std::uint64_t>();
    const auto bytes = journal.at("bytes").get<std::uint64_t>();
    CHECK(rewrites > 0);
    CHECK(bytes == fs::file_size(door.file("j.qj")));
    CHECK(journal.at("bytes_per_rewrite").get<double>() ==
          Approx(static_cast<double>(bytes) / static_cast<double>(rewrites)));
    CHECK(with.at("stage_seconds").contains("journal"));
    CHECK_THAT(with.at("explanation").get<std::string>(),
               Contains("journal: " + counted(rewrites, "rewrite") + " in " +
                        counted(bytes, "byte") + ", "));
    const Run check = run(check_command(), {door.file("in.qasm"), door.file("out.qasm"),
                                            "--journal", door.file("j.qj")});
    CHECK(check.code == 0);
  }
  SECTION("without --journal") {
    const auto without = stats({});
    CHECK(without.at("journal").is_null());
    CHECK_FALSE(without.at("stage_seconds").contains("journal"));
    CHECK_THAT(without.at("explanation").get<std::string>(), !Contains("journal"));
  }
}

TEST_CASE("quartz-opt --explain and --stats report the rules that led to the result",
          "[front door]") {
  const Folder folder;
  const std::string in = (folder / "in.qasm").string();
  const std::string figures = (folder / "s.json").string();
  write_text_file(in, version_3 + "qubit[3] q;\ncz q[0],q[1];\ncz q[0],q[2];\ncz q[0],q[1];\n");
  const Run result = run(opt_command(), {in, "-g", "ibm_heron", "--search", "backtrack",
                                         "--explain", "--stats", figures, "--threads", "1"});
  INFO(result.err);
  REQUIRE(result.code == 0);
  CHECK_THAT(result.err, Contains("rewrites that led to the result"));
  const auto stats = nlohmann::json::parse(read_text_file(figures));
  CHECK(stats.at("after").at("total") == 1);
  std::int64_t removed = 0;
  REQUIRE_FALSE(stats.at("rewrites").empty());
  for (const auto& rewrite : stats.at("rewrites")) {
    CHECK(rewrite.at("pass") == "backtrack");
    CHECK(rewrite.at("kind") == "rule");
    CHECK(rewrite.at("phase") == "0");
    CHECK(rewrite.at("uses") == 1);
    CHECK_THAT(rewrite.at("left").get<std::string>(), StartsWith("cz q"));
    removed += rewrite.at("gates_removed").get<std::int64_t>();
  }
  CHECK(removed == 2);
  // The rule that saved most comes first.
  CHECK(stats.at("rewrites").at(0).at("gates_removed") > 0);
  const auto& first = stats.at("rewrites").at(0);
  const auto right = first.at("right").get<std::string>();
  CHECK_THAT(result.err, Contains("backtrack: " + first.at("left").get<std::string>() + " -> " +
                                  (right.empty() ? "nothing" : right) + "\n"));
}

TEST_CASE("the gains of the rewrites and of everything else add up to the gates that were removed",
          "[front door]") {
  const FrontDoor door;
  std::string program = version_3 + "qubit[3] q;\n";
  for (int i = 0; i < 4; ++i) {
    program += "ccx q[0],q[1],q[2];\nt q[2];\nh q[1];\nccx q[1],q[2],q[0];\n";
  }
  write_text_file(door.file("in.qasm"), program);
  const Run result =
      run(opt_command(), {door.file("in.qasm"), "-g", "nam", "--rules", door.file("rules.json"),
                          "--steps", "20000", "--threads", "1", "--explain", "--stats",
                          door.file("s.json"), "--output", door.file("out.qasm")});
  INFO(result.err);
  REQUIRE(result.code == 0);
  const auto stats = nlohmann::json::parse(read_text_file(door.file("s.json")));
  const auto total = [&](const char* circuit) { return stats.at(circuit).at("total").get<int>(); };
  REQUIRE_FALSE(stats.at("rewrites").empty());
  const std::size_t table = result.err.find("rewrites that led to the result\n");
  REQUIRE(table != std::string::npos);
  std::istringstream lines(result.err.substr(result.err.find('\n', table) + 1));
  int sum = 0;
  bool has_total = false;
  for (std::string line; !has_total && std::getline(lines, line);) {
    std::istringstream words(line);
    std::vector<std::string> columns;
    for (std::string word; words >> word;) columns.push_back(word);
    has_total = columns.size() == 2 && columns[1] == "total";
    // The number of uses is missing in lines about everything else.
    const bool has_uses = columns.size() > 2 && columns[1] != "everything";
    const int gates = std::stoi(columns.at(has_uses ? 1 : 0));
    if (has_total) {
      CHECK(gates == sum);
    } else {
      sum += gates;
    }
  }
  CHECK(has_total);
  CHECK(sum == total("before") - total("after"));
}
