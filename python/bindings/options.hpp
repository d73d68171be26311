#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>

#include "quartz/workflow/superoptimize.hpp"

namespace quartz::python {

/// Returns the options of a search from a dictionary of the keyword arguments of quartz.optimize;
/// `function` is what messages call the function that has them.
/// Throws TypeError, naming the argument, for a value of another type, and UsageError for a value
/// out of range.
[[nodiscard]] SuperoptimizeOptions options_from(const char* function,
                                                const nanobind::dict& arguments);

/// Writes an option as a keyword argument, as in permutation="free".
[[nodiscard]] std::string spelled_for_python(std::string_view option, std::string_view value);

}  // namespace quartz::python
