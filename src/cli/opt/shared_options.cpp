#include "cli/opt/shared_options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "quartz/base/errors.hpp"

namespace quartz::cli {

void require_same_call(const OptOptions& options, Ranks& ranks) {
  const std::string& line = options.command.line;
  for (const std::vector<std::byte>& other : gather_by_all(ranks, std::as_bytes(std::span(line)))) {
    if (std::ranges::equal(other, std::as_bytes(std::span(line)))) continue;
    throw UsageError(std::string("the processes of mpirun have different arguments") +
                     kHowToRunSeparately);
  }
}

OptOptions with_own_threads(const OptOptions& options, Ranks& ranks) {
  OptOptions own = options;
  const unsigned share = ranks.threads_of_share();
  if (own.library.threads == 0 && std::getenv("OMP_NUM_THREADS") == nullptr) {
    own.library.threads = share;
  }
  return own;
}

}  // namespace quartz::cli
