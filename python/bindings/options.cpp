#include "python/bindings/options.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "python/bindings/class_table.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/workflow/option_values.hpp"

namespace quartz::python {
namespace {

namespace nb = nanobind;

std::string string_from(nb::handle value) { return nb::cast<std::string>(value); }

double seconds_from(nb::handle value) {
  const auto seconds = nb::cast<double>(value);
  if (!(seconds >= 0) || !std::isfinite(seconds)) {
    throw UsageError("a time is a finite number of seconds, 0 or more");
  }
  return seconds;
}

std::uint64_t steps_from(nb::handle value) {
  const auto steps = nb::cast<std::uint64_t>(value);
  if (steps == 0) throw UsageError("the number of steps is at least 1");
  return steps;
}

CouplingChoice coupling_from(nb::handle value) {
  if (nb::isinstance<CouplingMap>(value)) return nb::cast<CouplingMap>(value);
  if (nb::isinstance<nb::str>(value) && string_from(value) == "auto") return CouplingOfCircuit{};
  return nb::cast<std::filesystem::path>(value);
}

RuleChoice rules_from(nb::handle value) {
  if (nb::isinstance<RuleSet>(value)) return nb::cast<RuleSet>(value);
  return nb::cast<std::filesystem::path>(value);
}

std::filesystem::path table_from(nb::handle value) {
  if (!nb::isinstance<TableInFile>(value)) return nb::cast<std::filesystem::path>(value);
  const auto& table = nb::cast<const TableInFile&>(value);
  if (table.file.empty()) throw UsageError("the class table is not in a file; write it first");
  return table.file;
}

CacheOptions cache_from(nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return {.enabled = nb::cast<bool>(value), .folder = {}};
  return {.enabled = true, .folder = nb::cast<std::filesystem::path>(value)};
}

/// A keyword argument of quartz.optimize.
struct Argument {
  const char* name;
  void (*set)(SuperoptimizeOptions& options, nb::handle value);
};

using Options = SuperoptimizeOptions;

/// THE list of the arguments that are passed on to the library. Arguments that are None are not in
/// the dictionary.
constexpr Argument kArguments[] = {
    {"cost", [](Options& options, nb::handle value) { options.cost = nb::cast<Cost>(value); }},
    {"time", [](Options& options, nb::handle value) { options.seconds = seconds_from(value); }},
    {"threads",
     [](Options& options, nb::handle value) { options.threads = nb::cast<unsigned>(value); }},
    {"seed",
     [](Options& options, nb::handle value) { options.seed = nb::cast<std::uint64_t>(value); }},
    {"search", [](Options& options, nb::handle value) { options.search = string_from(value); }},
    {"exactness", [](Options& options,
                     nb::handle value) { options.exactness = find_exactness(string_from(value)); }},
    {"epsilon",
     [](Options& options, nb::handle value) { options.epsilon = nb::cast<double>(value); }},
    {"barriers",
     [](Options& options, nb::handle value) {
       options.barriers = value_named(string_from(value), kBarriersValues);
     }},
    {"initial_state",
     [](Options& options, nb::handle value) {
       options.edges.starts_zero = value_named(string_from(value), kInitialStateValues);
     }},
    {"final_state",
     [](Options& options, nb::handle value) {
       options.edges.ends_discarded = value_named(string_from(value), kFinalStateValues);
     }},
    {"permutation",
     [](Options& options, nb::handle value) {
       options.qubit_order = value_named(string_from(value), kQubitOrderValues);
     }},
    {"coupling",
     [](Options& options, nb::handle value) { options.coupling = coupling_from(value); }},
    {"steps", [](Options& options, nb::handle value) { options.steps = steps_from(value); }},
    {"rules", [](Options& options, nb::handle value) { options.rules = rules_from(value); }},
    {"table", [](Options& options, nb::handle value) { options.class_table = table_from(value); }},
    {"table_memory",
     [](Options& options, nb::handle value) {
       options.table_memory = nb::cast<std::uint64_t>(value);
     }},
    {"cache", [](Options& options, nb::handle value) { options.cache = cache_from(value); }},
    {"qasm",
     [](Options& options, nb::handle value) { options.qasm_version = nb::cast<unsigned>(value); }},
    {"check",
     [](Options& options, nb::handle value) {
       options.check = value_named(string_from(value), kCheckValues);
     }},
    {"check_time",
     [](Options& options, nb::handle value) { options.check_seconds = seconds_from(value); }},
    {"check_memory",
     [](Options& options, nb::handle value) {
       options.check_memory_bytes = nb::cast<double>(value);
     }},
    {"checkpoint",
     [](Options& options, nb::handle value) {
       options.checkpoint.folder = nb::cast<std::filesystem::path>(value);
     }},
    {"resume",
     [](Options& options, nb::handle value) { options.checkpoint.resume = nb::cast<bool>(value); }},
    {"journal",
     [](Options& options, nb::handle value) { options.record_journal = nb::cast<bool>(value); }},
    {"explain",
     [](Options& options, nb::handle value) { options.record_gains = nb::cast<bool>(value); }},
    {"emit_rules",
     [](Options& options, nb::handle value) { options.record_rules = nb::cast<bool>(value); }},
    {"circuit_name",
     [](Options& options, nb::handle value) { options.circuit_name = string_from(value); }},
};

void set(const Argument& argument, SuperoptimizeOptions& options, nb::handle value) {
  try {
    argument.set(options, value);
  } catch (const nb::cast_error&) {
    const std::string text = std::string("optimize(): ") + argument.name + " cannot be " +
                             nb::cast<std::string>(nb::repr(value));
    throw nb::type_error(text.c_str());
  } catch (const UsageError& error) {
    throw UsageError(std::string("optimize(): ") + argument.name + ": " + error.what());
  }
}

}  // namespace

SuperoptimizeOptions options_from(const nb::dict& arguments) {
  SuperoptimizeOptions options;
  std::size_t found = 0;
  for (const Argument& argument : kArguments) {
    if (!arguments.contains(argument.name)) continue;
    set(argument, options, arguments[argument.name]);
    ++found;
  }
  ensure(found == arguments.size(), "every argument of optimize() is in the list");
  return options;
}

}  // namespace quartz::python
