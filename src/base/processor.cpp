#include "base/processor.hpp"

#include "quartz/base/errors.hpp"

namespace quartz {

void require_processor() {
#if defined(__x86_64__) && defined(__GNUC__)
  bool has_all = true;
#ifdef __POPCNT__
  has_all = has_all && __builtin_cpu_supports("popcnt") != 0;
#endif
#ifdef __SSE4_2__
  has_all = has_all && __builtin_cpu_supports("sse4.2") != 0;
#endif
#ifdef __AVX2__
  has_all = has_all && __builtin_cpu_supports("avx2") != 0;
#endif
#ifdef __AVX512F__
  has_all = has_all && __builtin_cpu_supports("avx512f") != 0;
#endif
  if (!has_all) {
    throw UsageError(
        "this build of Quartz is for newer processors than this one; -DQUARTZ_PROCESSOR=x86-64 "
        "compiles it for all of them");
  }
#endif
}

}  // namespace quartz
