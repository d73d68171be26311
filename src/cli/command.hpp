#pragma once

#include <functional>
#include <iosfwd>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/ranks.hpp"
#include "cli/terminal_width.hpp"

namespace CLI {
class App;
}

/// The common frame of the three commands: parses options and returns exit codes.
namespace quartz::cli {

/// Output streams of a command, and requests to stop. Tests pass their own streams, so that they
/// run the same command within their process.
struct CommandContext {
  std::ostream& out;
  std::ostream& err;
  bool terminal = false;  ///< whether err is a terminal, so that progress lines make sense
  std::stop_token stop;   ///< requested by a signal (cli/stop_signal.hpp)
  /// The processes that share the work, of which only the first writes; null if there is only one.
  Ranks* ranks = nullptr;
  bool colors_on_out = false;  ///< whether the streams show colors (cli/color.hpp)
  bool colors_on_err = false;
  std::size_t width = kDefaultWidth;  ///< number of columns of `out`, for texts that are wrapped
};

/// Writes "quartz-opt: error: message" as one line on context.err.
void write_error(std::string_view name, const CommandContext& context, std::string_view message);
/// Writes a warning in the same way. Without a name, the line begins with "warning:".
void write_warning(std::string_view name, const CommandContext& context, std::string_view message);

/// An error that ended the work of a command, or a part of it.
struct Failure {
  std::string message;
  ExitCode code;
};

/// Returns the message and the exit code of the exception that is being handled. Call in a handler.
[[nodiscard]] Failure current_failure(const CommandContext& context);

/// Writes a file completely or not at all; "-" is the command's own output. Throws InputError if it
/// cannot be written. Only the first rank writes.
void write_output(const std::string& path, const std::string& text, const CommandContext& context,
                  const std::stop_token& stop = {});
/// Throws InputError unless write_output could write the file now. Only the first rank checks.
void require_writable_output(const std::string& path, const CommandContext& context);

/// Body of a command, run after its options are parsed. Throws the types of quartz/errors.hpp.
using CommandBody = std::function<ExitCode(const CommandContext&)>;

/// An option that -h shows.
struct BasicOption {
  std::string_view name;     ///< the long name
  std::string_view meaning;  ///< a few words
};

struct Command {
  std::string_view name;         ///< such as "quartz-opt", which begins error messages, or "prove"
  std::string_view description;  ///< one sentence
  std::string_view examples;     ///< indented lines to copy, and sentences, shown by --help
  /// Declares the options on the parser and returns the body. The body owns the option values
  /// (usually through a std::shared_ptr to a plain struct), which the parser fills in before the
  /// body runs.
  CommandBody (*declare)(CLI::App& options);
  /// Subcommands, selected by the first argument ("quartz-gen prove ..."). If none is selected, the
  /// body of the command itself runs.
  std::vector<Command> subcommands = {};
  /// What -h shows in place of all options; if empty, -h is --help.
  std::vector<BasicOption> basic_options = {};
};

/// Runs a command on its arguments (without the program's name) and returns the exit code. Never
/// throws: every error becomes one line on context.err, "quartz-opt: error: ...". If there are
/// several ranks, an error of one of them ends all.
[[nodiscard]] int run_command(const Command& command, std::span<const std::string> arguments,
                              const CommandContext& context);

/// Implements main() of a program: run_command with the standard streams and signals.
[[nodiscard]] int run_main(const Command& command, int argc, const char* const* argv);

}  // namespace quartz::cli
