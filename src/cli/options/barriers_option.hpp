#pragma once

#include <string>

#include "quartz/workflow/superoptimize.hpp"

namespace CLI {
class App;
}  // namespace CLI

namespace quartz::cli {

/// Declares --barriers, which says whether the barriers of programs stay in them.
void add_barriers_option(CLI::App& app, Barriers& value, const std::string& description);

}  // namespace quartz::cli
