#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "cli/command_run.hpp"
#include "cli/gen_command.hpp"
#include "cli/generate_progress.hpp"
#include "cli/rule_cache.hpp"
#include "quartz/files.hpp"
#include "quartz/gateset/gate_set.hpp"
#include "quartz/rules/rule_set.hpp"

using namespace quartz;
using namespace quartz::cli;
using namespace quartz::test;
using Catch::Matchers::Contains;
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

GenerateOptions sizes(unsigned gates, unsigned qubits) {
  GenerateOptions options;
  options.gates = gates;
  options.qubits = qubits;
  options.threads = 1;
  return options;
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

TEST_CASE("quartz-gen says nothing but the rule set with --quiet") {
  const Run run = run_gen(nam_2_3_with({"--quiet"}));
  CHECK(run.code == 0);
  CHECK(run.err.empty());
  CHECK(run.out == run_gen(nam_2_3).out);
}

TEST_CASE("quartz-gen shows a progress line on a terminal and wipes it") {
  const Run run = run_gen(nam_2_3, true);
  CHECK(run.code == 0);
  CHECK_THAT(run.err, StartsWith("\r\x1b[Kenumerate: level "));
  CHECK_THAT(run.err, Contains("\r\x1b[Kenumerated  466 circuits"));
}

TEST_CASE("quartz-gen writes the same file with any number of threads, and figures") {
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

TEST_CASE("quartz-gen explains itself") {
  const Run help = run_gen({"--help"});
  CHECK(help.code == 0);
  CHECK(help.err.empty());
  // The names of the options only, not where others speak of them.
  std::string options;
  std::istringstream lines(help.out.substr(0, help.out.find("Examples:")));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  -")) options += line.substr(2, line.find(' ', 2) - 1);
  }
  for (const std::string option : {"gate-set", "gates", "qubits", "output", "stats", "threads",
                                   "seed", "proof-time", "quiet", "version", "table", "table-cost",
                                   "two-qubit-weight", "symbolic", "table-memory", "prove"}) {
    INFO(option);
    CHECK(count(options, "--" + option + " ") == 1);
  }
  for (const std::string& name : bundled_gate_sets()) CHECK_THAT(help.out, Contains(name));
  CHECK_THAT(help.out, Contains("Examples:\n  quartz-gen --gate-set nam --gates 3 --qubits 3 "
                                "--output nam_3_3.json\n"));
  CHECK_THAT(help.out, Contains("Exit codes:\n   0  done"));
  const Run version = run_gen({"--version"});
  CHECK(version.code == 0);
  CHECK_THAT(version.out, StartsWith("quartz-gen 0."));
}

TEST_CASE("quartz-gen refuses wrong usage with exit code 2 and one line") {
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::vector<Case> cases{
      {{}, "--gate-set is required (see --help)"},
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
       "--proof-time: '3 weeks' is no duration: expected a non-negative number and a unit (s, ms, "
       "us, min, h)"},
      {{"-g", "nam", "--fast"}, "The following argument was not expected: --fast (see --help)"},
      {{"-g", "nam", "--table-cost", "3"}, "--table-cost requires --table (see --help)"},
      {{"-g", "nam", "--symbolic"}, "--symbolic requires --table (see --help)"},
      {{"-g", "nam", "--table", "x", "--gates", "3"}, "--gates excludes --table (see --help)"},
      {{"-g", "nam", "--table", "x", "--table-cost", "0"},
       "--table-cost: Value 0 not in range 1 to 30 (see --help)"},
      {{"-g", "nam", "--table", "x", "--two-qubit-weight", "0"},
       "--two-qubit-weight: Value 0 not in range 1 to 30 (see --help)"},
      {{"-g", "nam", "--table", "x", "--table-memory", "much"},
       "--table-memory: 'much' is no memory size: expected a non-negative number and a unit (B, "
       "KiB, MiB, GiB, TiB, kB, MB, GB, TB)"},
      {{"-g", "nam", "--table", "x.json", "--stats", "x.json"},
       "--table and --stats are both 'x.json', expected two files"},
      {{"-g", "nam", "--table", (fs::temp_directory_path() / "x").string(), "--qubits", "4"},
       "a class table has 1 to 3 qubits, not 4"},
      {{"-g", "nam", "-o", "x.json", "--stats", "x.json"},
       "--output and --stats are both 'x.json', expected two files"},
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

TEST_CASE("quartz-gen finds files that cannot be read or written before the work") {
  const Folder folder;
  const std::string missing = (folder / "missing.json").string();
  Run run = run_gen({"-g", missing});
  CHECK(run.code == 3);
  CHECK(run.err == "quartz-gen: error: " + missing + ": cannot read: No such file or directory\n");

  // Sizes at which the work would take hours.
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

TEST_CASE("quartz-gen that is stopped ends with exit code 4 and writes no file") {
  const Folder folder;
  std::stop_source stop;
  stop.request_stop();
  const std::string output = (folder / "rules.json").string();
  const Run run = run_gen(nam_2_3_with({"-o", output}), false, stop.get_token());
  CHECK(run.code == 4);
  CHECK_THAT(run.err, StartsWith("quartz-gen: error: stopped"));
  CHECK(fs::is_empty(folder / ""));
}

TEST_CASE("the progress of generation is told in one line") {
  GenerateProgress progress;
  progress.phase = "enumerate";
  progress.level = 3;
  progress.candidates = 2500000;
  progress.classes = 4179;
  progress.seconds = 2;
  CHECK(progress_text(progress) == "enumerate: level 3, 1.2 M candidates/s, 4179 classes");
  progress.phase = "prove";
  progress.proofs_done = 12;
  progress.proofs_total = 290;
  progress.seconds_left = 0.2;
  CHECK(progress_text(progress) == "prove: level 3, 4179 classes, 12 of 290 proofs, 1 s left");
}

TEST_CASE("a cached rule set is made once, then read") {
  const Folder folder;
  const Variable cache("XDG_CACHE_HOME", (folder / "cache").string());
  const GateSet set = load_gate_set("nam");
  std::ostringstream out;
  std::ostringstream err;
  const CommandContext context{out, err, false, {}};

  const auto path = cached_rule_set_path(set, 2, 2);
  REQUIRE(path.has_value());
  CHECK(path->parent_path() == folder / "cache/quartz");
  CHECK_THAT(path->filename().string(), StartsWith("nam-xxh128-"));
  CHECK_THAT(path->filename().string(), Contains("-n2-q2-v1.json"));
  CHECK(path != cached_rule_set_path(set, 2, 3));
  CHECK(path != cached_rule_set_path(set, 3, 2));
  CHECK(path != cached_rule_set_path(load_gate_set("ibm"), 2, 2));

  RuleSet rules = cached_rule_set(set, sizes(2, 2), context);
  CHECK(read_text_file(*path) == write_rule_set(rules));
  CHECK(rules.seed == 0);

  // What is in the file is what comes back.
  rules.seed = 77;
  write_text_file(*path, write_rule_set(rules));
  CHECK(cached_rule_set(set, sizes(2, 2), context).seed == 77);
  CHECK(err.str().empty());
  CHECK(out.str().empty());
}

TEST_CASE("a cached rule set that is damaged or of something else is made anew") {
  const Folder folder;
  const Variable cache("XDG_CACHE_HOME", (folder / "cache").string());
  const GateSet set = load_gate_set("nam");
  std::ostringstream out;
  std::ostringstream err;
  const CommandContext context{out, err, false, {}};
  const std::string good = write_rule_set(cached_rule_set(set, sizes(1, 2), context));
  const fs::path path = cached_rule_set_path(set, 1, 2).value();

  RuleSet other = parse_rule_set(good, "good");
  other.gate_set = "ibm";
  other.gate_set_digest = "xxh128:00";
  RuleSet larger = parse_rule_set(good, "good");
  larger.gates = 9;
  RuleSet wrong = parse_rule_set(good, "good");
  wrong.classes.push_back(
      {{{{make_operation(GateKind::h, {0})}, {}}, {{make_operation(GateKind::x, {0})}, {}}}});
  const std::vector<std::pair<std::string, std::string>> cases{
      {good.substr(0, good.size() / 2), "truncated, or not a rule set"},
      {"", "truncated, or not a rule set"},
      {write_rule_set(other), "rules of gate set 'ibm'"},
      {write_rule_set(larger), "rules of 9 gates on 2 qubits, expected 1 on 2"},
      {write_rule_set(wrong), "circuit 2 is not equal to circuit 1 with the phase given"},
  };
  for (const auto& [content, why] : cases) {
    INFO(why);
    err.str("");
    write_text_file(path, content);
    CHECK(write_rule_set(cached_rule_set(set, sizes(1, 2), context)) == good);
    CHECK_THAT(err.str(), StartsWith("warning: cached rule set is made anew: " + path.string()));
    CHECK_THAT(err.str(), Contains(why));
    CHECK(read_text_file(path) == good);
  }
}

TEST_CASE("a cached rule set that nobody may read is made anew, readable") {
  const Folder folder;
  const Variable cache("XDG_CACHE_HOME", (folder / "cache").string());
  const GateSet set = load_gate_set("nam");
  std::ostringstream out;
  std::ostringstream err;
  const CommandContext context{out, err, false, {}};
  const fs::path path = cached_rule_set_path(set, 1, 2).value();
  (void)cached_rule_set(set, sizes(1, 2), context);
  const fs::perms usual = fs::status(path).permissions();
  // Who may read everything is told that it is empty.
  write_text_file(path, "");
  fs::permissions(path, fs::perms::none);
  (void)cached_rule_set(set, sizes(1, 2), context);
  CHECK_THAT(err.str(), StartsWith("warning: cached rule set is made anew: "));
  CHECK(fs::status(path).permissions() == usual);
}

TEST_CASE("runs at the same time make a rule set once") {
  const Folder folder;
  const Variable cache("XDG_CACHE_HOME", (folder / "cache").string());
  const GateSet set = load_gate_set("nam");
  std::array<std::ostringstream, 3> err;
  std::array<std::string, 3> made;
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < made.size(); ++i) {
      threads.emplace_back([&, i] {
        // A terminal: who makes it shows that on the progress line.
        const CommandContext context{err[i], err[i], true, {}};
        made[i] = write_rule_set(cached_rule_set(set, sizes(2, 3), context));
      });
    }
  }
  CHECK(made[0] == made[1]);
  CHECK(made[0] == made[2]);
  CHECK(std::ranges::count_if(err, [](const auto& text) { return !text.str().empty(); }) == 1);
  CHECK(std::distance(fs::directory_iterator(folder / "cache/quartz"), {}) == 1);
}

TEST_CASE("a rule set that cannot be cached is no error") {
  const Folder folder;
  const GateSet set = load_gate_set("nam");
  std::ostringstream out;
  std::ostringstream err;
  const CommandContext context{out, err, false, {}};

  write_text_file(folder / "file", "in the way");
  const Variable cache("XDG_CACHE_HOME", (folder / "file").string());
  CHECK(cached_rule_set(set, sizes(1, 2), context).gates == 1);
  CHECK_THAT(err.str(), StartsWith("warning: rule set is not cached: "));
  CHECK(read_text_file(folder / "file") == "in the way");

  err.str("");
  const Variable relative("XDG_CACHE_HOME", "relative");
  const Variable home("HOME", std::nullopt);
  CHECK(cached_rule_set(set, sizes(1, 2), context).gates == 1);
  CHECK(err.str() ==
        "warning: rule set is not cached: neither XDG_CACHE_HOME nor HOME is an absolute path\n");
}

TEST_CASE("without XDG_CACHE_HOME the cache is in the home folder") {
  const Folder folder;
  const Variable cache("XDG_CACHE_HOME", std::nullopt);
  const Variable home("HOME", (folder / "").string());
  const auto path = cached_rule_set_path(load_gate_set("nam"), 3, 3);
  REQUIRE(path.has_value());
  CHECK(path->parent_path() == folder / ".cache/quartz");
}

TEST_CASE("a gate set's name cannot lead out of the cache") {
  const Folder folder;
  const Variable cache("XDG_CACHE_HOME", (folder / "cache").string());
  GateSet set;
  set.name = "../../a b";
  set.digest = "xxh128:/..";
  const fs::path path = cached_rule_set_path(set, 1, 1).value();
  CHECK(path.parent_path() == folder / "cache/quartz");
  CHECK(path.filename() == "------a-b-xxh128-----n1-q1-v1.json");
}

TEST_CASE("quartz-gen says why a rule set has no rules") {
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
