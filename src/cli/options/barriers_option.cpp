#include "cli/options/barriers_option.hpp"

#include "cli/options/named_option.hpp"

namespace quartz::cli {

void add_barriers_option(CLI::App& app, Barriers& value, const std::string& description) {
  add_named_option(app, "--barriers", kBarriersValues, value, description);
}

}  // namespace quartz::cli
