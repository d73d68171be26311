// Every row of the list of the library's options is found in all that follow from it.

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "cli/opt/opt_command.hpp"
#include "command_run.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/quartz.h"
#include "quartz/workflow/options.hpp"

using namespace quartz;
using namespace quartz::test;
using Catch::Contains;

namespace {

std::string source_file(const std::string& path) {
  return read_text_file(QUARTZ_SOURCE_DIR "/" + path);
}

/// Returns the name of an option on the command line.
std::string long_name(const Option& option) {
  std::string name = "--" + std::string(option.name);
  std::ranges::replace(name, '_', '-');
  return name;
}

/// Returns the index of an option of the C interface; quartz_options_count() if it has none.
std::size_t c_index(std::string_view name) {
  std::size_t index = 0;
  while (index < quartz_options_count() && name != quartz_options_name(index)) ++index;
  return index;
}

}  // namespace

TEST_CASE("Every option of a group is in the help and in the reference", "[options]") {
  const std::string help = run(cli::opt_command(), {"--help"}).out;
  const std::string page = source_file("docs/reference/quartz-opt.md");
  std::size_t found = 0;
  for (const Option& option : library_options()) {
    if (option.group.empty()) continue;
    INFO(option.name);
    ++found;
    const std::regex line("\n *(-[a-z],)?" + long_name(option) + "[ \n]");
    CHECK(std::regex_search(help, line));
    CHECK(std::regex_search(page, std::regex("\n\\| `(-[a-z],)?" + long_name(option) + "[ `]")));
  }
  CHECK(found > 10);
}

TEST_CASE("Every option is in the C interface, which describes and sets it", "[options]") {
  quartz_options* options = nullptr;
  REQUIRE(quartz_options_create(&options, nullptr) == QUARTZ_OK);
  for (const Option& option : library_options()) {
    INFO(option.name);
    const std::size_t index = c_index(option.name);
    CHECK((index < quartz_options_count()) == option.in_c);
    if (!option.in_c) continue;
    const std::string description = quartz_options_description(index);
    CHECK(description.size() > 10);
    for (const std::string_view name : option.names) {
      CHECK_THAT(description, Contains(std::string(name)));
      CHECK(quartz_options_set(options, option.name.data(), std::string(name).c_str(), nullptr) ==
            QUARTZ_OK);
    }
    CHECK(quartz_options_set(options, option.name.data(), "", nullptr) == QUARTZ_OK);
  }
  quartz_options_free(options);
}

TEST_CASE("Every option is an argument of Python's optimize, with a type and a description",
          "[options]") {
  const std::string function = source_file("python/quartz/optimization.py");
  const std::string types = source_file("python/quartz/options.py");
  for (const Option& option : library_options()) {
    INFO(option.name);
    const std::string name(option.name);
    const bool has_parameter =
        std::regex_search(function, std::regex("\n    " + name + ": [^\n]* = [^\n]*,\n"));
    CHECK(has_parameter == option.in_python);
    if (!option.in_python) continue;
    CHECK(std::regex_search(function, std::regex("\n        " + name + ": [A-Z`]")));
    CHECK(std::regex_search(types, std::regex("\n    " + name + ": [^\n]*\n")));
  }
}

TEST_CASE("The record for repeating a run has the options on which the result depends",
          "[options]") {
  const Folder folder;
  const std::string input = QUARTZ_SOURCE_DIR "/circuits/tof_3.qasm";
  const std::string stats = (folder / "stats.json").string();
  const Run done =
      run(cli::opt_command(), {input, "-g", "nam", "--time", "0s", "--seed", "7", "--barriers",
                               "ignore", "--permutation", "free", "--stats", stats, "--quiet"});
  REQUIRE(done.code == 0);
  const auto replay = nlohmann::json::parse(read_text_file(stats)).at("replay");
  for (const Option& option : library_options()) {
    INFO(option.name);
    if (option.is_recorded) CHECK(replay.contains(std::string(option.name)));
  }
  CHECK(replay.at("seed") == 7);
  CHECK(replay.at("time") == 0);
  CHECK(replay.at("barriers") == "ignore");
  CHECK(replay.at("permutation") == "free");
  CHECK(replay.at("initial_state") == "any");
}

TEST_CASE("Options are set from text, and every default is a value of its option", "[options]") {
  for (const Option& option : library_options()) {
    INFO(option.name);
    SuperoptimizeOptions options;
    if (const std::optional<OptionValue> value = default_of(option)) {
      option.assign(options, *value);
      CHECK(option.read(options) == value);
    }
    CHECK(help_of(option, [](std::string_view) { return std::string("?"); }).size() > 10);
  }
  SuperoptimizeOptions options;
  const auto set = [&](std::string_view name, const std::string& text) {
    set_from_text(library_option(name), options, text);
  };
  set("check_time", "2.5");
  CHECK(options.check_seconds == 2.5);
  set("check_time", "");
  CHECK_FALSE(options.check_seconds.has_value());
  set("table_memory", "1000");
  CHECK(options.table_memory == 1000);
  set("cache", "off");
  CHECK_FALSE(options.cache.enabled);
  set("qasm", "3");
  set("qasm", "0");
  CHECK(options.qasm_version == 0);
  CHECK_THROWS_WITH(set("qasm", "4"), "\"4\" is not 2 or 3");
  CHECK_THROWS_WITH(set("steps", "0"), "\"0\" is not a whole number, 1 or more");
  CHECK_THROWS_WITH(set("time", "soon"), "\"soon\" is not a number of seconds, 0 or more");
  CHECK_THROWS_WITH(set("check_memory", "0"), "\"0\" is not a number of bytes above 0");
  CHECK_THROWS_WITH(set("barriers", "drop"), "\"drop\", expected one of keep, ignore");
  CHECK_THROWS_AS(set("search", "guessing"), UsageError);
}
