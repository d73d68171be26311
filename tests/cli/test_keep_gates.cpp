// quartz-opt --keep-gates.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <string>

#include "cli/check/check_command.hpp"
#include "cli/opt/opt_command.hpp"
#include "command_run.hpp"
#include "quartz/base/files.hpp"

using namespace quartz;
using namespace quartz::test;
using Catch::Contains;

namespace {

const std::string kProgramWithGates = R"(OPENQASM 2.0;
include "qelib1.inc";
gate majority a,b,c { cx c,b; cx c,a; ccx a,b,c; }
gate sx a { h a; z a; h a; }
qreg q[4];
creg m[1];
majority q[0],q[1],q[2];
majority q[1],q[2],q[3];
if(m==1) sx q[3];
)";

/// A file with the program, and a cache of its own.
class FileWithGates {
 public:
  explicit FileWithGates(const std::string& program = kProgramWithGates)
      : cache_("XDG_CACHE_HOME", folder_.path().string()) {
    write_text_file(input(), program);
  }

  [[nodiscard]] fs::path input() const { return folder_ / "in.qasm"; }
  [[nodiscard]] fs::path output() const { return folder_ / "out.qasm"; }
  [[nodiscard]] Run optimized(const std::vector<std::string>& further) const {
    std::vector<std::string> arguments{input().string(), "--steps",  "200",
                                       "--threads",      "1",        "--table-memory",
                                       "1MiB",           "--output", output().string()};
    arguments.insert(arguments.end(), further.begin(), further.end());
    return run(cli::opt_command(), arguments);
  }

 private:
  Folder folder_;
  EnvironmentVariable cache_;
};

}  // namespace

TEST_CASE("The gates of a program stay in the result", "[keep-gates]") {
  const FileWithGates file;
  for (const char* const version : {"2", "3"}) {
    const Run call = file.optimized({"--gate-set", "nam", "--keep-gates", "--qasm", version});
    INFO(call.err);
    REQUIRE(call.code == 0);
    const std::string text = read_text_file(file.output());
    INFO(text);
    CHECK_THAT(text, Contains("gate majority q0,q1,q2 {\n") && Contains("gate sx_declared q0 {\n"));
    CHECK_THAT(text, Contains("majority q[0],q[1],q[2];\nmajority q[1],q[2],q[3];\n"));
    CHECK_THAT(text, Contains("sx_declared q[3];"));
    const Run check = run(cli::check_command(), {file.input().string(), file.output().string()});
    CHECK(check.code == 0);
    CHECK_THAT(check.out, Contains("equal"));
  }
  const Run plain = file.optimized({"--gate-set", "nam"});
  REQUIRE(plain.code == 0);
  CHECK_THAT(read_text_file(file.output()), !Contains("gate "));
}

TEST_CASE("The figures of a result with kept gates are those of its gates", "[keep-gates]") {
  const Run call = FileWithGates().optimized({"--gate-set", "nam", "--keep-gates", "--json"});
  REQUIRE(call.code == 0);
  const auto figures = nlohmann::json::parse(call.out);
  CHECK(figures["input"]["total"] == 9);
  CHECK(figures["after"]["total"] <= figures["before"]["total"]);
  CHECK(figures["after"]["total"] > 10);
  CHECK(figures["boundaries"]["majority"] == 2);
  CHECK(figures["replay"]["keep_gates"] == true);
  CHECK_THAT(figures["checked"].get<std::string>(), Contains("equal"));
}

TEST_CASE("Options that contradict kept gates are errors", "[keep-gates]") {
  const Run call =
      FileWithGates().optimized({"--gate-set", "nam", "--keep-gates", "--coupling", "auto"});
  CHECK(call.code != 0);
  CHECK_THAT(call.err, Contains("--keep-gates cannot be combined with --coupling"));
}

TEST_CASE("The place of a gate that the set lacks is that of its call", "[keep-gates]") {
  const FileWithGates file(
      "OPENQASM 2.0;\ninclude \"qelib1.inc\";\ngate two a { h a; t a; }\nqreg q[1];\ntwo q[0];\n"
      "rz(0.3) q[0];\n");
  const Run call = file.optimized({"--gate-set", "clifford_t", "--keep-gates"});
  CHECK(call.code != 0);
  CHECK_THAT(call.err, Contains("in.qasm:6:1"));
}
