#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/workflow/superoptimize.hpp"

/// The options of superoptimize() by name. quartz-opt, the C interface, the Python package, the
/// record for repeating a run and the reference follow from one list. A new option is a member of
/// SuperoptimizeOptions and a row of that list (docs/developing.md).
namespace quartz {

/// What the values of an option are. How each interface writes them follows from it.
enum class OptionType : std::uint8_t {
  seconds,       ///< a double
  bytes,         ///< a double or a std::uint64_t
  number,        ///< a double
  whole_number,  ///< a std::uint64_t from Option::least to Option::greatest
  on_off,        ///< a bool
  name,          ///< one of Option::names
  searches,      ///< names of searches, separated by commas
  text,
  folder,
  coupling,     ///< a file, or "auto" (CouplingChoice)
  rule_set,     ///< a file (RuleChoice)
  class_table,  ///< a file
  cache,        ///< "on", "off" or a folder (CacheOptions)
};

/// Headings of `quartz-opt --help`.
namespace option_group {
inline constexpr std::string_view kTarget = "Target";
inline constexpr std::string_view kSearch = "Search";
inline constexpr std::string_view kAssumptions = "What is assumed about the circuit";
inline constexpr std::string_view kCheck = "Check of the result";
inline constexpr std::string_view kRules = "Rules and class tables";
}  // namespace option_group

struct Option {
  std::string_view name;  ///< with underscores; quartz-opt has hyphens in their place
  OptionType type{};
  /// The meaning, beginning with a small letter and without a final period. {name} stands for
  /// another option.
  std::string help;
  /// Heading under which quartz-opt lists the option; empty if the command has none with this
  /// meaning, or declares it itself.
  std::string_view group = {};
  char short_name = 0;  ///< the short name on the command line; 0: none
  bool in_c = true;
  bool in_python = true;
  /// Whether it is part of the record for repeating a run (RunRecord::options).
  bool is_recorded = false;
  bool accepts_zero = false;  ///< 0 is a value too, although it is less than `least`
  std::uint64_t least = 0;
  std::uint64_t greatest = std::numeric_limits<std::uint64_t>::max();
  /// What a value is, after "is", for messages; empty: what the type says (expected_value).
  std::string_view expected = {};
  std::vector<std::string_view> names =
      {};  ///< values of the type `name`; the first is the default
  void (*assign)(SuperoptimizeOptions& options, const OptionValue& value) = nullptr;
  void (*reset)(SuperoptimizeOptions& options) = nullptr;  ///< sets the default
  /// Returns nothing for a value that is chosen during the run.
  std::optional<OptionValue> (*read)(const SuperoptimizeOptions& options) = nullptr;
};

/// Returns the list.
[[nodiscard]] std::span<const Option> library_options();
/// Returns the option with this name, which must exist.
[[nodiscard]] const Option& library_option(std::string_view name);

/// Returns the meaning of an option, where `name_of` writes the names of other options, and `note`,
/// such as ", in seconds", follows the first clause.
[[nodiscard]] std::string help_of(const Option& option,
                                  const std::function<std::string(std::string_view)>& name_of,
                                  std::string_view note = {});
/// Returns the unit of numbers in text, as a note: ", in seconds" or ", in bytes"; empty: none.
[[nodiscard]] std::string_view unit_note(const Option& option);
/// Returns what a value of the option is, as in "a number of seconds, 0 or more".
[[nodiscard]] std::string_view expected_value(const Option& option);
/// Returns the options on which the result depends, with their values.
[[nodiscard]] std::vector<OptionSetting> recorded_options(const SuperoptimizeOptions& options);
/// Returns the default, unless it is chosen during the run or is no value that could be given.
[[nodiscard]] std::optional<OptionValue> default_of(const Option& option);

/// Returns whether values are of the type std::uint64_t.
[[nodiscard]] bool is_whole(const Option& option);
/// Returns whether a value, which has the type of the option's values, is in its range.
[[nodiscard]] bool is_in_range(const Option& option, const OptionValue& value);
/// Sets an option to a value in text: numbers without units, and "on" or "off"; empty: the default.
/// Throws UsageError, which names what was found and what is expected.
void set_from_text(const Option& option, SuperoptimizeOptions& options, const std::string& text);

/// Writes an option, with a value unless that is empty, as those that call the library do.
using SpellOption = std::function<std::string(std::string_view option, std::string_view value)>;
/// Writes an option as on the command line, as in "--permutation free".
[[nodiscard]] std::string spelled_for_command(std::string_view option, std::string_view value);

/// Throws UsageError, which names the option, if one is set with which no gate can stay declared.
void require_suitable_for_kept_gates(const SuperoptimizeOptions& options,
                                     const SpellOption& spelled = spelled_for_command);

/// Throws UsageError, which names the option, if one is set with which there can be no ancillas, be
/// it of a search or of a check.
void require_suitable_for_ancillas(const SuperoptimizeOptions& options,
                                   const SpellOption& spelled = spelled_for_command);

}  // namespace quartz
