#pragma once

#include <cstdint>
#include <string>

namespace quartz::cli {

/// Returns the peak memory of this process in bytes.
[[nodiscard]] std::uint64_t peak_memory_bytes();

/// Makes the allocator reuse freed memory instead of returning it to the system. A circuit of a
/// million gates is copied several times, and obtaining new pages, which the system clears first,
/// takes longer than copying. Does nothing if the C library does not support this.
void keep_freed_memory();

/// Returns a number of bytes with the largest unit of which it is at least 1, such as "4 bytes" or
/// "1.5 GiB".
[[nodiscard]] std::string bytes_text(double bytes);

}  // namespace quartz::cli
