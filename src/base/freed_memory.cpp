#include "base/freed_memory.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace quartz {

void release_freed_memory() {
#ifdef __GLIBC__
  (void)::malloc_trim(0);
#endif
}

}  // namespace quartz
