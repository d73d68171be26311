#include "python/bindings/options.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "python/bindings/arguments.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/class_table.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/workflow/options.hpp"

namespace quartz::python {
namespace {

/// Sets an option to an object that only Python has. Returns whether the value is such an object.
bool assign_object(const Option& option, SuperoptimizeOptions& options, nb::handle value) {
  if (option.type == OptionType::coupling && nb::isinstance<CouplingMap>(value)) {
    options.coupling = nb::cast<CouplingMap>(value);
    return true;
  }
  if (option.type == OptionType::rule_set && nb::isinstance<RuleSet>(value)) {
    options.rules = nb::cast<RuleSet>(value);
    return true;
  }
  if (option.type != OptionType::class_table || !nb::isinstance<TableInFile>(value)) return false;
  options.class_table = nb::cast<const TableInFile&>(value).file;
  if (!options.class_table.empty()) return true;
  throw UsageError("the class table is not in a file; write it first");
}

/// Returns the value of an option that an object of Python means. Throws nb::cast_error for an
/// object of another type, and OutOfRange for a number that has more than 64 bits.
OptionValue value_from(const Option& option, nb::handle value) {
  switch (option.type) {
    case OptionType::seconds:
    case OptionType::number:
      return number_from(value);
    case OptionType::bytes:
    case OptionType::whole_number:
      if (is_whole(option)) return whole_number_from(value);
      return number_from(value);
    case OptionType::on_off:
      return truth_from(value);
    case OptionType::name:
    case OptionType::searches:
    case OptionType::text:
      return text_from(value);
    case OptionType::cache:
      if (nb::isinstance<nb::bool_>(value)) return truth_from(value) ? "on" : "off";
      return path_from(value).string();
    default:
      return path_from(value).string();
  }
}

void assign_option(const Option& option, SuperoptimizeOptions& options, nb::handle value) {
  if (assign_object(option, options, value)) return;
  const OptionValue converted = value_from(option, value);
  if (!is_in_range(option, converted)) throw OutOfRange();
  option.assign(options, converted);
}

/// Returns the names of the types, in the order of OptionType.
constexpr std::array kTypes{"seconds",  "bytes",       "number", "whole_number", "on_off",
                            "name",     "searches",    "text",   "folder",       "coupling",
                            "rule_set", "class_table", "cache"};
static_assert(kTypes.size() == static_cast<std::size_t>(OptionType::cache) + 1);

/// Returns the fields of an option from which scripts/make_python_options.py writes the arguments
/// of quartz.optimize.
nb::dict fields_of(const Option& option) {
  const auto as_code = [](std::string_view name) { return "``" + std::string(name) + "``"; };
  nb::dict fields;
  fields["name"] = nb::cast(option.name);
  fields["type"] = nb::cast(kTypes.at(static_cast<std::size_t>(option.type)));
  fields["help"] = nb::cast(help_of(option, as_code, unit_note(option)));
  fields["names"] = nb::cast(option.names);
  fields["whole"] = is_whole(option);
  fields["default"] = nb::cast(default_of(option));
  return fields;
}

nb::list python_options() {
  nb::list rows;
  for (const Option& option : library_options()) {
    if (option.in_python) rows.append(fields_of(option));
  }
  return rows;
}

}  // namespace

SuperoptimizeOptions options_from(const char* function, const nb::dict& arguments) {
  SuperoptimizeOptions options;
  std::size_t found = 0;
  const auto assign = [&](const char* name, const char* expected, const auto& set) {
    if (!arguments.contains(name)) return;
    assign_argument(function, name, expected, arguments[name], set);
    ++found;
  };
  assign("cost", "a cost", [&](nb::handle value) { options.cost = nb::cast<Cost>(value); });
  for (const Option& option : library_options()) {
    const bool is_switch = option.type == OptionType::on_off;
    assign(std::string(option.name).c_str(),
           is_switch ? "True or False" : std::string(expected_value(option)).c_str(),
           [&](nb::handle value) { assign_option(option, options, value); });
  }
  ensure(found == arguments.size(), "every argument is in the list");
  return options;
}

void bind_options(nb::module_& module) {
  module.def("_options", &python_options, nb::sig("def _options() -> list[dict[str, object]]"));
}

std::string spelled_for_python(std::string_view option, std::string_view value) {
  const std::string name(option);
  return value.empty() ? name : name + "=\"" + std::string(value) + "\"";
}

}  // namespace quartz::python
