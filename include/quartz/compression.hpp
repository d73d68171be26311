#pragma once

#include <stop_token>
#include <string>
#include <string_view>

namespace quartz {

/// The bytes by Zstandard, at a level for files that are written once; with a checksum.
[[nodiscard]] std::string compressed(std::string_view content);
/// Whether the bytes begin as Zstandard's do.
[[nodiscard]] bool is_compressed(std::string_view bytes);
/// What was compressed. `name` is what messages call the source. Throws InputError for bytes that
/// are damaged, cut short or no Zstandard's, and for more than `most` bytes of content, so that no
/// small file fills the memory.
[[nodiscard]] std::string decompressed(std::string_view bytes, const std::string& name,
                                       std::size_t most = std::size_t{1} << 33U,
                                       const std::stop_token& stop = {});

}  // namespace quartz
