#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>
#include <memory>
#include <new>
#include <ostream>
#include <set>
#include <sstream>

#include "cli/command.hpp"
#include "quartz/base/errors.hpp"

using namespace quartz;
using namespace quartz::cli;

namespace {

struct Result {
  int code = -1;
  std::string out;
  std::string err;
};

Result run(const Command& command, const std::vector<std::string>& arguments,
           const std::stop_token& stop = {}) {
  std::ostringstream out;
  std::ostringstream err;
  Result result;
  result.code = run_command(command, arguments, {out, err, false, stop});
  result.out = out.str();
  result.err = err.str();
  return result;
}

/// Declares a command that fails as its argument specifies.
CommandBody declare_failing(CLI::App& options) {
  const auto how = std::make_shared<std::string>();
  options.add_option("how", *how)->required();
  return [how](const CommandContext& context) -> ExitCode {
    if (*how == "usage") throw UsageError("no such thing");
    if (*how == "input") throw InputError({"file.qasm", 3, 7}, "found x, expected y");
    if (*how == "unverified") throw Unverified("undecided");
    if (*how == "internal") throw InternalError("a check failed");
    if (*how == "error") throw Error("stopped");
    if (*how == "stopped") throw Stopped("stopped while reading");
    if (*how == "memory") throw std::bad_alloc();
    if (*how == "lines") throw InputError("first\nsecond");
    if (*how == "output") context.out.setstate(std::ios::badbit);
    context.out << "done\n";
    return *how == "undecided" ? ExitCode::undecided : ExitCode::done;
  };
}

const Command failing{"quartz-fail", "Fails.", "  quartz-fail usage\n", declare_failing};

}  // namespace

TEST_CASE("An exception of a command becomes one line and an exit code") {
  const auto check_error = [](const std::string& how, int code, const std::string& line) {
    INFO(how);
    const Result result = run(failing, {how});
    CHECK(result.code == code);
    CHECK(result.err == "quartz-fail: error: " + line + "\n");
  };
  check_error("usage", 2, "no such thing");
  check_error("input", 3, "file.qasm:3:7: found x, expected y");
  check_error("unverified", 12, "undecided");
  check_error("internal", 1, "a check failed");
  check_error("error", 1, "unexpected: stopped");
  check_error("stopped", 4, "stopped while reading");
  check_error("memory", 4, "out of memory");
  check_error("lines", 3, "first second");
  check_error("output", 3, "standard output cannot be written");
}

TEST_CASE("An error after a request to stop is not reported as a bug") {
  std::stop_source stop;
  stop.request_stop();
  CHECK(run(failing, {"error"}, stop.get_token()).code == 4);
  CHECK(run(failing, {"input"}, stop.get_token()).code == 3);
}

TEST_CASE("A command's own exit code and output are passed on") {
  const Result done = run(failing, {"nothing"});
  CHECK(done.code == 0);
  CHECK(done.out == "done\n");
  CHECK(done.err.empty());
  CHECK(run(failing, {"undecided"}).code == 11);
}

TEST_CASE("Exit codes are listed once each") {
  std::set<int> codes;
  for (const ExitCodeMeaning& row : exit_codes) {
    CHECK(codes.insert(static_cast<int>(row.code)).second);
    CHECK_FALSE(row.meaning.empty());
  }
  CHECK(codes == std::set<int>{0, 1, 2, 3, 4, 10, 11, 12});
}

TEST_CASE("The worse exit code wins") {
  CHECK(worse(ExitCode::done, ExitCode::done) == ExitCode::done);
  CHECK(worse(ExitCode::done, ExitCode::unverified) == ExitCode::unverified);
  CHECK(worse(ExitCode::bad_input, ExitCode::unverified) == ExitCode::bad_input);
  CHECK(worse(ExitCode::bad_input, ExitCode::stopped) == ExitCode::stopped);
  CHECK(worse(ExitCode::internal_error, ExitCode::stopped) == ExitCode::internal_error);
}
