#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "environment_variable.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/rule_set_source.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using namespace quartz::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

namespace fs = std::filesystem;

/// A folder for one test, in which the default cache is.
class Workplace {
 public:
  Workplace() : cache_("XDG_CACHE_HOME", (folder / "cache").string()) {}
  TemporaryFolder folder;
  std::vector<std::string> warnings;

  [[nodiscard]] RuleSetOptions sizes(unsigned gates, unsigned qubits) {
    RuleSetOptions options;
    options.generate.gates = gates;
    options.generate.qubits = qubits;
    options.generate.threads = 1;
    options.on_warning = [this](std::string_view message) { warnings.emplace_back(message); };
    return options;
  }

 private:
  EnvironmentVariable cache_;
};

}  // namespace

TEST_CASE("a cached rule set is generated once, then read", "[rule set source]") {
  Workplace place;
  const GateSet set = load_gate_set("nam");
  const auto path = cached_rule_set_path(set, 2, 2);
  REQUIRE(path.has_value());
  CHECK(path->parent_path() == place.folder / "cache/quartz");
  CHECK_THAT(path->filename().string(), StartsWith("nam-xxh128-"));
  CHECK_THAT(path->filename().string(), Contains("-n2-q2-v1.json"));
  CHECK(path != cached_rule_set_path(set, 2, 3));
  CHECK(path != cached_rule_set_path(set, 3, 2));
  CHECK(path != cached_rule_set_path(load_gate_set("ibm"), 2, 2));

  ObtainedRuleSet first = obtain_rule_set(set, place.sizes(2, 2));
  CHECK(read_text_file(*path) == write_rule_set(first.rules));
  CHECK(first.rules.seed == 0);
  REQUIRE(first.report.has_value());
  CHECK(first.report->classes == first.rules.classes.size());

  // A second call returns the content of the file.
  first.rules.seed = 77;
  write_text_file(*path, write_rule_set(first.rules));
  const ObtainedRuleSet second = obtain_rule_set(set, place.sizes(2, 2));
  CHECK(second.rules.seed == 77);
  CHECK_FALSE(second.report.has_value());
  CHECK(place.warnings.empty());
}

TEST_CASE("a cached rule set that is damaged or for something else is replaced",
          "[rule set source]") {
  Workplace place;
  const GateSet set = load_gate_set("nam");
  const std::string good = write_rule_set(obtain_rule_set(set, place.sizes(1, 2)).rules);
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
    place.warnings.clear();
    write_text_file(path, content);
    CHECK(write_rule_set(obtain_rule_set(set, place.sizes(1, 2)).rules) == good);
    REQUIRE(place.warnings.size() == 1);
    CHECK_THAT(place.warnings[0],
               StartsWith("cached rule set is not used and will be replaced: " + path.string()) &&
                   Contains(why));
    CHECK(read_text_file(path) == good);
  }
}

TEST_CASE("a cached rule set without read permission is replaced by a readable one",
          "[rule set source]") {
  Workplace place;
  const GateSet set = load_gate_set("nam");
  const fs::path path = cached_rule_set_path(set, 1, 2).value();
  (void)obtain_rule_set(set, place.sizes(1, 2));
  const fs::perms usual = fs::status(path).permissions();
  // Root can read every file, and finds this one empty.
  write_text_file(path, "");
  fs::permissions(path, fs::perms::none);
  (void)obtain_rule_set(set, place.sizes(1, 2));
  REQUIRE(place.warnings.size() == 1);
  CHECK_THAT(place.warnings[0], StartsWith("cached rule set is not used and will be replaced: "));
  CHECK(fs::status(path).permissions() == usual);
}

TEST_CASE("concurrent calls generate a rule set once", "[rule set source]") {
  Workplace place;
  const GateSet set = load_gate_set("nam");
  std::array<ObtainedRuleSet, 3> made;
  {
    std::vector<std::jthread> threads;
    for (ObtainedRuleSet& each : made) {
      threads.emplace_back([&] {
        RuleSetOptions options = place.sizes(2, 3);
        options.on_warning = {};
        each = obtain_rule_set(set, options);
      });
    }
  }
  CHECK(write_rule_set(made[0].rules) == write_rule_set(made[1].rules));
  CHECK(write_rule_set(made[0].rules) == write_rule_set(made[2].rules));
  CHECK(std::ranges::count_if(made, [](const auto& each) { return each.report.has_value(); }) == 1);
  CHECK(std::distance(fs::directory_iterator(place.folder / "cache/quartz"), {}) == 1);
}

TEST_CASE("a rule set that cannot be cached is not an error", "[rule set source]") {
  Workplace place;
  const GateSet set = load_gate_set("nam");

  write_text_file(place.folder / "file", "in the way");
  const EnvironmentVariable cache("XDG_CACHE_HOME", (place.folder / "file").string());
  CHECK(obtain_rule_set(set, place.sizes(1, 2)).rules.gates == 1);
  REQUIRE(place.warnings.size() == 1);
  CHECK_THAT(place.warnings[0], StartsWith("rule set is not cached: "));
  CHECK(read_text_file(place.folder / "file") == "in the way");

  place.warnings.clear();
  const EnvironmentVariable relative("XDG_CACHE_HOME", "relative");
  const EnvironmentVariable home("HOME", std::nullopt);
  CHECK(obtain_rule_set(set, place.sizes(1, 2)).rules.gates == 1);
  CHECK(place.warnings ==
        std::vector<std::string>{
            "rule set is not cached: neither XDG_CACHE_HOME nor HOME is an absolute path"});
}

TEST_CASE("a rule set is cached in the folder of the options, or not at all", "[rule set source]") {
  Workplace place;
  const GateSet set = load_gate_set("nam");
  RuleSetOptions options = place.sizes(1, 2);
  options.cache.folder = place.folder / "mine";
  CHECK(obtain_rule_set(set, options).report.has_value());
  CHECK_FALSE(obtain_rule_set(set, options).report.has_value());
  CHECK(fs::exists(cached_rule_set_path(set, 1, 2, options.cache).value()));

  options.cache = {.enabled = false, .folder = place.folder / "none"};
  CHECK(obtain_rule_set(set, options).report.has_value());
  CHECK_FALSE(cached_rule_set_path(set, 1, 2, options.cache).has_value());
  CHECK(place.folder.names() == std::vector<std::string>{"mine"});
  CHECK(place.warnings.empty());
}

TEST_CASE("the progress of generation is reported, and a stop ends it", "[rule set source]") {
  Workplace place;
  const GateSet set = load_gate_set("nam");
  RuleSetOptions options = place.sizes(2, 2);
  std::stop_source stop;
  std::size_t calls = 0;
  options.generate.stop = stop.get_token();
  options.generate.on_progress = [&](const GenerateProgress&) {
    ++calls;
    stop.request_stop();
  };
  CHECK_THROWS_AS(obtain_rule_set(set, options), Error);
  CHECK(calls > 0);
  CHECK_FALSE(fs::exists(cached_rule_set_path(set, 2, 2).value()));
}

TEST_CASE("without XDG_CACHE_HOME the cache is in the home folder", "[rule set source]") {
  const TemporaryFolder folder;
  const EnvironmentVariable cache("XDG_CACHE_HOME", std::nullopt);
  const EnvironmentVariable home("HOME", (folder / "").string());
  const auto path = cached_rule_set_path(load_gate_set("nam"), 3, 3);
  REQUIRE(path.has_value());
  CHECK(path->parent_path() == folder / ".cache/quartz");
}

TEST_CASE("a gate set's name cannot lead out of the cache", "[rule set source]") {
  const TemporaryFolder folder;
  const EnvironmentVariable cache("XDG_CACHE_HOME", (folder / "cache").string());
  GateSet set;
  set.name = "../../a b";
  set.digest = "xxh128:/..";
  const fs::path path = cached_rule_set_path(set, 1, 1).value();
  CHECK(path.parent_path() == folder / "cache/quartz");
  CHECK(path.filename() == "------a-b-xxh128-----n1-q1-v1.json");
}
