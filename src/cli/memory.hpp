#pragma once

#include <cstdint>
#include <string>

namespace quartz::cli {

/// Returns the peak memory of this process in bytes.
[[nodiscard]] std::uint64_t peak_memory_bytes();

/// Makes the allocator keep the memory of small freed blocks, which are needed again soon:
/// obtaining new pages, which the system clears first, takes longer than copying a gate. The memory
/// of large blocks is returned to the system. Does nothing if the C library does not support this.
void keep_freed_memory();

/// Returns a number of bytes with the largest unit of which it is at least 1, such as "4 bytes" or
/// "1.5 GiB".
[[nodiscard]] std::string bytes_text(double bytes);

}  // namespace quartz::cli
