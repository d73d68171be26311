#include "cli/output/quantity.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <span>

#include "cli/memory.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz::cli {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr Unit kTimeUnits[] = {{"", 1},      {"s", 1},    {"ms", 1e-3},
                               {"us", 1e-6}, {"min", 60}, {"h", 3600}};
constexpr Unit kMemoryUnits[] = {{"", 1},         {"B", 1},        {"KiB", 0x1p10}, {"MiB", 0x1p20},
                                 {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"kB", 1e3},     {"MB", 1e6},
                                 {"GB", 1e9},     {"TB", 1e12}};

std::string names_of(std::span<const Unit> units) {
  std::string names;
  for (const Unit& unit : units.subspan(1)) {
    if (!names.empty()) names += ", ";
    names += unit.name;
  }
  return names;
}

double parse_quantity(std::string_view text, std::span<const Unit> units, std::string_view what) {
  const auto fail = [&]() -> double {
    throw UsageError(fmt::format("'{}' is not a {}: expected a non-negative number and a unit ({})",
                                 text, what, names_of(units)));
  };
  double number = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc() || !std::isfinite(number) || std::signbit(number)) return fail();
  const std::string_view written(end, static_cast<std::size_t>(last - end));
  for (const Unit& unit : units) {
    if (unit.name == written) return number * unit.factor;
  }
  return fail();
}

CLI::Option* add_quantity_option(CLI::App& options, const std::string& name,
                                 const QuantitySetter& set, const std::string& description,
                                 std::string_view type, double (*parse)(std::string_view)) {
  CLI::Option* option = options.add_option_function<std::string>(
      name,
      [set, name, parse](const std::string& text) {
        try {
          set(parse(text));
        } catch (const UsageError& error) {
          throw UsageError(name + ": " + error.what());
        }
      },
      description);
  return option->type_name(std::string(type));
}

/// Parses a memory size that is 0 or at least 1 KiB.
double parse_bytes_with_unit(std::string_view text) {
  const double bytes = parse_bytes(text);
  if (bytes == 0 || bytes >= 0x1p10) return bytes;
  throw UsageError(fmt::format("{} is less than any run needs; did you mean {:g}GiB?",
                               bytes_text(bytes), bytes));
}

}  // namespace

double parse_seconds(std::string_view text) { return parse_quantity(text, kTimeUnits, "duration"); }

double parse_bytes(std::string_view text) {
  return parse_quantity(text, kMemoryUnits, "memory size");
}

CLI::Option* add_seconds_option(CLI::App& options, const std::string& name,
                                const QuantitySetter& set, const std::string& description) {
  return add_quantity_option(options, name, set, description, "DURATION", parse_seconds);
}

CLI::Option* add_bytes_option(CLI::App& options, const std::string& name, const QuantitySetter& set,
                              const std::string& description) {
  return add_quantity_option(options, name, set, description, "SIZE", parse_bytes_with_unit);
}

CLI::Option* add_seed_option(CLI::App& options, std::uint64_t& value,
                             const std::string& description) {
  // CLI11 reads -1 as the largest unsigned number.
  const auto not_negative = [](const std::string& text) {
    if (text.find('-') == std::string::npos) return std::string();
    return fmt::format("{} is negative, expected a non-negative integer", text);
  };
  return options.add_option("--seed", value, description)
      ->check(not_negative)
      ->capture_default_str()
      ->type_name("N");
}

CLI::Option* add_threads_option(CLI::App& options, unsigned& value,
                                const std::string& description) {
  return options.add_option("--threads", value, description)
      ->check(CLI::Range(0U, kMaxThreads))
      ->capture_default_str()
      ->type_name("N");
}

CLI::Option* add_epsilon_option(CLI::App& options, const QuantitySetter& set,
                                const std::string& description) {
  const auto in_range = [](const std::string& text) {
    double number = 0;
    const bool is_number = CLI::detail::lexical_cast(text, number);
    if (is_number && number >= 0 && number <= 1) return std::string();
    return fmt::format("{} is not a number from 0 to 1", text);
  };
  return options.add_option_function<double>("--epsilon", set, description)
      ->check(in_range)
      ->default_str("0")
      ->type_name("NUMBER");
}

CLI::Option* add_seconds_option(CLI::App& options, const std::string& name, double& value,
                                const std::string& description) {
  return add_seconds_option(
      options, name, [&value](double given) { value = given; }, description);
}

CLI::Option* add_bytes_option(CLI::App& options, const std::string& name, double& value,
                              const std::string& description) {
  return add_bytes_option(
      options, name, [&value](double given) { value = given; }, description);
}

}  // namespace quartz::cli
