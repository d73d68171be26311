#include "cli/command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/processor.hpp"
#include "cli/color.hpp"
#include "cli/command_help.hpp"
#include "cli/printable_text.hpp"
#include "cli/stop_signal.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/base/nearest_name.hpp"

namespace quartz::cli {
namespace {

/// Returns the message of an option with too few or too many values; a repeated option has one
/// value too many.
std::string mismatch_text(const CLI::ArgumentMismatch& error) {
  const std::string text = error.what();
  const std::size_t repeated = text.find(": At Most 1 required");
  return repeated == std::string::npos ? text
                                       : text.substr(0, repeated) + " is given more than once";
}

/// Writes the message as one line that begins with the program's name, and returns the exit code.
ExitCode report_error(const Command& command, const CommandContext& context,
                      std::string_view message, ExitCode code) {
  // Messages quote files, which may be damaged.
  const std::string line = printable(message);
  if (rank_count(context.ranks) > 1) {
    const std::string rank =
        own_rank(context.ranks) == 0 ? "" : fmt::format(" rank {}:", own_rank(context.ranks));
    context.ranks->end_all(fmt::format("{}:{} error: {}\n", command.name, rank, line), code);
  }
  write_error(command.name, context, message);
  return code;
}

/// Returns a suggestion for the first argument that the command, or its subcommand that was called,
/// does not know.
std::string suggestion_for_extras(const CLI::App& command) {
  const std::vector<CLI::App*> called = command.get_subcommands();
  const CLI::App& parser = called.empty() ? command : *called.front();
  std::vector<std::string> names;
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const CLI::App* subcommand : parser.get_subcommands({})) {
    names.push_back(subcommand->get_name());
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const std::string& argument : command.remaining(true)) {
    const std::string name = argument.substr(0, argument.find('='));
    if (std::string suggestion = did_you_mean(name, known); !suggestion.empty()) return suggestion;
  }
  return "";
}

/// Throws UsageError for an option before the name of a subcommand, where it would have no effect.
void require_no_options(const CLI::App& parser, const std::string& subcommand) {
  for (const CLI::Option* option : parser.get_options()) {
    if (option->count() == 0) continue;
    throw UsageError(fmt::format("{0} precedes '{1}', expected after it (see {2} {1} --help)",
                                 option->get_name(), subcommand, parser.get_name()));
  }
}

void declare_help_options(const Command& command, CLI::App& parser) {
  if (command.basic_options.empty()) {
    parser.set_help_all_flag();
    parser.set_help_flag("-h,--help", "show this text, and exit")->group(kGeneralOptions);
  } else {
    parser.set_help_flag("-h", "show the basic options, and exit")->group(kGeneralOptions);
    parser.set_help_all_flag("--help", "show all options, and exit")->group(kGeneralOptions);
  }
}

/// Declares the options of a command and of its subcommands, and returns the body of the command or
/// subcommand that the arguments select.
CommandBody declare(const Command& command, CLI::App& parser, std::size_t width) {
  parser.formatter(std::make_shared<HelpFormatter>(command, width));
  // Options are in the group that is the default when they are declared.
  parser.option_defaults()->group("Options");
  declare_help_options(command, parser);
  const CommandBody own = command.declare(parser);
  if (command.subcommands.empty()) return own;
  std::vector<std::pair<const CLI::App*, CommandBody>> bodies;
  for (const Command& subcommand : command.subcommands) {
    CLI::App* const options =
        parser.add_subcommand(std::string(subcommand.name), std::string(subcommand.description));
    bodies.emplace_back(options, declare(subcommand, *options, width));
  }
  parser.require_subcommand(0, 1);
  return [own, bodies, &parser](const CommandContext& context) {
    for (const auto& [options, body] : bodies) {
      if (!options->parsed()) continue;
      require_no_options(parser, options->get_name());
      return body(context);
    }
    return own(context);
  };
}

ExitCode run_parsed(const Command& command, std::span<const std::string> arguments,
                    const CommandContext& context) {
  CLI::App options(std::string(command.description), std::string(command.name));
  const CommandBody body = declare(command, options, context.width);
  options
      .set_version_flag("--version", fmt::format("{} {}", command.name, QUARTZ_VERSION),
                        "show the version, and exit")
      ->group(kGeneralOptions);
  // CLI11 expects the reverse order
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    options.parse(std::move(reversed));
  } catch (const CLI::CallForVersion& version) {
    context.out << version.what() << '\n';
    return ExitCode::done;
  } catch (const CLI::CallForAllHelp&) {
    context.out << options.help("", CLI::AppFormatMode::All);
    return ExitCode::done;
  } catch (const CLI::Success&) {
    context.out << options.help();
    return ExitCode::done;
  } catch (const CLI::ExtrasError& error) {
    return report_error(
        command, context,
        fmt::format("{}{} (see --help)", error.what(), suggestion_for_extras(options)),
        ExitCode::usage_error);
  } catch (const CLI::ArgumentMismatch& error) {
    return report_error(command, context, fmt::format("{} (see --help)", mismatch_text(error)),
                        ExitCode::usage_error);
  } catch (const CLI::ParseError& error) {
    return report_error(command, context, fmt::format("{} (see --help)", error.what()),
                        ExitCode::usage_error);
  }
  return body(context);
}

}  // namespace

void write_error(std::string_view name, const CommandContext& context, std::string_view message) {
  // Messages quote files, which may be damaged.
  context.err << name << ": " << colored("error:", Color::red, context.colors_on_err) << ' '
              << printable(message) << '\n';
}

void write_warning(std::string_view name, const CommandContext& context, std::string_view message) {
  context.err << name << (name.empty() ? "" : ": ")
              << colored("warning:", Color::yellow, context.colors_on_err) << ' '
              << printable(message) << '\n';
}

Failure current_failure(const CommandContext& context) {
  try {
    throw;
  } catch (const UsageError& error) {
    return {error.what(), ExitCode::usage_error};
  } catch (const InputError& error) {
    return {error.what(), ExitCode::bad_input};
  } catch (const Stopped& error) {
    return {error.what(), ExitCode::stopped};
  } catch (const Unverified& error) {
    return {error.what(), ExitCode::unverified};
  } catch (const InternalError& error) {
    return {error.what(), ExitCode::internal_error};
  } catch (const std::bad_alloc&) {
    return {"out of memory", ExitCode::stopped};
  } catch (const std::exception& error) {
    if (context.stop.stop_requested()) return {error.what(), ExitCode::stopped};
    return {fmt::format("unexpected: {}", error.what()), ExitCode::internal_error};
  }
}

void write_output(const std::string& path, const std::string& text, const CommandContext& context,
                  const std::stop_token& stop) {
  if (own_rank(context.ranks) != 0) return;
  if (path == "-") {
    context.out << text;
  } else {
    write_text_file(path, text, stop);
  }
}

void require_writable_output(const std::string& path, const CommandContext& context) {
  if (own_rank(context.ranks) == 0) require_writable(path);
}

int run_command(const Command& command, std::span<const std::string> arguments,
                const CommandContext& context) {
  try {
    require_processor();
    const ExitCode code = run_parsed(command, arguments, context);
    context.out.flush();
    if (!context.out) throw InputError("standard output cannot be written");
    return static_cast<int>(code);
  } catch (...) {
    const Failure failure = current_failure(context);
    return static_cast<int>(report_error(command, context, failure.message, failure.code));
  }
}

int run_main(const Command& command, int argc, const char* const* argv) {
  const StopSignal stop;
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  return run_command(
      command, arguments,
      {std::cout, std::cerr, ::isatty(STDERR_FILENO) == 1, stop.token(), nullptr,
       shows_colors(STDOUT_FILENO), shows_colors(STDERR_FILENO), terminal_width(STDOUT_FILENO)});
}

}  // namespace quartz::cli
