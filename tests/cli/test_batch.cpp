#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "cli/check/check_command.hpp"
#include "cli/command_run.hpp"
#include "cli/opt/opt_command.hpp"
#include "cli/opt/opt_options.hpp"
#include "quartz/base/files.hpp"

using namespace quartz;
using namespace quartz::cli;
using namespace quartz::test;
using Catch::Matchers::Contains;

// These tests optimize several files in one call. They do not search, and need no rules.

namespace {

/// Two rotations, which are merged, and two Hadamard gates.
const std::string merging =
    "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[1];\nh q[0];\nh q[0];\n"
    "rz(pi/4) q[0];\nrz(pi/8) q[0];\n";
const std::string cancelling =
    "OPENQASM 2.0;\ninclude \"qelib1.inc\";\nqreg q[2];\ncx q[0],q[1];\ncx q[0],q[1];\n";
const std::string broken = "OPENQASM 2.0;\nqreg q[1];\nnosuchgate q[0];\n";

class FolderOfCircuits {
 public:
  FolderOfCircuits() : cache_("XDG_CACHE_HOME", folder_.path().string()) {
    fs::create_directories(folder_ / "sub/deep");
    write_text_file(folder_ / "a.qasm", merging);
    write_text_file(folder_ / "sub/b.qasm", cancelling);
    write_text_file(folder_ / "sub/deep/c.qasm", cancelling);
    write_text_file(folder_ / "sub/notes.txt", "not a circuit");
    write_text_file(folder_ / "bad.qasm", broken);
  }
  [[nodiscard]] std::string file(const char* name) const { return (folder_ / name).string(); }

  /// Optimizes inputs without a search.
  [[nodiscard]] Run optimize(std::vector<std::string> arguments,
                             const std::stop_token& stop = {}) const {
    for (const char* argument : {"-g", "nam", "--search", "fold", "--threads", "1", "-t", "60s"}) {
      arguments.emplace_back(argument);
    }
    return run(opt_command(), arguments, false, stop);
  }

 private:
  Folder folder_;
  EnvironmentVariable cache_;
};

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("quartz-opt optimizes files and folders into a folder", "[batch]") {
  const FolderOfCircuits place;
  const std::string out = place.file("results/all");
  const Run result = place.optimize({place.file("a.qasm"), place.file("sub"), "-o", out});
  INFO(result.err);
  REQUIRE(result.code == 0);
  CHECK(result.out.empty());
  CHECK_THAT(read_text_file(out + "/a.qasm"), Contains("rz(3*pi/8) q[0];"));
  CHECK(fs::exists(out + "/b.qasm"));
  CHECK(fs::exists(out + "/deep/c.qasm"));
  CHECK_FALSE(fs::exists(out + "/notes.txt"));
  // The summary has a header, a line for each file, and a line of totals.
  CHECK(lines_of(result.err) == 5);
  CHECK_THAT(result.err, Contains("total before  after  seconds  checked") &&
                             Contains("3 of 3 files") && Contains("3 verified, 0 failed"));
  CHECK(result.err.find('\x1b') == std::string::npos);
}

TEST_CASE("links to files are inputs of their own, and links to folders are not followed",
          "[batch]") {
  const FolderOfCircuits place;
  fs::create_symlink("c.qasm", place.file("sub/deep/link.qasm"));
  fs::create_directory_symlink("deep", place.file("sub/shallow"));
  const Run result = place.optimize(
      {place.file("sub/deep"), place.file("sub/shallow/c.qasm"), "-o", place.file("out")});
  INFO(result.err);
  REQUIRE(result.code == 0);
  CHECK(read_text_file(place.file("out/link.qasm")) == read_text_file(place.file("out/c.qasm")));
  // The folder has two names, and its file is optimized once.
  CHECK_THAT(result.err, Contains("2 of 2 files"));
  const Run all = place.optimize({place.file("sub"), "-o", place.file("all")});
  CHECK_THAT(all.err, Contains("3 of 3 files"));
  CHECK_FALSE(fs::exists(place.file("all/shallow")));
}

TEST_CASE("several inputs need a folder for their results", "[batch]") {
  const FolderOfCircuits place;
  const Run result = place.optimize({place.file("a.qasm"), place.file("sub/b.qasm")});
  CHECK(result.code == 2);
  CHECK_THAT(result.err, Contains("--output: the results of several inputs are written to a "
                                  "folder, not to standard output"));
}

TEST_CASE("a bad file does not stop the others, and decides the exit code", "[batch]") {
  const FolderOfCircuits place;
  const Run result =
      place.optimize({place.file("bad.qasm"), place.file("missing.qasm"), place.file("a.qasm"),
                      place.file("sub/deep"), "--output", place.file("out")});
  CHECK(result.code == 3);
  CHECK(fs::exists(place.file("out/a.qasm")));
  CHECK(fs::exists(place.file("out/c.qasm")));
  CHECK_FALSE(fs::exists(place.file("out/bad.qasm")));
  CHECK_THAT(result.err, Contains("quartz-opt: error: " + place.file("bad.qasm") + ":3:1: ") &&
                             Contains("missing.qasm: cannot read") &&
                             Contains("failed (exit code 3)") && Contains("2 of 4 files") &&
                             Contains("2 verified, 2 failed"));
}

TEST_CASE("With --quiet, quartz-opt prints only errors, also for several inputs", "[batch]") {
  const FolderOfCircuits place;
  const std::vector<std::string> good{place.file("a.qasm"), place.file("sub"), "-o",
                                      place.file("out"), "--quiet"};
  CHECK(place.optimize(good).err.empty());
  const Run result = place.optimize(
      {place.file("bad.qasm"), place.file("a.qasm"), "-o", place.file("out"), "--quiet"});
  CHECK(result.code == 3);
  CHECK(lines_of(result.err) == 1);
}

TEST_CASE("With --json, quartz-opt prints the statistics of one or several circuits", "[batch]") {
  const FolderOfCircuits place;
  const std::string out = place.file("out.qasm");
  const Run one = place.optimize({place.file("a.qasm"), "-o", out, "--json"});
  INFO(one.err);
  REQUIRE(one.code == 0);
  CHECK(one.err.empty());
  const auto stats = nlohmann::json::parse(one.out);
  CHECK(stats.at("before").at("total") == 4);
  CHECK(stats.at("after").at("total") == 3);
  CHECK(stats.at("verified") == true);

  const Run several = place.optimize(
      {place.file("a.qasm"), place.file("bad.qasm"), "-o", place.file("out"), "--json"});
  CHECK(several.code == 3);
  const auto summary = nlohmann::json::parse(several.out);
  REQUIRE(summary.at("files").size() == 2);
  const auto& good = summary.at("files").at(0);
  CHECK(good.at("file") == place.file("a.qasm"));
  CHECK(good.at("output") == place.file("out/a.qasm"));
  CHECK(good.at("exit_code") == 0);
  CHECK(good.at("error").is_null());
  CHECK(good.at("stats").at("after") == stats.at("after"));
  const auto& bad = summary.at("files").at(1);
  CHECK(bad.at("exit_code") == 3);
  CHECK_THAT(bad.at("error").get<std::string>(), Contains("nosuchgate"));
  CHECK(bad.at("stats").is_null());
  CHECK(summary.at("totals").at("failed") == 1);
  CHECK(summary.at("totals").at("verified") == 1);
  CHECK(summary.at("totals").at("cost") ==
        nlohmann::json{{"total", {{"before", 4}, {"after", 3}}}});
}

TEST_CASE("reports of several inputs are written to folders", "[batch]") {
  const FolderOfCircuits place;
  const Run result = place.optimize({place.file("a.qasm"), place.file("sub"), "-o",
                                     place.file("out"), "--stats", place.file("stats"), "--report",
                                     place.file("html"), "--journal", place.file("out")});
  INFO(result.err);
  REQUIRE(result.code == 0);
  for (const char* name : {"stats/a.qasm.stats.json", "stats/deep/c.qasm.stats.json",
                           "html/b.qasm.html", "out/deep/c.qasm.qj", "out/a.qasm.qj"}) {
    INFO(name);
    CHECK(fs::exists(place.file(name)));
  }
}

TEST_CASE("files that cannot be told apart are wrong usage, and nothing is written", "[batch]") {
  const FolderOfCircuits place;
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  const std::string a = place.file("a.qasm");
  const std::string sub = place.file("sub");
  for (const Case& c : {
           Case{{a, sub},
                "the results of several inputs are written to a folder, not to standard output"},
           Case{{a, sub, "-o", place.file("bad.qasm")}, "is not a folder"},
           Case{{a, sub, "-o", place.file("out"), "--stats", a}, "--stats: '" + a + "'"},
           Case{{a, "-", "-o", place.file("out")}, "standard input"},
           Case{{a, sub, "-o", place.file("")}, "would replace the input"},
           Case{{sub, "-o", sub}, "would replace the input"},
           Case{{a, "--json"}, "standard output"},
       }) {
    INFO(c.message);
    const Run result = place.optimize(c.arguments);
    CHECK(result.code == 2);
    CHECK_THAT(result.err, Contains(c.message));
    CHECK_FALSE(fs::exists(place.file("out")));
    CHECK(read_text_file(a) == merging);
  }
  write_text_file(place.file("sub/a.qasm"), cancelling);
  const Run result = place.optimize({a, sub, "-o", place.file("out")});
  CHECK(result.code == 2);
  CHECK_THAT(result.err, Contains("would both be " + place.file("out/a.qasm")));
}

TEST_CASE("no file that is written is another one of the call, by whatever name", "[batch]") {
  const FolderOfCircuits place;
  const std::string a = place.file("a.qasm");
  const std::string out = place.file("out.qasm");
  fs::create_symlink(place.file("a.qasm"), place.file("link.qasm"));
  fs::create_hard_link(a, place.file("hard.qasm"));
  fs::create_directory_symlink(place.file("sub"), place.file("linked"));
  write_text_file(place.file("set.json"), read_text_file(QUARTZ_SOURCE_DIR "/gatesets/nam.json"));
  const std::string relative = fs::relative(a).string();
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  std::vector<Case> cases{
      {{a, "-o", a}, "the result of " + a + " would replace the input " + a},
      {{a, "-o", relative}, "would replace the input"},
      {{a, "-o", place.file("sub/../a.qasm")}, "would replace the input"},
      {{a, "-o", place.file("link.qasm")}, "would replace the input"},
      {{place.file("link.qasm"), "-o", a}, "would replace the input"},
      {{a, "-o", place.file("hard.qasm")}, "would replace the input"},
      {{a, "-o", out, "--stats", place.file("sub/../out.qasm")},
       "the result of " + a + " and --stats would both be"},
      {{a, "-o", place.file("sub/out.qasm"), "--stats", place.file("linked/out.qasm")},
       "would both be"},
      {{a, "-o", "-", "--stats", "-"}, "would both be standard output"},
  };
  // Each option that names a file, as the input and as another output.
  for (const OutputOption& option : kOutputOptions) {
    if (option.file == &OptFiles::output) continue;
    const std::string name = option.name;
    cases.push_back({{a, "-o", out, name, a}, name + " would replace the input " + a});
    cases.push_back({{a, "-o", out, name, out}, name + " would both be " + out});
    const std::string set = place.file("set.json");
    cases.push_back({{a, "-o", out, name, set, "--coupling", set},
                     name + " would replace the file " + set + " of --coupling"});
  }
  for (const Case& c : cases) {
    CAPTURE(c.arguments);
    const Run result = place.optimize(c.arguments);
    CHECK(result.code == 2);
    CHECK_THAT(result.err, Contains(c.message));
    CHECK_FALSE(fs::exists(out));
    CHECK(read_text_file(a) == merging);
  }
  const Run several =
      place.optimize({a, place.file("sub"), "-o", place.file("out"), "--stats", place.file("out")});
  CHECK(several.code == 0);  // their names have different endings
  write_text_file(place.file("sub/x.qasm"), cancelling);
  fs::create_symlink(place.file("sub/b.qasm"), place.file("sub/x.qasm.qj"));
  const Run linked =
      place.optimize({place.file("sub"), "-o", place.file("out"), "--journal", place.file("sub")});
  CHECK(linked.code == 2);
  CHECK_THAT(linked.err, Contains("--journal of " + place.file("sub/x.qasm") +
                                  " would replace the input " + place.file("sub/b.qasm")));
}

TEST_CASE("included files are in the folder of the input or in the include path", "[batch]") {
  const FolderOfCircuits place;
  write_text_file(place.file("sub/deep/gates.inc"), "gate flip a { x a; x a; x a; }\n");
  const std::string program =
      "OPENQASM 2.0;\ninclude \"qelib1.inc\";\ninclude \"gates.inc\";\nqreg q[1];\nflip q[0];\n";
  write_text_file(place.file("a.qasm"), program);
  const std::string a = place.file("a.qasm");
  const std::string out = place.file("out.qasm");
  const Run refused = place.optimize({a, "-o", out});
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, Contains("a.qasm:3:9: cannot include 'gates.inc'"));
  const std::vector<std::string> path{"--include-path", place.file("sub"), "--include-path",
                                      place.file("sub/deep")};
  std::vector<std::string> arguments{a, "-o", out};
  arguments.insert(arguments.end(), path.begin(), path.end());
  CHECK(place.optimize(arguments).code == 0);

  std::vector<std::string> compared{a, out};
  CHECK(run(check_command(), compared).code == 3);
  compared.insert(compared.end(), path.begin(), path.end());
  CHECK(run(check_command(), compared).code == 0);
}

TEST_CASE("devices may be written several times", "[batch]") {
  const FolderOfCircuits place;
  const Run result =
      place.optimize({place.file("a.qasm"), "-o", "/dev/null", "--stats", "/dev/null", "--report",
                      "/dev/null", "--journal", "/dev/null"});
  CHECK(result.code == 0);
  CHECK(result.err.find("error") == std::string::npos);
}

TEST_CASE("a pipe in a folder is refused, and one that is named is read", "[batch]") {
  const FolderOfCircuits place;
  const std::string pipe = place.file("sub/pipe.qasm");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const Run result = place.optimize({place.file("sub"), "-o", place.file("out")});
  CHECK(result.code == 3);
  CHECK_THAT(result.err, Contains(pipe + ": it is not a regular file"));
  CHECK(fs::exists(place.file("out/b.qasm")));
  CHECK_FALSE(fs::exists(place.file("out/pipe.qasm")));

  std::thread writer([&] { std::ofstream(pipe) << merging; });
  const Run named = place.optimize({pipe, "-o", place.file("named.qasm")});
  writer.join();
  CHECK(named.code == 0);
  CHECK(fs::exists(place.file("named.qasm")));
}

TEST_CASE("a file that is named twice is optimized once, and results are not inputs", "[batch]") {
  const FolderOfCircuits place;
  const std::vector<std::string> arguments{place.file("sub"), place.file("sub/deep/../b.qasm"),
                                           "-o", place.file("sub/results")};
  for (int i = 0; i < 2; ++i) {
    const Run result = place.optimize(arguments);
    INFO(result.err);
    CHECK(result.code == 0);
    CHECK_THAT(result.err, Contains("2 of 2 files"));
  }
}

TEST_CASE("a folder without circuits is a bad input", "[batch]") {
  const FolderOfCircuits place;
  fs::create_directories(place.file("empty"));
  const Run result =
      place.optimize({place.file("empty"), place.file("a.qasm"), "-o", place.file("out")});
  CHECK(result.code == 3);
  CHECK_THAT(result.err, Contains("the folder has no file *.qasm") && Contains("1 of 2 files"));
}

TEST_CASE("a repeated call skips what is finished, and prints the same summary", "[batch]") {
  const FolderOfCircuits place;
  const std::vector<std::string> arguments{
      place.file("bad.qasm"), place.file("a.qasm"), place.file("sub"), "-o",
      place.file("out"),      "--finished",         place.file("done")};
  const Run first = place.optimize(arguments);
  CHECK(first.code == 3);
  CHECK(fs::exists(place.file("done/a.qasm.finished.json")));
  CHECK(fs::exists(place.file("done/deep/c.qasm.finished.json")));
  CHECK_FALSE(fs::exists(place.file("done/bad.qasm.finished.json")));
  const std::string result = place.file("out/a.qasm");
  const auto past = fs::file_time_type::clock::now() - std::chrono::hours(1);
  const auto is_skipped = [&](const std::vector<std::string>& call) {
    fs::last_write_time(result, past);
    const Run again = place.optimize(call);
    INFO(again.err);
    CHECK(again.code == first.code);
    return fs::last_write_time(result) == past;
  };
  CHECK(is_skipped(arguments));

  // Another option, a changed result, a changed input, and a damaged record.
  std::vector<std::string> others = arguments;
  others.insert(others.end(), {"--seed", "7"});
  CHECK_FALSE(is_skipped(others));
  CHECK(is_skipped(others));
  write_text_file(result, cancelling);
  CHECK_FALSE(is_skipped(others));
  CHECK_THAT(read_text_file(result), Contains("rz(3*pi/8) q[0];"));
  write_text_file(place.file("a.qasm"), merging + "h q[0];\n");
  CHECK_FALSE(is_skipped(others));
  for (const char* damaged : {"", "{}", "[1]", "no JSON"}) {
    write_text_file(place.file("done/a.qasm.finished.json"), damaged);
    CHECK_FALSE(is_skipped(others));
    CHECK(is_skipped(others));
  }
}

TEST_CASE("the record of a finished run has what the summary says", "[batch]") {
  const FolderOfCircuits place;
  const std::vector<std::string> arguments{
      place.file("a.qasm"), place.file("sub"),  "-o",    place.file("out"),
      "--finished",         place.file("done"), "--json"};
  const Run first = place.optimize(arguments);
  REQUIRE(first.code == 0);
  const Run again = place.optimize(arguments);
  CHECK(again.out == first.out);
  CHECK(again.err == first.err);
  const Run one = place.optimize(
      {place.file("a.qasm"), "-o", place.file("out.qasm"), "--finished", place.file("done")});
  CHECK(one.code == 2);
  CHECK_THAT(one.err, Contains("--finished is for several inputs"));
}

TEST_CASE("a stop before the first file causes exit code 4, and nothing is written", "[batch]") {
  const FolderOfCircuits place;
  std::stop_source source;
  source.request_stop();
  const Run result =
      place.optimize({place.file("a.qasm"), place.file("sub"), "-o", place.file("out"), "--json"},
                     source.get_token());
  CHECK(result.code == 4);
  CHECK_FALSE(fs::exists(place.file("out")));
}
