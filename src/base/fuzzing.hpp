#pragma once

namespace quartz {

/// Whether this is a build for fuzzing (docs/developing.md). There the limits on the work for one
/// file are lower, because thousands of inputs are read each second. The macro is the one that
/// fuzzed projects use by convention.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
inline constexpr bool kIsFuzzingBuild = true;
#else
inline constexpr bool kIsFuzzingBuild = false;
#endif

}  // namespace quartz
