#include "cli/options/library_option.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "cli/output/quantity.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::cli {
namespace {

/// Returns the name of an option on the command line.
std::string long_name(std::string_view name) {
  std::string text = "--" + std::string(name);
  std::ranges::replace(text, '_', '-');
  return text;
}

std::string names_of(const Option& option) {
  return option.short_name == 0 ? long_name(option.name)
                                : fmt::format("-{},{}", option.short_name, long_name(option.name));
}

const char* type_name_of(OptionType type) {
  switch (type) {
    case OptionType::searches:
      return "NAME,...";
    case OptionType::folder:
      return "FOLDER";
    case OptionType::coupling:
      return "auto|FILE";
    case OptionType::rule_set:
    case OptionType::class_table:
      return "FILE";
    default:
      return "TEXT";
  }
}

/// Returns the largest unit of memory, with a number of it.
std::string text_of_bytes(double bytes) {
  return bytes >= 0x1p30 ? fmt::format("{:g}GiB", bytes / 0x1p30) : fmt::format("{:g}B", bytes);
}

/// Returns the default as a user would write it; empty: there is none to show.
std::string default_text(const Option& option) {
  const std::optional<OptionValue> value = default_of(option);
  if (!value) return "";
  if (const auto* const text = std::get_if<std::string>(&*value)) return *text;
  if (const auto* const number = std::get_if<std::uint64_t>(&*value)) {
    return option.type == OptionType::bytes ? text_of_bytes(static_cast<double>(*number))
                                            : std::to_string(*number);
  }
  const double number = std::get<double>(*value);
  if (option.type == OptionType::bytes) return text_of_bytes(number);
  return fmt::format("{:g}{}", number, option.type == OptionType::seconds ? "s" : "");
}

/// Declares an option with a whole number.
CLI::Option* add_whole_number(CLI::App& app, const Option& option, SuperoptimizeOptions& values,
                              const std::string& help) {
  // CLI11 reads -1 as the largest unsigned number.
  const auto not_negative = [](const std::string& text) {
    if (text.find('-') == std::string::npos) return std::string();
    return fmt::format("{} is negative, expected a non-negative integer", text);
  };
  const auto least = [&option](const std::string& text) {
    const bool is_zero = text.find_first_not_of('0') == std::string::npos;
    return is_zero && option.least > 0
               ? fmt::format("the number of {} is at least {}", option.name, option.least)
               : std::string();
  };
  CLI::Option* const added = app.add_option_function<std::uint64_t>(
      names_of(option), [&](std::uint64_t value) { option.assign(values, value); }, help);
  added->type_name("N");
  if (option.greatest < std::numeric_limits<std::uint64_t>::max()) {
    added->check(CLI::Range(option.least, option.greatest));
  } else {
    added->check(CLI::Validator(not_negative, ""))->check(CLI::Validator(least, ""));
  }
  return added;
}

/// Declares an option with a quantity that has a unit.
CLI::Option* add_quantity(CLI::App& app, const Option& option, SuperoptimizeOptions& values,
                          const std::string& help) {
  const QuantitySetter assign = [&](double quantity) {
    option.assign(values, is_whole(option) ? OptionValue(static_cast<std::uint64_t>(quantity))
                                           : OptionValue(quantity));
  };
  if (option.type == OptionType::seconds) {
    return add_seconds_option(app, names_of(option), assign, help);
  }
  return add_bytes_option(app, names_of(option), assign, help);
}

CLI::Option* add_text(CLI::App& app, const Option& option, SuperoptimizeOptions& values,
                      const std::string& help) {
  CLI::Option* const added = app.add_option_function<std::string>(
      names_of(option),
      [&](const std::string& text) {
        try {
          option.assign(values, text);
        } catch (const UsageError& error) {
          throw UsageError(long_name(option.name) + ": " + error.what());
        }
      },
      help);
  if (option.names.empty()) return added->type_name(type_name_of(option.type));
  return added->type_name("TEXT:{" + fmt::format("{}", fmt::join(option.names, ",")) + "}");
}

CLI::Option* add(CLI::App& app, const Option& option, SuperoptimizeOptions& values,
                 const std::string& help) {
  switch (option.type) {
    case OptionType::seconds:
    case OptionType::bytes:
      return add_quantity(app, option, values, help);
    case OptionType::number:
      return add_epsilon_option(
          app, [&](double number) { option.assign(values, number); }, help);
    case OptionType::whole_number:
      return add_whole_number(app, option, values, help);
    case OptionType::on_off:
      return app.add_flag_callback(
          names_of(option), [&] { option.assign(values, true); }, help);
    default:
      return add_text(app, option, values, help);
  }
}

}  // namespace

CLI::Option* add_library_option(CLI::App& app, const Option& option, SuperoptimizeOptions& values,
                                const std::string& description) {
  CLI::Option* const added =
      add(app, option, values,
          description.empty()
              ? help_of(option, long_name, option.type == OptionType::bytes ? ", as in 4GiB" : "")
              : description);
  return option.type == OptionType::on_off ? added : added->default_str(default_text(option));
}

void add_library_options(CLI::App& app, std::string_view group, SuperoptimizeOptions& values) {
  for (const Option& option : library_options()) {
    if (option.group == group) add_library_option(app, option, values);
  }
}

}  // namespace quartz::cli
