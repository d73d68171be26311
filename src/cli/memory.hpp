#pragma once

#include <cstdint>

namespace quartz::cli {

/// Returns the peak memory of this process in bytes.
[[nodiscard]] std::uint64_t peak_memory_bytes();

/// Makes the allocator reuse freed memory instead of returning it to the system. A circuit of a
/// million gates is copied several times, and obtaining new pages, which the system clears first,
/// takes longer than copying. Does nothing if the C library does not support this.
void keep_freed_memory();

}  // namespace quartz::cli
