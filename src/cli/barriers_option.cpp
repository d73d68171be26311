#include "cli/barriers_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <utility>

namespace quartz::cli {
namespace {

/// THE list of values; the first one is the default.
constexpr std::array kValues{
    std::pair<const char*, Barriers>{"keep", Barriers::keep},
    std::pair<const char*, Barriers>{"ignore", Barriers::ignore},
};

}  // namespace

void add_barriers_option(CLI::App& app, Barriers& value, const std::string& description) {
  std::vector<std::string> names;
  for (const auto& [name, meaning] : kValues) names.emplace_back(name);
  const auto set = [&value](const std::string& given) {
    for (const auto& [name, meaning] : kValues) {
      if (given == name) value = meaning;
    }
  };
  app.add_option_function<std::string>("--barriers", set, description)
      ->check(CLI::IsMember(names))
      ->default_str(names.front());
}

}  // namespace quartz::cli
