#include "cli/workers/shared_call.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <span>
#include <vector>

#include "quartz/base/errors.hpp"

namespace quartz::cli {

void require_same_call(const std::string& line, Ranks& ranks) {
  for (const std::vector<std::byte>& other : gather_by_all(ranks, std::as_bytes(std::span(line)))) {
    if (std::ranges::equal(other, std::as_bytes(std::span(line)))) continue;
    throw UsageError(std::string("the processes of mpirun have different arguments") +
                     kHowToRunSeparately);
  }
}

unsigned threads_of_rank(unsigned option, Ranks& ranks) {
  const unsigned share = ranks.threads_of_share();
  return option == 0 && std::getenv("OMP_NUM_THREADS") == nullptr ? share : option;
}

}  // namespace quartz::cli
