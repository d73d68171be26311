#include "cli/memory.hpp"

#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "quartz/base/errors.hpp"

namespace quartz::cli {

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  ensure(::getrusage(RUSAGE_SELF, &usage) == 0, "getrusage reports on this process");
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // ru_maxrss is in KiB
}

void keep_freed_memory() {
#ifdef __GLIBC__
  // Blocks above the first threshold, such as the parts of a large class table, are returned to the
  // system at once.
  (void)::mallopt(M_MMAP_THRESHOLD, 256 << 20);
  (void)::mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

}  // namespace quartz::cli
