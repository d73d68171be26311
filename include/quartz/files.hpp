#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace quartz {

/// The whole content of a file; "-" is standard input. Throws InputError if it cannot be read.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);

/// Writes beside the target, then renames over it: the target is whole or untouched. "-" is
/// standard output. Throws InputError if it cannot be written.
void write_text_file(const std::filesystem::path& path, std::string_view content);

/// The same for content in several parts.
void write_file(const std::filesystem::path& path,
                std::span<const std::span<const std::byte>> parts);

/// Throws InputError unless write_text_file could write there now: for finding out before long
/// work, not after it. Leaves nothing behind.
void require_writable(const std::filesystem::path& path);

/// A digest of the bytes (XXH3, 128 bits) as "xxh128:" and 32 hexadecimal digits. Finds damage and
/// edits by hand; it is no signature.
[[nodiscard]] std::string digest_of(std::string_view content);

/// The same digest as two words.
struct DigestWords {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const DigestWords&, const DigestWords&) = default;
};
[[nodiscard]] DigestWords digest_words_of(std::string_view content);

/// A checksum of the bytes (XXH3, 64 bits), at the speed of memory.
[[nodiscard]] std::uint64_t checksum_of(std::span<const std::byte> content);

}  // namespace quartz
