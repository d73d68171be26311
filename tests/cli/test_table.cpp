#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "cli/command_run.hpp"
#include "cli/gen/gen_command.hpp"
#include "cli/opt/opt_command.hpp"
#include "cli/output/generate_progress.hpp"
#include "quartz/base/file_lock.hpp"
#include "quartz/base/files.hpp"
#include "quartz/classes/class_count.hpp"

using namespace quartz;
using namespace quartz::cli;
using namespace quartz::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// A set with few letters, so that a table is built quickly.
const std::string small_set = R"({"format": "quartz-gate-set", "version": 1, "name": "small",
  "gates": [{"gate": "h"}, {"gate": "s"}, {"gate": "sdg"}, {"gate": "cx"}]})";

/// A CZ with exchanged controls, from which annealing removes five gates.
const std::string circuit = R"(OPENQASM 2.0;
include "qelib1.inc";
qreg q[3];
h q[0]; h q[1]; cx q[0],q[1]; h q[0]; h q[1];
s q[2]; cx q[1],q[2]; h q[2]; h q[2]; cx q[1],q[2]; s q[2];
h q[2]; cx q[0],q[2]; h q[2]; cx q[0],q[1];
)";

/// A folder with a separate cache, a gate set, its rules and a circuit.
class FolderWithTables {
 public:
  FolderWithTables() : cache_("XDG_CACHE_HOME", folder_.path().string()) {
    write_text_file(set(), small_set);
    write_text_file(file("in.qasm"), circuit);
    REQUIRE(generate({"--gates", "2", "--output", file("rules.json"), "--quiet"}).code == 0);
  }
  [[nodiscard]] std::string file(const char* name) const { return (folder_ / name).string(); }
  [[nodiscard]] std::string set() const { return file("small.json"); }
  [[nodiscard]] Run generate(const std::vector<std::string>& more, bool terminal = false,
                             const std::stop_token& stop = {}) const {
    std::vector<std::string> arguments{"--gate-set", set()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(gen_command(), arguments, terminal, stop);
  }
  [[nodiscard]] Run table(const std::vector<std::string>& more, bool terminal = false,
                          const std::stop_token& stop = {}) const {
    std::vector<std::string> arguments{"table", "--gate-set", set()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(gen_command(), arguments, terminal, stop);
  }
  /// Runs quartz-opt so that equal tables give equal results.
  [[nodiscard]] Run optimize(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{
        file("in.qasm"), "--gate-set", set(),     "--rules",   file("rules.json"),
        "--search",      "anneal",     "--steps", "2000",      "--time",
        "60s",           "--threads",  "1",       "--no-check"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(opt_command(), arguments);
  }
  /// Returns the names of the files in the cache.
  [[nodiscard]] std::vector<std::string> cached() const {
    std::vector<std::string> names;
    if (!fs::exists(folder_ / "quartz")) return names;
    for (const auto& entry : fs::directory_iterator(folder_ / "quartz")) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  [[nodiscard]] fs::path only_cached() const {
    REQUIRE(cached().size() == 1);
    return folder_ / "quartz" / cached()[0];
  }

 private:
  Folder folder_;
  EnvironmentVariable cache_;
};

}  // namespace

TEST_CASE("quartz-gen table writes a class table that quartz-opt --table accepts") {
  const FolderWithTables place;
  const std::string table = place.file("small.table");
  const Run made = place.table({"--output", table, "--cost", "4", "--two-qubit-weight", "1",
                                "--stats", place.file("stats.json")});
  CHECK(made.code == 0);
  CHECK(made.out.empty());
  CHECK_THAT(made.err, StartsWith("table    "));
  CHECK_THAT(made.err, Contains("classes of cost up to 4, 15 letters on 3 qubits\n"
                                "classes  1, 15, "));
  CHECK_FALSE(fs::exists(table + ".lock"));
  const auto stats = nlohmann::json::parse(read_text_file(place.file("stats.json")));
  CHECK(stats.at("gate_set") == "small");
  CHECK(stats.at("cost") == 4);
  CHECK(stats.at("classes").size() == 5);
  CHECK(stats.at("bytes") == fs::file_size(table) - 4096);
  CHECK(stats.at("bytes_per_class").get<double>() < 12);
  CHECK(stats.at("seconds").at("build").get<double>() > 0);

  const Run better = place.optimize({"--table", table});
  INFO(better.err);
  CHECK(better.code == 0);
  CHECK_THAT(better.err, Contains("total          15"));
  CHECK(place.cached().empty());
}

TEST_CASE("a class table's options are those of the command line") {
  const FolderWithTables place;
  const auto stats_with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"table",   "--output", place.file("t"),
                                       "--stats", "-",        "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Run made = run(gen_command(), arguments);
    INFO(made.err);
    REQUIRE(made.code == 0);
    return nlohmann::json::parse(made.out);
  };
  auto stats = stats_with({"--gate-set", place.set(), "--qubits", "2", "--cost", "3",
                           "--two-qubit-weight", "3", "--threads", "1"});
  CHECK(stats.at("qubits") == 2);
  CHECK(stats.at("letters") == 8);
  CHECK(stats.at("cost") == 3);
  CHECK(stats.at("two_qubit_weight") == 3);
  CHECK(stats.at("symbolic") == false);
  stats = stats_with({"--gate-set", "nam", "--cost", "2", "--symbolic"});
  CHECK(stats.at("letters") == 39);
  CHECK(stats.at("symbolic") == true);
  const Run small = run(gen_command(), {"table", "--gate-set", "nam", "--output", place.file("t"),
                                        "--memory", "12MiB", "--quiet"});
  CHECK(small.code == 0);
  CHECK(small.err ==
        "quartz-gen: warning: cost 6 does not fit into 12582912 bytes of memory: the table goes up "
        "to "
        "cost 4\n");
}

TEST_CASE("quartz-gen table writes the same bytes on every backend") {
  const FolderWithTables place;
  REQUIRE(place.table({"--output", place.file("t"), "--cost", "4"}).code == 0);
  const std::string expected = read_text_file(place.file("t"));
  for (const std::string& backend : enumeration_backends()) {
    INFO(backend);
    const Run made =
        place.table({"--output", place.file("u"), "--cost", "4", "--backend", backend});
    if (made.code == 2) {
      CHECK_THAT(made.err, Contains("not available on this machine"));
      CHECK(backend != "cpu");
      continue;
    }
    CHECK(made.code == 0);
    CHECK(read_text_file(place.file("u")) == expected);
  }
  const Run unknown = place.table({"--output", place.file("t"), "--backend", "abacus"});
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, Contains("abacus"));
}

TEST_CASE("quartz-gen table shows a progress line and erases it") {
  const FolderWithTables place;
  const Run made = place.table({"--output", place.file("t"), "--quiet"}, true);
  CHECK_THAT(made.err, Contains("class table: cost ") && Contains(" classes, "));
  CHECK(made.err.ends_with("\r\x1b[K"));
  CHECK(progress_text(ClassTableProgress{6, 5'463'881, 2.04}) ==
        "class table: cost 6, 5463881 classes, 2.0 s");
}

TEST_CASE("quartz-gen table writes no file if it is stopped") {
  const FolderWithTables place;
  std::stop_source stop;
  stop.request_stop();
  const Run run = place.table({"--output", place.file("t")}, false, stop.get_token());
  CHECK(run.code == 4);
  CHECK_THAT(run.err, StartsWith("quartz-gen: error: stopped"));
  CHECK_FALSE(fs::exists(place.file("t")));
  CHECK_FALSE(fs::exists(place.file("t.lock")));
}

TEST_CASE("a file that cannot be written is reported before the table is built") {
  const FolderWithTables place;
  const std::string nowhere = place.file("no/such/t");
  const Run run = place.table({"--output", nowhere, "--cost", "30"});
  CHECK(run.code == 3);
  CHECK(run.err == "quartz-gen: error: " + nowhere + ": cannot write: No such file or directory\n");
}

TEST_CASE("a process waits for another one that builds the same class table, and uses its file") {
  const FolderWithTables place;
  const std::string table = place.file("t");
  const std::string other = place.file("other");
  REQUIRE(place.table({"--output", other, "--cost", "3", "--quiet"}).code == 0);
  Run second;
  std::jthread waiting;  // joined after the lock was released, whatever fails below
  auto lock = FileLock::try_lock(table);
  REQUIRE(lock);
  waiting = std::jthread([&] { second = place.table({"--output", table, "--cost", "3"}); });
  // This is the first process' file, which appears while the second one waits.
  write_text_file(table, read_text_file(other));
  const auto written = fs::last_write_time(table);
  lock.reset();
  waiting.join();
  CHECK(second.code == 0);
  CHECK_THAT(second.err, StartsWith("table    "));
  CHECK(read_text_file(table) == read_text_file(other));
  CHECK(fs::last_write_time(table) >= written);
}

TEST_CASE("quartz-opt rejects a table that is damaged or of another gate set") {
  const FolderWithTables place;
  const std::string table = place.file("small.table");
  REQUIRE(place.table({"--output", table, "--cost", "4"}).code == 0);
  const std::string good = read_text_file(table);
  const auto refused = [&](const std::string& content, const char* why) {
    write_text_file(table, content);
    const Run run = place.optimize({"--table", table, "--output", place.file("out.qasm")});
    INFO(run.err);
    CHECK(run.code == 3);
    CHECK_THAT(run.err, StartsWith("quartz-opt: error: " + table + ": ") && Contains(why));
    CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
    CHECK_FALSE(fs::exists(place.file("out.qasm")));
  };
  refused(good.substr(0, good.size() - 100), "truncated");
  refused(small_set, "not a class table");
  std::string damaged = good;
  damaged[5000] = static_cast<char>(damaged[5000] ^ 1);
  refused(damaged, "damaged");
  write_text_file(table, good);
  const Run other =
      run(opt_command(), {place.file("in.qasm"), "--gate-set", "nam", "--table", table});
  CHECK(other.code == 3);
  CHECK_THAT(other.err, Contains("of another gate set: found 'small'"));
}

TEST_CASE("quartz-opt caches its class table, and the result is the same with it") {
  const FolderWithTables place;
  const Run first = place.optimize({});
  INFO(first.err);
  CHECK(first.code == 0);
  const fs::path cached = place.only_cached();
  CHECK_THAT(cached.filename().string(), StartsWith("small-xxh128-"));
  CHECK_THAT(cached.filename().string(), Contains("-table-q3-c5-w1-v1.bin"));
  const std::string content = read_text_file(cached);
  const auto written = fs::last_write_time(cached);
  const Run second = place.optimize({});
  CHECK(second.out == first.out);
  CHECK(fs::last_write_time(cached) == written);
  CHECK(place.cached().size() == 1);

  // A bad table is replaced, with a warning.
  write_text_file(cached, content.substr(0, 5000));
  const Run third = place.optimize({});
  CHECK(third.code == 0);
  CHECK(third.out == first.out);
  CHECK_THAT(third.err,
             StartsWith("warning: cached class table is not used and will be replaced: " +
                        cached.string()));
  CHECK(read_text_file(cached) == content);

  // The right file name is not enough.
  REQUIRE(place.table({"--output", cached.string(), "--cost", "2"}).code == 0);
  CHECK_THAT(place.optimize({}).err, Contains("not the one described by its file name"));
  CHECK(read_text_file(cached) == content);
}

TEST_CASE("a deeper table in the cache is used, unless the result must not depend on it") {
  const FolderWithTables place;
  const Run before = place.optimize({});
  const Run made = place.table({"--output", "cache", "--cost", "8"});
  CHECK(made.code == 0);
  REQUIRE(place.cached().size() == 2);
  CHECK_THAT(place.cached()[1], Contains("-c8-"));
  CHECK(place.optimize({}).out == before.out);
  // A damaged file reveals which runs read it.
  write_text_file(place.file("quartz") + "/" + place.cached()[1], "damaged");
  CHECK(place.optimize({}).err.find("warning") == std::string::npos);
  const Run timed = run(opt_command(), {place.file("in.qasm"), "-g", place.set(), "--rules",
                                        place.file("rules.json"), "-t", "5s", "-o", "-"});
  CHECK(timed.code == 0);
  CHECK_THAT(timed.err,
             StartsWith("warning: cached class table is not used and will be replaced: "));
}

TEST_CASE("quartz-gen table --output cache names what was built") {
  const FolderWithTables place;
  REQUIRE(run(gen_command(),
              {"table", "--gate-set", "nam", "--output", "cache", "--memory", "12MiB", "--quiet"})
              .code == 0);
  CHECK_THAT(place.only_cached().filename().string(), Contains("-table-q3-c4-w1-v1.bin"));
  const EnvironmentVariable none("XDG_CACHE_HOME", std::nullopt);
  const EnvironmentVariable home("HOME", std::nullopt);
  CHECK(place.table({"--output", "cache"}).code == 2);
}

TEST_CASE("concurrent runs share one class table") {
  const FolderWithTables place;
  std::array<Run, 3> runs;
  {
    std::vector<std::jthread> threads;
    for (Run& each : runs) threads.emplace_back([&] { each = place.optimize({}); });
  }
  for (const Run& each : runs) {
    CHECK(each.code == 0);
    CHECK(each.out == runs[0].out);
    CHECK(each.err.find("warning") == std::string::npos);
  }
  (void)place.only_cached();
}

TEST_CASE("a class table that cannot be cached is not an error") {
  const FolderWithTables place;
  write_text_file(place.file("quartz"), "in the way");
  const Run run = place.optimize({});
  CHECK(run.code == 0);
  CHECK(read_text_file(place.file("quartz")) == "in the way");
}
