#include <CLI/CLI.hpp>
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/check/check_command.hpp"
#include "cli/command_help.hpp"
#include "cli/gen/gen_command.hpp"
#include "cli/opt/opt_command.hpp"

using namespace quartz;
using namespace quartz::cli;
using Catch::Matchers::Contains;

namespace {

CommandBody declare_options(CLI::App& app) {
  struct Values {
    unsigned number = 3;
    std::string order = "keep";
    std::string file;
    bool all = false;
  };
  const auto values = std::make_shared<Values>();
  app.option_defaults()->group("Numbers");
  app.add_option("-n,--number", values->number, "how many of the things there are to be made today")
      ->check(CLI::Range(1U, 16U))
      ->capture_default_str()
      ->type_name("N");
  app.option_defaults()->group("Others");
  app.add_option("--order", values->order, "the order")->check(CLI::IsMember({"keep", "free"}));
  CLI::Option* const all = app.add_flag("--all", values->all, "all of them");
  app.add_option("file", values->file, "what to read")->required()->type_name("FILE")->needs(all);
  return [values](const CommandContext&) { return ExitCode::done; };
}

const Command thing{"quartz-thing",
                    "Makes things.",
                    "  quartz-thing a.qasm\nCtrl-C stops it.\n",
                    declare_options,
                    {},
                    {{"--order", "in which order"}}};

std::string help_of(const Command& command, const std::vector<std::string>& arguments,
                    std::size_t width = kDefaultWidth) {
  std::ostringstream out;
  std::ostringstream err;
  const CommandContext context{.out = out, .err = err, .stop = {}, .width = width};
  CHECK(run_command(command, arguments, context) == 0);
  CHECK(err.str().empty());
  return out.str();
}

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) most = std::max(most, line.size());
  return most;
}

}  // namespace

TEST_CASE("the option --help shows all options in groups, with what there is to know in brackets") {
  CHECK_THAT(
      help_of(thing, {"--help"}),
      Catch::StartsWith(
          "Makes things.\n"
          "Usage: quartz-thing [OPTIONS] file\n"
          "\n"
          "Arguments:\n"
          "  file                      what to read [required; needs --all]\n"
          "\n"
          "Numbers:\n"
          "  -n,--number N             how many of the things there are to be made today [1\n"
          "                            to 16; default: 3]\n"
          "\n"
          "Others:\n"
          "  --order keep|free         the order\n"
          "  --all                     all of them\n"
          "\n"
          "General:\n"
          "  -h                        show the basic options, and exit\n"));
}

TEST_CASE("the option -h shows the basic options only") {
  const std::string help = help_of(thing, {"-h"});
  CHECK_THAT(help, Contains("Basic options:\n  --order keep|free         in which order\n"));
  CHECK_THAT(help, !Contains("--number") && !Contains("Exit codes"));
  CHECK_THAT(help, Contains("Examples:\n  quartz-thing a.qasm\nCtrl-C stops it.\n"));
}

TEST_CASE("Help is wrapped to the width") {
  for (const Command& command : {opt_command(), check_command(), gen_command()}) {
    for (const std::size_t width : {60, 80, 132}) {
      INFO(command.name << ' ' << width);
      // The examples, which can be copied, are not wrapped.
      const std::string help = help_of(command, {"--help"}, width);
      const std::string options = help.substr(0, help.find("\nExamples:"));
      CHECK(longest_line(options) <= width);
      CHECK(longest_line(options) > width - 16);
    }
  }
}

TEST_CASE("The basic options of each command are ten at most, and few lines") {
  for (const Command& command : {opt_command(), check_command(), gen_command()}) {
    INFO(command.name);
    CHECK(command.basic_options.size() <= 10);
    const std::string help = help_of(command, {"-h"});
    CHECK(longest_line(help) <= kDefaultWidth + 10);
    CHECK(std::count(help.begin(), help.end(), '\n') <= 36);
  }
}

TEST_CASE("A text is wrapped at spaces") {
  CHECK(wrapped("one two three", 0, 2, 7) == "one two\n  three");
  CHECK(wrapped("one two", 4, 4, 8) == "one\n    two");
  CHECK(wrapped("a-very-long-word and", 0, 0, 6) == "a-very-long-word\nand");
  CHECK(wrapped("", 0, 0, 10).empty());
}
