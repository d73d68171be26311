#include "cli/memory.hpp"

#include <sys/resource.h>

#include "quartz/errors.hpp"

namespace quartz::cli {

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  ensure(::getrusage(RUSAGE_SELF, &usage) == 0, "getrusage reports on this process");
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // it counts in KiB
}

}  // namespace quartz::cli
