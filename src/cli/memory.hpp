#pragma once

#include <cstdint>

namespace quartz::cli {

/// The most memory that this process has had at once.
[[nodiscard]] std::uint64_t peak_memory_bytes();

}  // namespace quartz::cli
