#include "cli/exit_code.hpp"

#include <fmt/format.h>

namespace quartz::cli {

std::string exit_code_help() {
  std::string text = "Exit codes:\n";
  for (const ExitCodeMeaning& row : exit_codes) {
    text += fmt::format("  {:>2}  {}\n", static_cast<int>(row.code), row.meaning);
  }
  return text;
}

}  // namespace quartz::cli
