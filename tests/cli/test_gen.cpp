#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_run.hpp"
#include "cli/gen/gen_command.hpp"
#include "cli/output/generate_progress.hpp"
#include "quartz/base/files.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"

using namespace quartz;
using namespace quartz::cli;
using namespace quartz::test;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace {

Run run_gen(const std::vector<std::string>& arguments, bool terminal = false,
            const std::stop_token& stop = {}) {
  return run(gen_command(), arguments, terminal, stop);
}

std::string every_gate_set() {
  std::string names;
  for (const std::string& name : bundled_gate_sets()) names += (names.empty() ? "" : ", ") + name;
  return names;
}

const std::vector<std::string> nam_2_3{"--gate-set", "nam", "--gates", "2", "--qubits", "3"};

std::vector<std::string> nam_2_3_with(const std::vector<std::string>& more) {
  std::vector<std::string> arguments = nam_2_3;
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("quartz-gen writes the rule set to standard output and a summary to standard error") {
  const Run run = run_gen(nam_2_3);
  CHECK(run.code == 0);
  const RuleSet rules = parse_rule_set(run.out, "<output>");
  CHECK(rules.gate_set == "nam");
  CHECK(rules.gate_set_digest == load_gate_set("nam").digest);
  CHECK(rules.gates == 2);
  CHECK(rules.qubits == 3);
  CHECK(rules.classes.size() == 7);
  CHECK(count(run.err, "\n") == 4);
  CHECK_THAT(run.err, StartsWith("enumerated  466 circuits in 397 classes\n"
                                 "rule set    16 circuits in 7 classes, 24 rules\n"
                                 "proofs      69 of 69 proved by z3 "));
  CHECK_THAT(run.err, Contains("\nseconds     "));
  CHECK_THAT(run.err, !Contains("\x1b"));
}

TEST_CASE("quartz-gen prints nothing but the rule set with --quiet") {
  const Run run = run_gen(nam_2_3_with({"--quiet"}));
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  CHECK(run.out == run_gen(nam_2_3).out);
}

TEST_CASE("quartz-gen shows a progress line on a terminal and erases it") {
  const Run run = run_gen(nam_2_3, true);
  CHECK(run.code == 0);
  CHECK_THAT(run.err, StartsWith("\r\x1b[Kenumerating circuits of "));
  CHECK_THAT(run.err, Contains("\r\x1b[Kenumerated  466 circuits"));
}

TEST_CASE("quartz-gen writes the same file with any number of threads, and statistics") {
  const Folder folder;
  const fs::path one = folder / "one.json";
  const fs::path two = folder / "two.json";
  const fs::path stats = folder / "stats.json";
  const Run run = run_gen(
      nam_2_3_with({"--threads", "1", "--output", one.string(), "--stats", stats.string()}));
  CHECK(run.code == 0);
  CHECK(run.out.empty());
  CHECK(run_gen(nam_2_3_with({"--threads", "2", "-o", two.string()})).code == 0);
  CHECK(read_text_file(one) == read_text_file(two));

  const auto figures = nlohmann::json::parse(read_text_file(stats));
  CHECK(figures["circuits_enumerated"] == 466);
  CHECK(figures["classes_enumerated"] == 397);
  CHECK(figures["classes"] == 7);
  CHECK(figures["circuits"] == 16);
  CHECK(figures["rules"] == 24);
  CHECK(figures["proofs_tried"] == 69);
  CHECK(figures["proofs_proved"] == 69);
  CHECK(figures["proofs_unknown"] == 0);
  CHECK(figures["peak_memory_bytes"] > 1000000);
  double sum = 0;
  for (const auto& [phase, seconds] : figures["seconds"].items()) {
    if (phase != "total") sum += seconds.get<double>();
  }
  CHECK(figures["seconds"]["total"].get<double>() == Approx(sum));
  CHECK(figures["seconds"].contains("enumerate"));
  CHECK(figures["seconds"].contains("prove"));
  CHECK(figures["seconds"].contains("prune"));
}

TEST_CASE("quartz-gen has --help for all subcommands") {
  const Run help = run_gen({"--help"});
  CHECK(help.code == 0);
  CHECK(help.err.empty());
  const auto check_options = [](const Run& shown, const std::vector<std::string>& expected) {
    // This takes only the names of options, not mentions in descriptions.
    std::string options;
    std::istringstream lines(shown.out.substr(0, shown.out.find("Examples:")));
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("  -")) options += line.substr(2, line.find(' ', 2) - 1);
    }
    for (const std::string& option : expected) {
      INFO(option);
      CHECK(count(options, "--" + option + " ") == 1);
    }
  };
  check_options(help, {"gate-set", "gates", "qubits", "output", "stats", "threads", "seed",
                       "proof-time", "checkpoint", "backend", "quiet", "version"});
  CHECK_THAT(help.out, !Contains("--prove") && !Contains("--count") && !Contains("--symbolic"));
  const std::vector<std::pair<std::string, std::vector<std::string>>> subcommands{
      {"prove", {"gate-set", "stats", "threads", "quiet", "proof-time", "checkpoint"}},
      {"table",
       {"gate-set", "stats", "threads", "quiet", "qubits", "output", "cost", "two-qubit-weight",
        "symbolic", "backend", "memory"}},
      {"count",
       {"gate-set", "stats", "threads", "quiet", "gates", "qubits", "seed", "backend",
        "instructions", "devices", "unpruned"}}};
  for (const auto& [name, options] : subcommands) {
    INFO(name);
    CHECK_THAT(help.out, Contains("\n  " + name + " "));
    const Run shown = run_gen({name, "--help"});
    CHECK(shown.code == 0);
    CHECK_THAT(shown.out, Contains("Usage: quartz-gen " + name) &&
                              Contains("Examples:\n  quartz-gen " + name) &&
                              Contains("Exit codes:\n   0  done"));
    check_options(shown, options);
  }
  for (const std::string& name : bundled_gate_sets()) CHECK_THAT(help.out, Contains(name));
  CHECK_THAT(help.out, Contains("Examples:\n  quartz-gen --gate-set nam --gates 3 --qubits 3 "
                                "--output nam_3_3.json\n"));
  CHECK_THAT(help.out, Contains("Exit codes:\n   0  done"));
  const Run version = run_gen({"--version"});
  CHECK(version.code == 0);
  CHECK_THAT(version.out, StartsWith("quartz-gen 0."));
}

TEST_CASE("quartz-gen rejects wrong usage with exit code 2 and one line") {
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::vector<Case> cases{
      {{}, "--gate-set is required (see --help)"},
      {{"-g", "nam", "--gates", "2", "-n", "3"}, "--gates is given more than once (see --help)"},
      {{"-g", "nam", "--gates", "0"}, "--gates: Value 0 not in range 1 to 16 (see --help)"},
      {{"-g", "nam", "--gates", "17"}, "--gates: Value 17 not in range 1 to 16 (see --help)"},
      {{"-g", "nam", "--gates", "-1"}, "--gates: Value -1 not in range 1 to 16 (see --help)"},
      {{"-g", "nam", "--gates", "two"}, "--gates: Value two not in range 1 to 16 (see --help)"},
      {{"-g", "nam", "--qubits", "0"}, "--qubits: Value 0 not in range 1 to 8 (see --help)"},
      {{"-g", "nam", "--qubits", "9"}, "--qubits: Value 9 not in range 1 to 8 (see --help)"},
      {{"-g", "nam", "--threads", "-1"}, "--threads: Value -1 not in range 0 to 1024 (see --help)"},
      {{"-g", "nam", "--seed", "-1"},
       "--seed: -1 is negative, expected a non-negative integer (see --help)"},
      {{"-g", "nam", "--seed", "1.5"}, "Could not convert: --seed = 1.5 (see --help)"},
      {{"-g", "nam", "--proof-time", "3 weeks"},
       "--proof-time: '3 weeks' is not a duration: expected a non-negative number and a unit (s, "
       "ms, "
       "us, min, h)"},
      {{"-g", "nam", "--fast"}, "The following argument was not expected: --fast (see --help)"},
      {{"table", "-g", "nam", "-o", "x", "--gates", "3"},
       "The following arguments were not expected: 3 --gates (see --help)"},
      {{"table", "-g", "nam"}, "--output is required (see --help)"},
      {{"table", "-o", "x"}, "--gate-set is required (see --help)"},
      {{"count"}, "--gate-set is required (see --help)"},
      {{"prove"}, "rules is required (see --help)"},
      {{"-g", "nam", "prove", "x"},
       "--gate-set precedes 'prove', expected after it (see quartz-gen prove --help)"},
      {{"table", "-g", "nam", "-o", "x", "--cost", "0"},
       "--cost: Value 0 not in range 1 to 30 (see --help)"},
      {{"table", "-g", "nam", "-o", "x", "--two-qubit-weight", "0"},
       "--two-qubit-weight: Value 0 not in range 1 to 30 (see --help)"},
      {{"table", "-g", "nam", "-o", "x", "--memory", "much"},
       "--memory: 'much' is not a memory size: expected a non-negative number and a unit (B, "
       "KiB, MiB, GiB, TiB, kB, MB, GB, TB)"},
      {{"table", "-g", "nam", "-o", "x.json", "--stats", "x.json"},
       "--output and --stats would both be x.json, expected two files"},
      {{"table", "-g", "nam", "-o", (fs::temp_directory_path() / "x").string(), "--qubits", "4"},
       "--qubits: Value 4 not in range 1 to 3 (see --help)"},
      {{"-g", "nam", "-o", "x.json", "--stats", "x.json"},
       "--output and --stats would both be x.json, expected two files"},
      {{"-g", "nam", "-o", "-", "--stats", "-"},
       "--output and --stats would both be standard output, expected two files"},
      {{"-g", "man"},
       "unknown gate set 'man'; bundled gate sets: " + every_gate_set() + "; or give a JSON file"},
  };
  for (const Case& wrong : cases) {
    const Run run = run_gen(wrong.arguments);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    CHECK(run.err == "quartz-gen: error: " + wrong.message + "\n");
  }
}

TEST_CASE("quartz-gen names the replacement of an option of earlier versions") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
      {{"--prove", "rules.json"}, "quartz-gen prove FILE"},
      {{"-g", "nam", "--table", "nam.table"}, "quartz-gen table --output FILE"},
      {{"-g", "nam", "--table=nam.table"}, "quartz-gen table --output FILE"},
      {{"-g", "nam", "--table-cost", "3"}, "quartz-gen table --cost N"},
      {{"-g", "nam", "--table-memory", "1GiB"}, "quartz-gen table --memory SIZE"},
      {{"-g", "nam", "--two-qubit-weight", "2"}, "quartz-gen table --two-qubit-weight N"},
      {{"-g", "nam", "--symbolic"}, "quartz-gen table --symbolic"},
      {{"--count", "-g", "nam", "--gates", "3"}, "quartz-gen count"},
      {{"-g", "nam", "--instructions", "avx2"}, "quartz-gen count --instructions NAME"},
      {{"-g", "nam", "--devices", "2"}, "quartz-gen count --devices N"},
      {{"-g", "nam", "--unpruned"}, "quartz-gen count --unpruned"},
      {{"-g", "nam", "--fingerprint-rounds", "2"}, "the benchmark quartz-perf (perf/README.md)"},
  };
  for (const auto& [arguments, replacement] : cases) {
    const Run run = run_gen(arguments);
    CHECK(run.code == 2);
    CHECK_THAT(run.err,
               StartsWith("quartz-gen: error: --") &&
                   EndsWith(" is no longer an option of quartz-gen; use " + replacement + "\n"));
  }
}

TEST_CASE("quartz-gen reports files that cannot be read or written before the work") {
  const Folder folder;
  const std::string missing = (folder / "missing.json").string();
  Run run = run_gen({"-g", missing});
  CHECK(run.code == 3);
  CHECK(run.err == "quartz-gen: error: " + missing + ": cannot read: No such file or directory\n");

  // With these sizes the work would take hours.
  const std::vector<std::string> long_work{"-g", "nam", "-n", "12", "-q", "4"};
  for (const char* option : {"--output", "--stats"}) {
    std::vector<std::string> arguments = long_work;
    const std::string nowhere = (folder / "no/such/folder.json").string();
    arguments.insert(arguments.end(), {option, nowhere});
    run = run_gen(arguments);
    CHECK(run.code == 3);
    CHECK(run.err ==
          "quartz-gen: error: " + nowhere + ": cannot write: No such file or directory\n");
  }
  CHECK(fs::is_empty(folder / ""));
}

TEST_CASE("quartz-gen ends with exit code 4 and writes no file if it is stopped") {
  const Folder folder;
  std::stop_source stop;
  stop.request_stop();
  const std::string output = (folder / "rules.json").string();
  const Run run = run_gen(nam_2_3_with({"-o", output}), false, stop.get_token());
  CHECK(run.code == 4);
  CHECK_THAT(run.err, StartsWith("quartz-gen: error: stopped"));
  CHECK(fs::is_empty(folder / ""));
}

TEST_CASE("the progress of generation is reported in one line") {
  GenerateProgress progress;
  progress.phase = "enumerate";
  progress.level = 3;
  progress.candidates = 2500000;
  progress.classes = 4179;
  progress.seconds = 2;
  CHECK(progress_text(progress) ==
        "enumerating circuits of 3 gates, 4179 different ones (1.2 M/s)");
  progress.phase = "prove";
  progress.proofs_done = 12;
  progress.proofs_total = 290;
  progress.seconds_left = 0.2;
  CHECK(progress_text(progress) ==
        "proving equalities of circuits of 3 gates, 12 of 290, 1 s left");
}

TEST_CASE("quartz-gen reports why a rule set has no rules") {
  const Folder folder;
  const auto gate_set = [&](const char* file, const std::string& gates) {
    const std::string path = (folder / file).string();
    write_text_file(path, R"({"format": "quartz-gate-set", "version": 1, "name": "s", "gates": [)" +
                              gates +
                              R"(], "alphabet": {"parameters": 1, "expressions": ["p0"]}})");
    return path;
  };
  const std::string cx = gate_set("cx.json", R"({"gate": "cx"})");
  const std::string in_range =
      gate_set("range.json", R"({"gate": "rzz", "ranges": {"theta": ["0.1", "0.2"]}})");
  struct Case {
    std::vector<std::string> arguments;
    std::string reason;
  };
  for (const Case& c : {
           Case{{"-g", cx, "-q", "1", "-n", "3"},
                "every gate of the gate set 's' acts on 2 qubits or more, and circuits have 1 "
                "(--qubits)"},
           Case{{"-g", cx, "-q", "2", "-n", "1"},
                "no two circuits of up to 1 gate on 2 qubits of the gate set 's' are equal, except "
                "for the order of gates that share no qubit; more --gates or --qubits may find "
                "some"},
           Case{{"-g", in_range, "-q", "2", "-n", "2"},
                "no expression of the alphabet of 's' is in the ranges of a gate that fits on 2 "
                "qubits (--qubits)"},
       }) {
    INFO(c.reason);
    std::vector<std::string> arguments = c.arguments;
    arguments.insert(arguments.end(), {"-o", (folder / "rules.json").string(), "--quiet"});
    const Run run = run_gen(arguments);
    CHECK(run.code == 0);
    CHECK(run.err == "quartz-gen: warning: the rule set has no rules: " + c.reason + "\n");
    CHECK(read_rule_set_file(folder / "rules.json").classes.empty());
  }
  const Run some =
      run_gen({"-g", cx, "-q", "2", "-n", "2", "-o", (folder / "rules.json").string(), "--quiet"});
  CHECK(some.code == 0);
  CHECK(some.err.empty());
}

TEST_CASE("quartz-gen --export tket writes a rule set for tket") {
  const Run run = run_gen(nam_2_3_with({"--export", "tket", "--quiet"}));
  CHECK(run.code == 0);
  const nlohmann::json rules = nlohmann::json::parse(run.out);
  CHECK(rules.at(0).empty());
  CHECK(rules.at(1).size() == parse_rule_set(run_gen(nam_2_3).out, "<output>").classes.size());
}

TEST_CASE("quartz-gen --export refuses unknown programs and compressed files") {
  CHECK(run_gen(nam_2_3_with({"--export", "qiskit"})).code == 2);
  const Run run = run_gen(nam_2_3_with({"--export", "tket", "--output", "rules.json.zst"}));
  CHECK(run.code == 2);
  CHECK_THAT(run.err, Contains("rules.json.zst"));
}

TEST_CASE("quartz-gen imports an ECC set of the original Quartz and can export it for tket") {
  const Folder folder;
  const std::string source = (folder / "set.json").string();
  write_text_file(source, R"([[], {"0_0": [[[1, 0, 0, 0, [], []], []],
    [[1, 0, 0, 2, [], []], [["h", ["Q0"], ["Q0"]], ["h", ["Q0"], ["Q0"]]]],
    [[1, 0, 0, 1, [], []], [["x", ["Q0"], ["Q0"]]]],
    [[1, 0, 0, 1, [], []], [["ch", ["Q0", "Q0"], ["Q0", "Q0"]]]]]}])");
  const Run imported =
      run_gen({"-g", "nam", "--import", source, "--stats", (folder / "s").string()});
  INFO(imported.err);
  REQUIRE(imported.code == 0);
  const RuleSet rules = parse_rule_set(imported.out, "<output>");
  CHECK(rules.rule_count() == 2);
  CHECK_THAT(imported.err, Contains("cannot express (ch): 1\n") &&
                               Contains("1 of 2 proved by z3") && Contains("1 not proved"));
  const auto stats = nlohmann::json::parse(read_text_file(folder / "s"));
  CHECK(stats.at("unproved").at(0).at("circuit") == 3);

  write_text_file(folder / "rules.json", imported.out);
  const Run exported = run_gen(
      {"-g", "nam", "--import", (folder / "rules.json").string(), "--export", "tket", "--quiet"});
  CHECK(exported.code == 0);
  CHECK(exported.err.empty());
  CHECK(nlohmann::json::parse(exported.out).at(1).at("0_0").size() == 2);

  const Run contradictory = run_gen({"-g", "nam", "--import", source, "--gates", "2"});
  CHECK(contradictory.code == 2);
  CHECK_THAT(contradictory.err, Contains("--import") && Contains("--gates"));
}
