#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/check/check_command.hpp"
#include "cli/command_run.hpp"
#include "cli/gen/gen_command.hpp"
#include "cli/opt/opt_command.hpp"
#include "quartz/base/files.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"

using namespace quartz;
using namespace quartz::cli;
using namespace quartz::test;
using Catch::Matchers::Contains;

namespace {

const std::string kExample = std::string(QUARTZ_SOURCE_DIR) + "/gatesets/examples/xy.json";

class FolderWithCache {
 public:
  FolderWithCache() : cache_("XDG_CACHE_HOME", folder_.path().string()) {}
  [[nodiscard]] std::string file(const char* name) const { return (folder_ / name).string(); }
  [[nodiscard]] std::string file(const char* name, const std::string& text) const {
    write_text_file(file(name), text);
    return file(name);
  }

 private:
  Folder folder_;
  EnvironmentVariable cache_;
};

}  // namespace

TEST_CASE("finished runs of circuits with custom gates are skipped", "[custom]") {
  const FolderWithCache place;
  const std::string input = place.file(
      "in.qasm", "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[2];\nxy(pi/4) q[0],q[1];\n");
  const std::string other = place.file(
      "other.qasm", "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[2];\nrz(pi/4) q[0];\n");
  const auto call = [&] {
    const Run done =
        run(opt_command(), {input, other, "-g", kExample, "--search", "fold", "--threads", "1",
                            "-o", place.file("out"), "--finished", place.file("done")});
    INFO(done.err);
    CHECK(done.code == 0);
  };
  call();
  const std::string result = place.file("out/in.qasm");
  const auto past = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(result, past);
  call();
  CHECK(std::filesystem::last_write_time(result) == past);
}

TEST_CASE("A gate-set file with custom gates leads to a certified circuit", "[custom]") {
  const FolderWithCache place;
  const std::string rules = place.file("rules.json");
  const Run gen = run(gen_command(), {"-g", kExample, "-n", "2", "-q", "2", "-o", rules});
  INFO(gen.err);
  REQUIRE(gen.code == 0);
  CHECK_THAT(read_text_file(rules), Contains("\"xy\"") && Contains("\"echoed_xy\""));
  CHECK_THAT(gen.err, !Contains("unknown"));
  CHECK(run(gen_command(), {"prove", rules, "-g", kExample, "--quiet"}).code == 0);

  // The input calls gates of the set without a definition; cx is translated.
  const std::string input = place.file("in.qasm", R"(OPENQASM 2.0;
include "qelib1.inc";
qreg q[3];
xy(pi/4) q[0],q[1];
xy(pi/4) q[1],q[0];
cx q[1],q[2];
rz(pi/8) q[0];
rz(pi/8) q[0];
cx q[1],q[2];
echoed_xy(pi/3) q[1],q[2];
x q[1];
x q[2];
)");
  for (const char* version : {"2", "3"}) {
    const std::string output = place.file("out.qasm");
    const Run opt =
        run(opt_command(), {input, "-g", kExample, "--rules", rules, "-o", output, "--time", "1s",
                            "--threads", "1", "--search", "backtrack", "--qasm", version});
    INFO(opt.err);
    REQUIRE(opt.code == 0);
    CHECK_THAT(opt.err, Contains("equal"));
    const std::string text = read_text_file(output);
    CHECK_THAT(text, Contains("opaque xy(p0) q0,q1;"));
    const GateSet set = load_gate_set(kExample);
    const auto parse = [&](const std::string& program) {
      return parse_qasm(program, "program", IncludePath(), {}, set.custom_gates());
    };
    const Circuit result = parse(text);
    // The two halves of a turn merge, and so do the rotations by pi/8.
    CHECK_THAT(text, Contains("xy(pi/2) q["));
    CHECK(result.operations.size() <
          translate(parse(read_text_file(input)), set).operations.size());
    for (const Operation& operation : result.operations) CHECK(set.contains(operation));
    const Run check = run(check_command(), {"--gate-set", kExample, input, output});
    INFO(check.out);
    CHECK(check.code == 0);
  }
  const std::string wrong = place.file("wrong.qasm", R"(OPENQASM 2.0;
include "qelib1.inc";
qreg q[3];
xy(pi/4) q[0],q[1];
)");
  CHECK(run(check_command(), {"-g", kExample, input, wrong}).code == 10);
}

TEST_CASE("Written definitions give every reader the body of a gate", "[custom]") {
  const FolderWithCache place;
  const std::string set = place.file("set.json", R"({"format": "quartz-gate-set", "version": 1,
    "name": "bodies", "alphabet": {"parameters": 1, "expressions": ["p0"]},
    "gates": [{"gate": "rz"}, {"gate": "sx"},
              {"gate": "gate cli_zz(t) a, b { cx a, b; rz(t) b; cx a, b; }"}],
    "translations": ["gate rzz(t) a, b { cli_zz(t) a, b; }"]})");
  const std::string input = place.file("in.qasm", R"(OPENQASM 2.0;
include "qelib1.inc";
qreg q[2];
cx q[0],q[1];
rz(0.3) q[1];
cx q[0],q[1];
)");
  const std::string output = place.file("out.qasm");
  const Run opt = run(opt_command(), {input, "-g", set, "-o", output, "--time", "1s", "--threads",
                                      "1", "--cost", "two-qubit,total"});
  INFO(opt.err);
  REQUIRE(opt.code == 0);
  CHECK_THAT(read_text_file(output),
             Contains("gate cli_zz(p0) q0,q1 { cx q0,q1; rz(p0) q1; cx q0,q1; }"));
  // No gate set is needed, because the file contains the definition.
  CHECK(run(check_command(), {input, output}).code == 0);
}

TEST_CASE("Weights may name custom gates of the set", "[custom]") {
  const FolderWithCache place;
  const std::string weights = place.file("weights.json", R"({"format": "quartz-cost", "version": 1,
    "name": "weights", "gates": [{"gate": "xy", "weight": 10}, {"gate": "echoed_xy", "weight": 10}],
    "default": 1})");
  const std::string input = place.file("in.qasm", R"(OPENQASM 2.0;
include "qelib1.inc";
qreg q[2];
xy(pi/4) q[0],q[1];
x q[0];
x q[0];
)");
  const std::string stats = place.file("stats.json");
  const Run opt =
      run(opt_command(), {input, "-g", kExample, "-c", weights, "--time", "1s", "--threads", "1",
                          "-o", place.file("out.qasm"), "--stats", stats});
  INFO(opt.err);
  REQUIRE(opt.code == 0);
  const auto figures = nlohmann::json::parse(read_text_file(stats));
  CHECK(figures["after"]["gates"] == nlohmann::json{{"xy", 1}});
}

TEST_CASE("A command names the gates that it cannot know", "[custom]") {
  const FolderWithCache place;
  const std::string input = place.file("in.qasm", R"(OPENQASM 2.0;
include "qelib1.inc";
qreg q[2];
never_defined q[0];
)");
  const Run unknown = run(check_command(), {input, input});
  CHECK(unknown.code == 3);
  CHECK_THAT(unknown.err, Contains("unknown gate 'never_defined'"));

  const std::string set = place.file("set.json", R"({"format": "quartz-gate-set", "version": 1,
    "name": "bad", "gates": [{"gate": "mine", "qubits": 1, "matrix": [[1, 0], [0, "1/3"]]}]})");
  for (const auto& refused :
       {run(gen_command(), {"-g", set, "-o", place.file("r.json")}),
        run(opt_command(), {input, "-g", set}), run(check_command(), {input, input, "-g", set})}) {
    CHECK(refused.code == 3);
    CHECK_THAT(refused.err, Contains("set.json:2:") && Contains("cannot divide by 3"));
  }
  const std::string reserved = place.file("reserved.json", R"({"format": "quartz-gate-set",
    "version": 1, "name": "bad", "gates": [{"gate": "gate while a { h a; }"}]})");
  const Run refused = run(gen_command(), {"-g", reserved, "-o", place.file("r.json")});
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err,
             Contains("'while' is a keyword of OpenQASM, expected another name for the gate"));
}
