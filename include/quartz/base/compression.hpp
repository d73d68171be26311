#pragma once

#include <stop_token>
#include <string>
#include <string_view>

namespace quartz {

/// Compresses the bytes with Zstandard, at a level for files that are written once, and adds a
/// checksum.
[[nodiscard]] std::string compressed(std::string_view content);
/// Returns whether the bytes begin with the magic number of Zstandard.
[[nodiscard]] bool is_compressed(std::string_view bytes);
/// Decompresses the bytes. `name` is what messages call the source. Throws InputError for bytes
/// that are damaged, truncated or not in Zstandard format, and for more than `most` bytes of
/// content, so that no small file can fill the memory. Throws Stopped once a stop is requested.
[[nodiscard]] std::string decompressed(std::string_view bytes, const std::string& name,
                                       std::size_t most = std::size_t{1} << 33U,
                                       const std::stop_token& stop = {});

}  // namespace quartz
