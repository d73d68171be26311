#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "quartz/workflow/option_values.hpp"

namespace quartz::cli {

/// Declares an option with one of the values of a list, of which the first one is the default.
template <typename Values, typename Value>
void add_named_option(CLI::App& app, const std::string& option, const Values& values, Value& value,
                      const std::string& description) {
  std::vector<std::string> names;
  for (const auto& row : values) names.emplace_back(row.name);
  const auto set = [&](const std::string& given) { value = value_named(given, values); };
  app.add_option_function<std::string>(option, set, description)
      ->check(CLI::IsMember(names))
      ->default_str(names.front());
}

}  // namespace quartz::cli
