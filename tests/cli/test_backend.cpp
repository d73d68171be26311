#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/opt/opt_command.hpp"
#include "command_run.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/qasm/qasm.hpp"

using namespace quartz;
using namespace quartz::cli;
using namespace quartz::test;
using Catch::Matchers::Contains;

namespace {

/// A line of three qubits, with sx gates that are slow on the last one.
constexpr const char* kProperties = R"({"backend_name": "toy", "qubits": [[], [], []], "gates": [
{"gate": "rz", "qubits": [0], "parameters": [{"name": "gate_error", "value": 0},
  {"name": "gate_length", "unit": "ns", "value": 0}]},
{"gate": "sx", "qubits": [0], "parameters": [{"name": "gate_error", "value": 0.001},
  {"name": "gate_length", "unit": "ns", "value": 30}]},
{"gate": "sx", "qubits": [2], "parameters": [{"name": "gate_error", "value": 0.001},
  {"name": "gate_length", "unit": "ns", "value": 50}]},
{"gate": "x", "qubits": [0], "parameters": [{"name": "gate_error", "value": 0.001},
  {"name": "gate_length", "unit": "ns", "value": 30}]},
{"gate": "cz", "qubits": [0, 1], "parameters": [{"name": "gate_error", "value": 0.01},
  {"name": "gate_length", "unit": "ns", "value": 100}]},
{"gate": "cz", "qubits": [1, 2], "parameters": [{"name": "gate_error", "value": 0.02},
  {"name": "gate_length", "unit": "ns", "value": 200}]},
{"gate": "cz", "qubits": [0, 2], "parameters": [{"name": "gate_error", "value": 1},
  {"name": "gate_length", "unit": "ns", "value": 200}]}]})";

/// Six gates on the line, of which four equal a gate between its ends, and two cancel out.
constexpr const char* kProgram = R"(OPENQASM 2.0;
include "qelib1.inc";
qreg q[3];
creg c[1];
cx q[0],q[1];
cx q[1],q[2];
cx q[0],q[1];
cx q[1],q[2];
sx q[2];
sx q[2];
cz q[1],q[2];
cz q[1],q[2];
measure q[2] -> c[0];
)";

class FolderWithDevice {
 public:
  FolderWithDevice() {
    write_text_file(file("in.qasm"), kProgram);
    write_text_file(file("props.json"), kProperties);
  }
  [[nodiscard]] std::string file(const char* name) const { return (folder_ / name).string(); }

  /// Runs quartz-opt with the device's file.
  [[nodiscard]] Run optimize(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{
        file("in.qasm"), "--backend-json", file("props.json"), "-o", file("out.qasm"),
        "--steps",       "20000",          "--threads",        "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(opt_command(), arguments);
  }

 private:
  Folder folder_;
};

}  // namespace

TEST_CASE("quartz-opt takes gate set, pairs and costs from a device's file", "[opt]") {
  const FolderWithDevice place;
  CouplingMap line;
  line.add(0, 1);
  line.add(1, 2);
  for (const char* cost : {"two-qubit,error", "two-qubit,duration", "duration"}) {
    const Run result =
        place.optimize({"--cost", cost, "--stats", place.file("stats.json"), "--require-checked"});
    INFO(cost << ": " << result.err);
    REQUIRE(result.code == 0);
    CHECK_THAT(result.err,
               Contains("gate set ibm_heron, for toy, which has the gates cz, rz, sx, x\n") &&
                   Contains("checked  equal"));
    const auto stats = nlohmann::json::parse(read_text_file(place.file("stats.json")));
    CHECK(stats["gate_set"] == "ibm_heron");
    CHECK(stats["replay"]["coupling"] == true);
    CHECK(stats["after"]["two_qubit"] == 4);
    for (const auto& [name, value] : stats["after"]["cost"].items()) {
      CHECK(value.get<double>() < stats["before"]["cost"][name].get<double>());
    }
    const Circuit kept = read_qasm_file(place.file("out.qasm"));
    CHECK_FALSE(uncoupled_gate(kept, line));
  }
}

TEST_CASE("quartz-opt reads both files of a Qiskit backend, and repeats them in its report",
          "[opt]") {
  const FolderWithDevice place;
  write_text_file(place.file("conf.json"), R"({"backend_name": "toy", "n_qubits": 3,
    "basis_gates": ["id", "rz", "sx", "x", "cz"], "coupling_map": [[0, 1], [1, 2]]})");
  const Run result = place.optimize(
      {"--backend-json", place.file("conf.json"), "--report", place.file("report.html")});
  INFO(result.err);
  REQUIRE(result.code == 0);
  CHECK_THAT(result.err, Contains("gate set ibm_heron, for toy, which has the gates cz, id, rz"));
  CHECK_THAT(read_text_file(place.file("report.html")),
             Contains("--backend-json " + place.file("props.json") + " --backend-json " +
                      place.file("conf.json")));
}

TEST_CASE("The options of quartz-opt come before a device's file", "[opt]") {
  const FolderWithDevice place;
  write_text_file(
      place.file("map.json"),
      R"({"format": "quartz-coupling", "version": 1, "pairs": [[0, 1], [1, 2], [0, 2]]})");
  const Run result = place.optimize({"-g", "nam", "--coupling", place.file("map.json"), "--quiet"});
  INFO(result.err);
  REQUIRE(result.code == 0);
  CHECK(result.err.empty());
  CHECK(coupling_of(read_qasm_file(place.file("out.qasm"))).contains(0, 2));
}

TEST_CASE("quartz-opt says what is wrong with a device's file", "[opt]") {
  const FolderWithDevice place;
  write_text_file(place.file("bad.json"), "{}");
  write_text_file(place.file("cx.json"),
                  R"({"n_qubits": 2, "basis_gates": ["cx", "h"], "coupling_map": [[0, 1]]})");
  write_text_file(
      place.file("small.json"),
      R"({"n_qubits": 2, "basis_gates": ["cx", "sx", "rz", "x"], "coupling_map": [[0, 1]]})");
  const std::string in = place.file("in.qasm");
  struct Case {
    std::vector<std::string> arguments;
    int code;
    std::string message;
  };
  for (const Case& c : {
           Case{{}, 2, "--gate-set is required unless --backend-json is given"},
           Case{{"-g", "nam", "--cost", "error"}, 2, "expected its file as well (--backend-json)"},
           Case{{"--backend-json", place.file("none.json")}, 3, "none.json: cannot read"},
           Case{{"--backend-json", place.file("bad.json")}, 3, "bad.json:1:1: expected the prop"},
           Case{{"--backend-json", place.file("cx.json")}, 2, "which has the gates cx, h: no bun"},
           Case{{"--backend-json", place.file("small.json")}, 3, "acts on qubit 2, which"},
           Case{{"--backend-json", place.file("props.json"), "-g", "nam", "--cost", "error"},
                2,
                "have no error rate of h"},
           Case{{"--backend-json", place.file("small.json"), "--cost", "duration"},
                2,
                "have no durations"},
       }) {
    std::vector<std::string> arguments{in, "-o", place.file("out.qasm"), "--quiet"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const Run result = run(opt_command(), arguments);
    INFO(c.message << " in: " << result.err);
    CHECK(result.code == c.code);
    CHECK_THAT(result.err, Contains("quartz-opt: error: ") && Contains(c.message));
    CHECK_FALSE(fs::exists(place.file("out.qasm")));
  }
}
