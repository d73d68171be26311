#pragma once

#include <stop_token>
#include <string>
#include <string_view>

namespace quartz {

/// How much time compression may take.
enum class CompressionEffort {
  none,   ///< stores the bytes as they are, without a checksum, for data that stays in the memory
  least,  ///< hundreds of megabytes per second, for data that is written during a search
  most,   ///< a few megabytes per second, for files that are written once
};

/// Compresses the bytes with Zstandard and, unless they are stored as they are, adds a checksum.
[[nodiscard]] std::string compressed(std::string_view content,
                                     CompressionEffort effort = CompressionEffort::most);
/// Returns whether the bytes begin with the magic number of Zstandard.
[[nodiscard]] bool is_compressed(std::string_view bytes);
/// Decompresses the bytes. `name` is what messages call the source. Throws InputError for bytes
/// that are damaged, truncated or not in Zstandard format, and for more than `most` bytes of
/// content, so that no small file can fill the memory. Throws Stopped once a stop is requested.
[[nodiscard]] std::string decompressed(std::string_view bytes, const std::string& name,
                                       std::size_t most = std::size_t{1} << 33U,
                                       const std::stop_token& stop = {});

}  // namespace quartz
