#pragma once

#include <cstddef>

namespace quartz {

/// Returns memory that was freed, in pages between others that are used, to the system. Lists of a
/// million gates are freed in parts, gate by gate, and what comes next mostly needs blocks of other
/// sizes. Takes some milliseconds for a gigabyte. Does nothing for lists of fewer than 100,000
/// gates, or if the C library does not support this.
void release_freed_memory(std::size_t gates);

}  // namespace quartz
