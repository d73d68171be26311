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

namespace CLI {
class App;
}

/// The frame of the three commands: options in, exit code out.
namespace quartz::cli {

/// Where a command writes and when it should stop. Tests give their own streams, so that they run
/// the very command in process.
struct CommandContext {
  std::ostream& out;
  std::ostream& err;
  bool terminal = false;  ///< err is a terminal: progress lines make sense
  std::stop_token stop;   ///< requested by a signal (cli/stop_signal.hpp)
  /// The processes that share the work, of which only the first writes; null: this one alone.
  Ranks* ranks = nullptr;
};

/// Writes a file, whole or not at all; "-" is the command's own output. Throws InputError if it
/// cannot be written. The first rank does, the others leave it to that one.
void write_output(const std::string& path, const std::string& text, const CommandContext& context,
                  const std::stop_token& stop = {});
/// Throws InputError unless write_output could write there now; likewise.
void require_writable_output(const std::string& path, const CommandContext& context);

/// What a command does once its options are read. Throws the types of quartz/errors.hpp.
using CommandBody = std::function<ExitCode(const CommandContext&)>;

struct Command {
  std::string_view name;         ///< "quartz-opt", which begins error messages; "prove"
  std::string_view description;  ///< one sentence
  std::string_view examples;     ///< lines to copy, as --help shows them
  /// Declares the options on the parser and returns the body. The body holds the option values
  /// (usually through a std::shared_ptr to a plain struct), which the parser fills in between.
  CommandBody (*declare)(CLI::App& options);
  /// Commands of their own, chosen by the first argument ("quartz-gen prove ..."). Without one of
  /// these names the command's own body runs.
  std::vector<Command> subcommands = {};
};

/// Runs a command on its arguments (without the program's name) and returns the exit code. Never
/// throws: every error becomes one line on context.err, "quartz-opt: error: ...". Of several ranks
/// the one with an error ends them all.
[[nodiscard]] int run_command(const Command& command, std::span<const std::string> arguments,
                              const CommandContext& context);

/// The whole of a program's main: run_command with the standard streams and signals.
[[nodiscard]] int run_main(const Command& command, int argc, const char* const* argv);

}  // namespace quartz::cli
