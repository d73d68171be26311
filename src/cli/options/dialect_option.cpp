#include "cli/options/dialect_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace quartz::cli {

void add_dialect_option(CLI::App& app, const Dialect*& value) {
  value = &dialects().front();
  std::vector<std::string> names;
  std::string description = "what the output may use:";
  for (const Dialect& dialect : dialects()) {
    names.emplace_back(dialect.name);
    description += fmt::format(" {} ({});", dialect.name, dialect.readers);
  }
  description += " gates that a dialect does not have are written in those that it has";
  app.add_option_function<std::string>(
         "--dialect", [&value](const std::string& name) { value = find_dialect(name); },
         description)
      ->check(CLI::IsMember(names))
      ->default_str(names.front());
}

}  // namespace quartz::cli
