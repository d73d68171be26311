#include "cli/exit_code.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quartz::cli {

ExitCode worse(ExitCode a, ExitCode b) {
  constexpr std::array order{ExitCode::internal_error, ExitCode::stopped,   ExitCode::bad_input,
                             ExitCode::usage_error,    ExitCode::not_equal, ExitCode::undecided,
                             ExitCode::unverified,     ExitCode::done};
  static_assert(order.size() == exit_codes.size());
  return *std::ranges::find_first_of(order, std::array{a, b});
}

std::string exit_code_help() {
  std::string text = "Exit codes:\n";
  for (const ExitCodeMeaning& row : exit_codes) {
    text += fmt::format("  {:>2}  {}\n", static_cast<int>(row.code), row.meaning);
  }
  return text;
}

}  // namespace quartz::cli
