#include "cli/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cstddef>
#include <iterator>

#include "quartz/base/errors.hpp"

namespace quartz::cli {

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  ensure(::getrusage(RUSAGE_SELF, &usage) == 0, "getrusage reports on this process");
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;  // ru_maxrss is in KiB
}

void keep_freed_memory() {
#ifdef __GLIBC__
  // This also fixes the size from which blocks are mapped by themselves, 128 KiB, which would grow
  // otherwise: large blocks, such as lists of gates, are returned to the system at once.
  (void)::mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

std::string bytes_text(double bytes) {
  if (bytes < 0x1p10) return fmt::format("{:g} byte{}", bytes, bytes == 1 ? "" : "s");
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (bytes /= 0x1p10; bytes >= 0x1p10 && unit + 1 < std::size(kUnits); ++unit) bytes /= 0x1p10;
  return fmt::format("{:.4g} {}", bytes, kUnits[unit]);
}

}  // namespace quartz::cli
