#pragma once

namespace quartz {

/// Throws UsageError if the processor lacks instructions for which the library was compiled
/// (QUARTZ_PROCESSOR).
void require_processor();

}  // namespace quartz
