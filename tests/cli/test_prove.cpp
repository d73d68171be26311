#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/command_run.hpp"
#include "cli/gen/gen_command.hpp"
#include "cli/opt/opt_command.hpp"
#include "quartz/base/compression.hpp"
#include "quartz/base/files.hpp"
#include "quartz/rules/rule_set.hpp"

using namespace quartz;
using namespace quartz::cli;
using namespace quartz::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string golden = QUARTZ_SOURCE_DIR "/tests/golden/nam_2_3.json";

RuleSet golden_rules() { return parse_rule_set(read_text_file(golden), golden); }

Run prove(const std::vector<std::string>& arguments, const std::stop_token& stop = {}) {
  return run(gen_command(), arguments, false, stop);
}

Run prove_set(const RuleSet& rules, const std::vector<std::string>& more = {}) {
  const Folder folder;
  const std::string file = (folder / "rules.json").string();
  write_text_file(file, write_rule_set(rules));
  std::vector<std::string> arguments{"prove", file};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return prove(arguments);
}

}  // namespace

TEST_CASE("quartz-gen prove proves the output of quartz-gen") {
  const Run result = prove({"prove", golden, "--threads", "2"});
  CHECK(result.code == 0);
  CHECK(result.out.empty());
  CHECK_THAT(result.err, StartsWith("equalities  9 in 7 classes\nz3 ") &&
                             Contains("9 proved, 0 unknown, 0 refuted\nseconds "));
  CHECK(prove({"prove", golden, "--gate-set", "nam", "--quiet"}).err.empty());
}

TEST_CASE("rule sets are compressed depending on the file name, and read under any name") {
  const Folder folder;
  const std::string file = (folder / "rules.json.zst").string();
  REQUIRE(prove({"-g", "nam", "-n", "2", "-o", file, "--quiet"}).code == 0);
  const std::string bytes = read_text_file(file);
  CHECK(is_compressed(bytes));
  CHECK(decompressed(bytes, file) == write_rule_set(read_rule_set_file(file)));
  CHECK(prove({"prove", file, "--gate-set", "nam"}).code == 0);
  const std::string other_name = (folder / "rules.json").string();
  write_text_file(other_name, bytes);
  CHECK(prove({"prove", other_name}).code == 0);
  const std::string circuit = (folder / "in.qasm").string();
  write_text_file(circuit,
                  "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[1];\nh q[0];\nh q[0];\n");
  const auto optimize = [&](const std::string& set, const std::string& rules) {
    return run(opt_command(), {circuit, "-g", set, "--rules", rules, "-t", "1s", "--quiet"});
  };
  CHECK(optimize("nam", file).code == 0);
  // These files were made for another gate set, or truncated.
  CHECK_THAT(optimize("ibm", file).err, Contains("rules of gate set 'nam'"));
  write_text_file(file, bytes.substr(0, bytes.size() / 2));
  const Run cut = optimize("nam", file);
  CHECK(cut.code == 3);
  CHECK_THAT(cut.err, Contains(file + ": cannot be decompressed (Zstandard): it is truncated"));
}

TEST_CASE("quartz-gen prove finds every equality that is wrong") {
  // Each equality in turn gets a wrong phase or an additional gate.
  RuleSet rules = golden_rules();
  rules.gates = 3;
  for (std::size_t i = 0; i < rules.classes.size(); ++i) {
    RuleSet wrong = rules;
    ClassMember& member = wrong.classes[i].members[1];
    if (i % 2 == 0) {
      member.phase.add_phase(Angle::pi_times(Rational(1, 4)));
    } else {
      member.gates.push_back(make_operation(GateKind::h, {0}));
    }
    const Run result = prove_set(wrong);
    INFO(result.out);
    CHECK(result.code == 10);
    CHECK_THAT(result.out, StartsWith("class " + std::to_string(i + 1) + ", circuit 2: refuted: "));
    CHECK(std::count(result.out.begin(), result.out.end(), '\n') == 1);
    CHECK_THAT(result.err, Contains("8 proved, 0 unknown, 1 refuted"));
  }
}

TEST_CASE("quartz-gen prove distinguishes an equality that it cannot prove from a wrong one") {
  // The equality is h x = rz(pi) h on each of more qubits than the prover accepts at once.
  RuleSet rules = golden_rules();
  rules.gates = 24;
  rules.qubits = 12;
  EquivalenceClass wide;
  wide.members.resize(2);
  for (Qubit qubit = 0; qubit < rules.qubits; ++qubit) {
    wide.members[0].gates.push_back(make_operation(GateKind::h, {qubit}));
    wide.members[0].gates.push_back(make_operation(GateKind::x, {qubit}));
    wide.members[1].gates.push_back(make_operation(GateKind::rz, {qubit}, {Angle::pi_times(1)}));
    wide.members[1].gates.push_back(make_operation(GateKind::h, {qubit}));
  }
  rules.classes.insert(rules.classes.begin() + 2, wide);
  Run result = prove_set(rules);
  INFO(result.out << result.err);
  CHECK(result.code == 11);
  CHECK_THAT(result.out, StartsWith("class 3, circuit 2: unknown: more than ") &&
                             Contains("qubits in one claim"));
  CHECK_THAT(result.err, Contains("9 proved, 1 unknown, 0 refuted"));

  // A wrong equality determines the exit code.
  rules.classes[0].members[1].phase.add_phase(Angle::pi_times(1));
  result = prove_set(rules, {"--stats", "-"});
  CHECK(result.code == 10);
  const auto stats = nlohmann::json::parse(result.out);
  CHECK(stats.at("proofs_tried") == 10);
  CHECK(stats.at("proved") == 8);
  CHECK(stats.at("unknown") == 1);
  CHECK(stats.at("refuted") == 1);
}

TEST_CASE("quartz-gen prove writes statistics") {
  const Run result = prove_set(golden_rules(), {"--stats", "-", "--quiet"});
  CHECK(result.code == 0);
  CHECK(result.err.empty());
  const auto stats = nlohmann::json::parse(result.out);
  CHECK_THAT(stats.at("method").get<std::string>(), StartsWith("z3 "));
  CHECK(stats.at("proved") == 9);
  CHECK(stats.at("seconds").get<double>() > 0);
}

TEST_CASE("quartz-gen prove rejects files that are not rule sets, and options of generation") {
  Run result = prove({"prove", QUARTZ_SOURCE_DIR "/gatesets/nam.json"});
  CHECK(result.code == 3);
  CHECK_THAT(result.err, StartsWith("quartz-gen: error: "));
  result = prove({"prove", golden, "--gate-set", "ibm"});
  CHECK(result.code == 3);
  CHECK_THAT(result.err, Contains("rules of gate set 'nam'"));
  CHECK(prove({"prove", "no such file"}).code == 3);
  CHECK(prove({"prove", golden, "--gates", "3"}).code == 2);
  CHECK(prove({"prove", golden, "--output", "x"}).code == 2);
}

TEST_CASE("quartz-gen prove ends with exit code 4 if it is stopped") {
  std::stop_source stop;
  stop.request_stop();
  const Run result = prove({"prove", golden}, stop.get_token());
  CHECK(result.code == 4);
  CHECK_THAT(result.err, StartsWith("quartz-gen: error: stopped"));
}

TEST_CASE("quartz-gen prove proves the output of quartz-opt --emit-rules") {
  const Folder folder;
  const EnvironmentVariable cache("XDG_CACHE_HOME", folder.path().string());
  const std::string input = (folder / "in.qasm").string();
  const std::string emitted = (folder / "used.json").string();
  write_text_file(input, R"(OPENQASM 2.0;
include "qelib1.inc";
qreg q[4];
ccx q[0],q[1],q[2]; rz(0.3) q[2]; cx q[1],q[2]; ccx q[1],q[2],q[3]; cx q[1],q[2]; rz(0.4) q[2];
ccx q[0],q[1],q[2]; h q[3]; cx q[3],q[2]; h q[3];
)");
  const auto optimize = [&](const char* search) {
    return run(opt_command(),
               {input, "-g", "nam", "--rules", golden, "--search", search, "--steps", "3000", "-t",
                "1s", "--threads", "2", "--quiet", "--emit-rules", emitted});
  };
  const Run annealed = optimize("anneal");
  INFO(annealed.err);
  REQUIRE(annealed.code == 0);
  const RuleSet rules = parse_rule_set(read_text_file(emitted), emitted);
  CHECK(rules.gate_set == "nam");
  CHECK(rules.classes.size() > 20);
  // Some rules have a free angle.
  CHECK_THAT(read_text_file(emitted), Contains("\"p0\""));
  const Run proved = prove({"prove", emitted, "--gate-set", "nam"});
  CHECK(proved.code == 0);
  CHECK_THAT(proved.err, Contains(std::to_string(rules.classes.size()) + " proved, 0 unknown"));
  // No other search uses rules of its own.
  REQUIRE(optimize("backtrack").code == 0);
  CHECK(parse_rule_set(read_text_file(emitted), emitted).classes.empty());
  CHECK(prove({"prove", emitted}).code == 0);
}

TEST_CASE("quartz-gen keeps proofs in a checkpoint, for generating and for proving rules") {
  const Folder folder;
  const std::string checkpoint = (folder / "checkpoint").string();
  const std::string stats = (folder / "stats.json").string();
  const std::vector<std::string> make = {"-g", "nam", "-n",           "2",
                                         "-q", "3",   "--checkpoint", checkpoint};
  const Run first = run(gen_command(), make);
  CHECK(first.code == 0);
  CHECK_THAT(first.err, Contains("69 of 69 proved") && Contains(" different ones)"));
  const Run second = run(gen_command(), make);
  CHECK(second.out == first.out);
  CHECK_THAT(second.err, Contains("(0 different ones, 13 known before)"));
  CHECK(prove({"prove", golden, "--checkpoint", checkpoint, "--stats", stats}).code == 0);
  const auto figures = nlohmann::json::parse(read_text_file(stats));
  CHECK(figures["proofs_known"] > 0);
  CHECK(figures["proved"] == 9);
  write_text_file(folder / "checkpoint" / "proofs", "nothing of the kind\n");
  const Run refused = run(gen_command(), make);
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, Contains("proofs:1: this is not a file of proofs"));
  CHECK(run(gen_command(), {"count", "-g", "nam", "--checkpoint", checkpoint}).code == 2);
}
