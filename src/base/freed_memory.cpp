#include "base/freed_memory.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace quartz {

void release_freed_memory(std::size_t gates) {
  constexpr std::size_t kMinGates = 100'000;
  if (gates < kMinGates) return;
#ifdef __GLIBC__
  (void)::malloc_trim(0);
#endif
}

}  // namespace quartz
