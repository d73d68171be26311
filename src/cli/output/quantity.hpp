#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
class Option;
}  // namespace CLI

/// Option values with a unit.
namespace quartz::cli {

/// Parses "10s", "500ms", "2min", "1.5h"; a bare number is in seconds. Throws UsageError for
/// anything else, including negative and infinite values.
[[nodiscard]] double parse_seconds(std::string_view text);

/// Parses "4GiB", "512MiB", "64KiB", "1e9B", and the decimal units kB, MB, GB, TB; a bare number is
/// in bytes. Throws UsageError for anything else.
[[nodiscard]] double parse_bytes(std::string_view text);

/// Receives the value of an option that is given.
using QuantitySetter = std::function<void(double)>;

/// Declare options with such values. A memory size below 1 KiB other than 0 is a UsageError: its
/// unit was forgotten.
CLI::Option* add_seconds_option(CLI::App& options, const std::string& name,
                                const QuantitySetter& set, const std::string& description);
CLI::Option* add_bytes_option(CLI::App& options, const std::string& name, const QuantitySetter& set,
                              const std::string& description);

/// Declare --seed and --threads in the same way for all commands: non-negative integers, with their
/// defaults shown.
CLI::Option* add_seed_option(CLI::App& options, std::uint64_t& value,
                             const std::string& description);
CLI::Option* add_threads_option(CLI::App& options, unsigned& value, const std::string& description);

/// Declares --epsilon, a number from 0 to 1, with its default, 0, shown.
CLI::Option* add_epsilon_option(CLI::App& options, const QuantitySetter& set,
                                const std::string& description);

/// Declare such options for a variable, which keeps its default unless the option is given.
CLI::Option* add_seconds_option(CLI::App& options, const std::string& name, double& value,
                                const std::string& description);
CLI::Option* add_bytes_option(CLI::App& options, const std::string& name, double& value,
                              const std::string& description);

}  // namespace quartz::cli
