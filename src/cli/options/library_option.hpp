#pragma once

#include <string>
#include <string_view>

#include "quartz/workflow/options.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace quartz::cli {

/// Declares a library option, which sets its member of `values`; an empty description stands for
/// the one in the list of these options.
CLI::Option* add_library_option(CLI::App& app, const Option& option, SuperoptimizeOptions& values,
                                const std::string& description = {});

/// Declares all library options of a group (Option::group) under the current heading.
void add_library_options(CLI::App& app, std::string_view group, SuperoptimizeOptions& values);

}  // namespace quartz::cli
