#include "quartz/files.hpp"

#include <fmt/core.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include "quartz/errors.hpp"

namespace quartz {
namespace {

std::string reason() { return errno != 0 ? std::strerror(errno) : "unknown reason"; }

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
  if (path == "-") return {std::istreambuf_iterator<char>(std::cin), {}};
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError({path.string()}, "cannot read: it is a directory, expected a file");
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError({path.string()}, "cannot read: " + reason());
  std::string content{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) throw InputError({path.string()}, "cannot read: " + reason());
  return content;
}

void write_text_file(const std::filesystem::path& path, std::string_view content) {
  if (path == "-") {
    std::cout << content << std::flush;
    if (!std::cout) throw InputError({"<standard output>"}, "cannot write: " + reason());
    return;
  }
  // The process number keeps two runs that write one target from sharing a half-written file.
  const std::filesystem::path beside = path.string() + fmt::format(".{}.part", ::getpid());
  errno = 0;
  {
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    file << content;
    file.close();
    if (!file) {
      const std::string why = reason();
      std::error_code ignored;
      std::filesystem::remove(beside, ignored);
      throw InputError({path.string()}, "cannot write: " + why);
    }
  }
  std::error_code failed;
  std::filesystem::rename(beside, path, failed);
  if (failed) {
    std::error_code ignored;
    std::filesystem::remove(beside, ignored);
    throw InputError({path.string()}, "cannot write: " + failed.message());
  }
}

void require_writable(const std::filesystem::path& path) {
  if (path == "-") return;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError({path.string()}, "cannot write: it is a directory, expected a file");
  }
  const std::filesystem::path beside = path.string() + fmt::format(".{}.part", ::getpid());
  errno = 0;
  const bool opened = static_cast<bool>(std::ofstream(beside, std::ios::app));
  const std::string why = reason();
  std::filesystem::remove(beside, ignored);
  if (!opened) throw InputError({path.string()}, "cannot write: " + why);
}

std::string digest_of(std::string_view content) {
  const XXH128_hash_t digest = XXH3_128bits(content.data(), content.size());
  return fmt::format("xxh128:{:016x}{:016x}", digest.high64, digest.low64);
}

}  // namespace quartz
