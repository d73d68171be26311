#include "cli/exit_code.hpp"

#include <algorithm>

namespace quartz::cli {

ExitCode worse(ExitCode a, ExitCode b) {
  constexpr std::array kOrder{ExitCode::internal_error, ExitCode::stopped,   ExitCode::bad_input,
                              ExitCode::usage_error,    ExitCode::not_equal, ExitCode::undecided,
                              ExitCode::unverified,     ExitCode::done};
  static_assert(kOrder.size() == exit_codes.size());
  return *std::ranges::find_first_of(kOrder, std::array{a, b});
}

}  // namespace quartz::cli
