#pragma once

#include <cstdint>

namespace quartz::cli {

/// The most memory that this process has had at once.
[[nodiscard]] std::uint64_t peak_memory_bytes();

/// From now on memory that is freed serves what is asked for next, instead of going back to the
/// system: a circuit of a million gates is copied several times, and getting new pages, which are
/// cleared first, takes longer than the copying. Where that cannot be had nothing happens.
void keep_freed_memory();

}  // namespace quartz::cli
