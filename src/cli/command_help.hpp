#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "cli/command.hpp"

/// The text of -h and --help.
namespace quartz::cli {

/// The heading of the options that every command has, which come last.
inline constexpr const char* kGeneralOptions = "General";

/// Writes the help of a command, wrapped to a width: its basic options for -h, and all options in
/// their groups for --help. A command without basic options has only the second form.
///
/// Values and limits are where a reader looks for them: "--barriers keep|ignore" in place of
/// CLI11's "--barriers TEXT:{keep,ignore}=keep", and what else there is to know about an option at
/// the end of its description, as in "[0 to 1024; default: 0]". scripts/command_help.py parses it.
class HelpFormatter : public CLI::Formatter {
 public:
  /// `command` must outlive the formatter.
  HelpFormatter(const Command& command, std::size_t width) : command_(command), width_(width) {}

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;

 private:
  [[nodiscard]] std::string basic_help(const CLI::App& app, const std::string& usage) const;
  [[nodiscard]] std::string full_help(const CLI::App& app, const std::string& usage) const;
  [[nodiscard]] std::string beginning(const std::string& usage) const;
  [[nodiscard]] std::string arguments(const CLI::App& app) const;
  [[nodiscard]] std::string groups(const CLI::App& app) const;
  [[nodiscard]] std::string subcommands(const CLI::App& app) const;
  [[nodiscard]] std::string examples() const;
  [[nodiscard]] std::string exit_codes() const;
  /// Returns a name and what it means, in two columns.
  [[nodiscard]] std::string entry(const std::string& name, std::string_view description) const;

  const Command& command_;
  std::size_t width_;
};

/// Returns the text with line breaks in place of spaces, so that lines are at most `width` long
/// where words permit. The first line begins at the column `begin`, the others at `indent`.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t begin, std::size_t indent,
                                  std::size_t width);

}  // namespace quartz::cli
