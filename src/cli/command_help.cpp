#include "cli/command_help.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "cli/exit_code.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::cli {
namespace {

/// The column where descriptions begin.
constexpr std::size_t kDescriptionColumn = 28;
/// Text is not wrapped to less than this.
constexpr std::size_t kLeastWidth = 50;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// The type of an option's value as CLI11 has it: "N:UINT in [0 - 1024]" or "TEXT:{keep,ignore}".
struct ValueType {
  std::string name;    ///< "N", or the choices: "keep|ignore"
  std::string limits;  ///< "0 to 1024", or empty
};

ValueType type_of(const CLI::Option& option) {
  if (option.get_type_size() == 0) return {};
  const std::string text = option.get_type_name();
  const std::size_t colon = text.find(':');
  ValueType type{text.substr(0, colon), ""};
  if (colon == std::string::npos) return type;
  const std::string check = text.substr(colon + 1);
  const std::size_t last = check.size() - 1;
  if (const std::size_t open = check.find('{'); open != std::string::npos) {
    type.name = check.substr(open + 1, last - open - 1);
    std::ranges::replace(type.name, ',', '|');
  } else if (const std::size_t range = check.find('['); range != std::string::npos) {
    type.limits = check.substr(range + 1, last - range - 1);
    const std::size_t dash = type.limits.find(" - ");
    if (dash != std::string::npos) type.limits.replace(dash, 3, " to ");
  }
  return type;
}

std::string name_text(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true, false);
  const std::string type = type_of(option).name;
  return option.get_name(false, true) + (type.empty() ? "" : " " + type);
}

/// Returns what is to be known about an option besides its meaning, in brackets.
std::string remarks(const CLI::Option& option) {
  std::vector<std::string> notes;
  if (option.get_required()) notes.emplace_back("required");
  if (const std::string limits = type_of(option).limits; !limits.empty()) notes.push_back(limits);
  if (const std::string value = option.get_default_str(); !value.empty()) {
    notes.push_back("default: " + value);
  }
  for (const CLI::Option* other : option.get_needs()) notes.push_back("needs " + other->get_name());
  for (const CLI::Option* other : option.get_excludes()) {
    notes.push_back("excludes " + other->get_name());
  }
  return notes.empty() ? "" : fmt::format(" [{}]", fmt::join(notes, "; "));
}

std::string description_text(const CLI::Option& option) {
  return option.get_description() + remarks(option);
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t begin, std::size_t indent,
                    std::size_t width) {
  std::string result;
  std::size_t column = begin;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (result.empty()) {
      result = word;
    } else if (column + 1 + word.size() <= width) {
      result += " " + std::string(word);
      ++column;
    } else {
      result += "\n" + std::string(indent, ' ') + std::string(word);
      column = indent;
    }
    column += word.size();
  }
  return result;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  const std::string usage = make_usage(app, std::move(name));
  const bool is_basic = mode == CLI::AppFormatMode::Normal && !command_.basic_options.empty();
  return is_basic ? basic_help(*app, usage) : full_help(*app, usage);
}

std::string HelpFormatter::basic_help(const CLI::App& app, const std::string& usage) const {
  std::string text = beginning(usage) + arguments(app) + "\nBasic options:\n";
  for (const BasicOption& basic : command_.basic_options) {
    const CLI::Option* const option = app.get_option_no_throw(std::string(basic.name));
    ensure(option != nullptr, "a basic option is an option");
    text += entry(name_text(*option), basic.meaning);
  }
  text += entry("--help", "all options, and the exit codes");
  return text + subcommands(app) + examples();
}

std::string HelpFormatter::full_help(const CLI::App& app, const std::string& usage) const {
  return beginning(usage) + arguments(app) + groups(app) + subcommands(app) + examples() +
         exit_codes();
}

std::string HelpFormatter::beginning(const std::string& usage) const {
  return wrapped(command_.description, 0, 0, std::max(width_, kLeastWidth)) + "\n" + usage;
}

std::string HelpFormatter::arguments(const CLI::App& app) const {
  std::string text;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) text += entry(name_text(*option), description_text(*option));
  }
  return text.empty() ? "" : "\nArguments:\n" + text;
}

std::string HelpFormatter::groups(const CLI::App& app) const {
  std::vector<std::string> names = app.get_groups();
  std::ranges::stable_partition(names,
                                [](const std::string& name) { return name != kGeneralOptions; });
  std::string text;
  for (const std::string& group : names) {
    std::string entries;
    for (const CLI::Option* option : app.get_options()) {
      if (group.empty() || option->get_group() != group || option->get_positional()) continue;
      entries += entry(name_text(*option), description_text(*option));
    }
    if (!entries.empty()) text += fmt::format("\n{}:\n{}", group, entries);
  }
  return text;
}

std::string HelpFormatter::subcommands(const CLI::App& app) const {
  std::string text;
  for (const CLI::App* subcommand : app.get_subcommands({})) {
    text += entry(subcommand->get_name(), subcommand->get_description());
  }
  return text.empty() ? "" : "\nSubcommands:\n" + text;
}

std::string HelpFormatter::examples() const {
  std::string text = "\nExamples:\n";
  for (const std::string& line : lines_of(command_.examples)) {
    const bool is_prose = !line.starts_with(' ');
    text += (is_prose ? wrapped(line, 0, 0, std::max(width_, kLeastWidth)) : line) + "\n";
  }
  return text;
}

std::string HelpFormatter::exit_codes() const {
  constexpr std::size_t indent = 6;
  std::string text = "\nExit codes:\n";
  for (const ExitCodeMeaning& row : quartz::cli::exit_codes) {
    text += fmt::format("  {:>2}  {}\n", static_cast<int>(row.code),
                        wrapped(row.meaning, indent, indent, std::max(width_, kLeastWidth)));
  }
  return text;
}

std::string HelpFormatter::entry(const std::string& name, std::string_view description) const {
  const std::size_t width = std::max(width_, kLeastWidth);
  std::string text = "  " + name;
  if (text.size() + 2 > kDescriptionColumn) {
    text += "\n" + std::string(kDescriptionColumn, ' ');
  } else {
    text.resize(kDescriptionColumn, ' ');
  }
  return text + wrapped(description, kDescriptionColumn, kDescriptionColumn, width) + "\n";
}

}  // namespace quartz::cli
