#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace quartz {

/// THE list of sizes of files that are read whole; a file that is larger, as a device without an
/// end is, is refused. A machine with 24 GiB reads each of them.
namespace file_limit {
/// Gate sets, weights of gates, coupling maps.
inline constexpr std::uint64_t description = std::uint64_t{64} << 20U;
/// OpenQASM: more than 10^7 gates.
inline constexpr std::uint64_t circuit = std::uint64_t{2} << 30U;
/// Rule sets, and the proofs of a checkpoint.
inline constexpr std::uint64_t rules = std::uint64_t{4} << 30U;
}  // namespace file_limit

struct ReadOptions {
  std::uint64_t most_bytes = file_limit::description;
  std::stop_token stop = {};
  /// Nothing is read behind the first MiB with a zero byte, which no text has: its reader refuses
  /// it, and need not wait for the end of a device that gives nothing else.
  bool ends_at_zero = false;
};

/// The whole content of a file; "-" is standard input. Throws InputError if it cannot be read or is
/// larger than the options allow, Stopped once a stop is requested, also while it waits for a pipe.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path,
                                         const ReadOptions& options = {});

/// Writes beside the target, then renames over it: the target is whole or untouched. "-" is
/// standard output. Throws InputError if it cannot be written, Stopped once a stop is requested.
void write_text_file(const std::filesystem::path& path, std::string_view content,
                     const std::stop_token& stop = {});

/// The same for content in several parts.
void write_file(const std::filesystem::path& path,
                std::span<const std::span<const std::byte>> parts,
                const std::stop_token& stop = {});

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
