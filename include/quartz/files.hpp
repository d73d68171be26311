#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace quartz {

/// The whole content of a file; "-" is standard input. Throws InputError if it cannot be read.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

/// Writes beside the target, then renames over it: the target is whole or untouched. "-" is
/// standard output. Throws InputError if it cannot be written.
void write_text_file(const std::filesystem::path& path, std::string_view content);

/// Throws InputError unless write_text_file could write there now: for finding out before long
/// work, not after it. Leaves nothing behind.
void require_writable(const std::filesystem::path& path);

/// A digest of the bytes (XXH3, 128 bits) as "xxh128:" and 32 hexadecimal digits. Finds damage and
/// edits by hand; it is no signature.
[[nodiscard]] std::string digest_of(std::string_view content);

}  // namespace quartz
