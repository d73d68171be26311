#include "quartz/files.hpp"

#include <fmt/core.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>

#include "quartz/errors.hpp"

namespace quartz {
namespace {

std::string reason() { return errno != 0 ? std::strerror(errno) : "unknown reason"; }

std::string read_all(std::istream& stream) {
  constexpr std::size_t block = 1U << 18U;
  std::string content;
  while (stream) {
    const std::size_t before = content.size();
    content.resize(before + block);
    stream.read(content.data() + before, static_cast<std::streamsize>(block));
    content.resize(before + static_cast<std::size_t>(stream.gcount()));
  }
  return content;
}

/// Where the content goes when it is written, and how.
struct Target {
  std::filesystem::path path;    ///< behind any symbolic link, so that the link stays one
  std::filesystem::path beside;  ///< what is renamed to `path`; empty: write straight into it
  std::filesystem::perms permissions = std::filesystem::perms::unknown;  ///< of a file replaced
};

Target target_of(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) {
    throw InputError({path.string()}, "cannot write: it is a directory, expected a file");
  }
  // A device or a pipe (/dev/null, /dev/stdout) can't be replaced: a file of its name would take
  // its place.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    return {.path = path, .beside = {}};
  }
  Target target{.path = path, .beside = {}};
  if (std::filesystem::exists(status)) {
    target.permissions = status.permissions();
    if (auto resolved = std::filesystem::canonical(path, ignored); !ignored) {
      target.path = std::move(resolved);
    }
  }
  // The process number keeps two runs that write one target from sharing a half-written file.
  target.beside = target.path.string() + fmt::format(".{}.part", ::getpid());
  return target;
}

void write_parts(std::ostream& stream, std::span<const std::span<const std::byte>> parts) {
  for (const std::span<const std::byte> part : parts) {
    stream.write(reinterpret_cast<const char*>(part.data()),
                 static_cast<std::streamsize>(part.size()));
  }
}

/// Whether all of it was written.
bool write_content(const std::filesystem::path& path,
                   std::span<const std::span<const std::byte>> parts) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  write_parts(file, parts);
  file.close();
  return static_cast<bool>(file);
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
  if (path == "-") return read_all(std::cin);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError({path.string()}, "cannot read: it is a directory, expected a file");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError({path.string()}, "cannot read: " + reason());
  std::string content = read_all(file);
  if (file.bad()) throw InputError({path.string()}, "cannot read: " + reason());
  return content;
}

void write_text_file(const std::filesystem::path& path, std::string_view content) {
  const std::span<const std::byte> part = std::as_bytes(std::span(content));
  write_file(path, {&part, 1});
}

void write_file(const std::filesystem::path& path,
                std::span<const std::span<const std::byte>> parts) {
  if (path == "-") {
    write_parts(std::cout, parts);
    std::cout << std::flush;
    if (!std::cout) throw InputError({"<standard output>"}, "cannot write: " + reason());
    return;
  }
  const Target target = target_of(path);
  const auto fail = [&](const std::string& why) {
    std::error_code ignored;
    if (!target.beside.empty()) std::filesystem::remove(target.beside, ignored);
    throw InputError({path.string()}, "cannot write: " + why);
  };
  if (!write_content(target.beside.empty() ? target.path : target.beside, parts)) {
    fail(reason());
  }
  if (target.beside.empty()) return;
  std::error_code failed;
  if (target.permissions != std::filesystem::perms::unknown) {
    std::filesystem::permissions(target.beside, target.permissions, failed);
    if (failed) fail(failed.message());
  }
  std::filesystem::rename(target.beside, target.path, failed);
  if (failed) fail(failed.message());
}

void require_writable(const std::filesystem::path& path) {
  if (path == "-") return;
  const Target target = target_of(path);
  errno = 0;
  bool is_writable = false;
  if (target.beside.empty()) {
    is_writable = ::access(target.path.c_str(), W_OK) == 0;  // opening a pipe would wait
  } else {
    is_writable = static_cast<bool>(std::ofstream(target.beside, std::ios::app));
  }
  const std::string why = reason();
  std::error_code ignored;
  if (!target.beside.empty()) std::filesystem::remove(target.beside, ignored);
  if (!is_writable) throw InputError({path.string()}, "cannot write: " + why);
}

std::string digest_of(std::string_view content) {
  const DigestWords digest = digest_words_of(content);
  return fmt::format("xxh128:{:016x}{:016x}", digest.high, digest.low);
}

DigestWords digest_words_of(std::string_view content) {
  const XXH128_hash_t digest = XXH3_128bits(content.data(), content.size());
  return {digest.high64, digest.low64};
}

std::uint64_t checksum_of(std::span<const std::byte> content) {
  return XXH3_64bits(content.data(), content.size());
}

}  // namespace quartz
