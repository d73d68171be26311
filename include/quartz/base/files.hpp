#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace quartz {

/// The list of size limits for files that are read whole. A larger file, such as a device without
/// an end, is refused. A machine with 24 GiB of memory can read files of each of these sizes.
namespace file_limit {
/// Gate sets, weights of gates, coupling maps.
inline constexpr std::uint64_t description = std::uint64_t{64} << 20U;
/// OpenQASM: more than 10^7 gates.
inline constexpr std::uint64_t circuit = std::uint64_t{2} << 30U;
/// Rule sets, and the proofs of a checkpoint.
inline constexpr std::uint64_t rules = std::uint64_t{4} << 30U;
}  // namespace file_limit

/// Options of read_text_file.
struct ReadOptions {
  std::uint64_t max_bytes = file_limit::description;  ///< a larger file is an error
  std::stop_token stop = {};
  /// Stop reading after the first MiB that contains a zero byte, which no text contains. The reader
  /// of the text rejects it anyway, and need not wait for the end of a device that returns only
  /// zeros.
  bool ends_at_zero = false;
};

/// Returns the whole content of a file; "-" is standard input. Throws InputError if the file cannot
/// be read or is larger than the options allow, and Stopped once a stop is requested, also while
/// waiting for a pipe.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path,
                                         const ReadOptions& options = {});

/// Writes to a temporary file beside the target, then renames it over the target, so that the
/// target is either complete or unchanged. "-" is standard output. Throws InputError if the file
/// cannot be written, and Stopped once a stop is requested.
void write_text_file(const std::filesystem::path& path, std::string_view content,
                     const std::stop_token& stop = {});

/// Writes content that consists of several parts, in the same way as write_text_file.
void write_file(const std::filesystem::path& path,
                std::span<const std::span<const std::byte>> parts,
                const std::stop_token& stop = {});

/// Throws InputError unless write_text_file could write to the path now, so that a bad path is
/// found before long work and not after it. Leaves nothing behind.
void require_writable(const std::filesystem::path& path);

/// Returns a digest of the bytes (XXH3, 128 bits) as "xxh128:" and 32 hexadecimal digits. It
/// detects damage and manual edits; it is not a signature.
[[nodiscard]] std::string digest_of(std::string_view content);

/// The digest of digest_of as two words.
struct DigestWords {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend bool operator==(const DigestWords&, const DigestWords&) = default;
};
[[nodiscard]] DigestWords digest_words_of(std::string_view content);

/// Returns a checksum of the bytes (XXH3, 64 bits), computed at memory speed.
[[nodiscard]] std::uint64_t checksum_of(std::span<const std::byte> content);

}  // namespace quartz
