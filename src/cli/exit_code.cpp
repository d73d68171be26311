#include "cli/exit_code.hpp"

#include <algorithm>

namespace quartz::cli {

ExitCode worse(ExitCode a, ExitCode b) {
  constexpr std::array order{ExitCode::internal_error, ExitCode::stopped,   ExitCode::bad_input,
                             ExitCode::usage_error,    ExitCode::not_equal, ExitCode::undecided,
                             ExitCode::unverified,     ExitCode::done};
  static_assert(order.size() == exit_codes.size());
  return *std::ranges::find_first_of(order, std::array{a, b});
}

}  // namespace quartz::cli
