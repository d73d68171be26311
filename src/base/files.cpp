#include "quartz/base/files.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>

#include "base/descriptor.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

std::string reason() { return errno != 0 ? std::strerror(errno) : "unknown reason"; }

constexpr std::size_t kBlockSize = std::size_t{1} << 20U;

/// The buffer of standard input at the start of the process; std::cin has another one if it was
/// redirected.
const std::streambuf* const standard_input_buffer = std::cin.rdbuf();

/// Collects the content of a file.
class Content {
 public:
  Content(std::string name, const ReadOptions& options)
      : name_(std::move(name)), options_(options) {}

  [[noreturn]] void fail(const std::string& why) const {
    throw InputError({name_}, "cannot read: " + why);
  }
  void check_stop() const {
    if (options_.stop.stop_requested()) throw Stopped("stopped while reading " + name_);
  }
  void check_size(std::uint64_t bytes) const {
    if (bytes <= options_.max_bytes) return;
    fail(fmt::format("it has more than {} MiB, which is the limit for such a file",
                     options_.max_bytes >> 20U));
  }
  /// Appends a block and returns whether to continue reading.
  [[nodiscard]] bool append(std::string_view block) {
    check_stop();
    check_size(text_.size() + block.size());
    text_ += block;
    return !options_.ends_at_zero || block.find('\0') == std::string_view::npos;
  }
  void reserve(std::uint64_t bytes) { text_.reserve(bytes); }
  [[nodiscard]] const std::stop_token& stop() const { return options_.stop; }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string name_;
  const ReadOptions& options_;
  std::string text_;
};

void read_all(std::istream& stream, Content& content) {
  std::string block(kBlockSize, '\0');
  while (stream) {
    stream.read(block.data(), static_cast<std::streamsize>(block.size()));
    if (!content.append({block.data(), static_cast<std::size_t>(stream.gcount())})) return;
  }
}

/// Waits until the file can be read or a stop is requested.
void wait_for_input(int file, int wake, const Content& content) {
  std::array<pollfd, 2> awaited{{{file, POLLIN, 0}, {wake, POLLIN, 0}}};
  while (::poll(awaited.data(), awaited.size(), -1) < 0) {
    if (errno != EINTR) content.fail(reason());
  }
  content.check_stop();
}

void read_all(int file, Content& content) {
  const Descriptor wake(::eventfd(0, EFD_CLOEXEC));
  if (wake.number < 0) content.fail(reason());
  const std::stop_callback on_stop(content.stop(), [&] {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake.number, &one, sizeof one);
  });
  std::string block(kBlockSize, '\0');
  for (;;) {
    wait_for_input(file, wake.number, content);
    const ssize_t size = ::read(file, block.data(), block.size());
    if (size == 0) return;
    if (size < 0) {
      if (errno == EINTR || errno == EAGAIN) continue;
      content.fail(reason());
    }
    if (!content.append({block.data(), static_cast<std::size_t>(size)})) return;
  }
}

/// The destination of the content, and how it is written.
struct Target {
  std::filesystem::path path;    ///< after resolving symbolic links, which are kept
  std::filesystem::path beside;  ///< renamed to `path`; empty: write directly to `path`
  std::filesystem::perms permissions = std::filesystem::perms::unknown;  ///< if a file exists
};

Target target_of(const std::filesystem::path& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) {
    throw InputError({path.string()}, "cannot write: it is a directory, expected a file");
  }
  // A device or a pipe (/dev/null, /dev/stdout) must not be replaced by a regular file of its name.
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
  // Two processes, or two threads of one, that write the same target must not share a partial file.
  static std::atomic<std::uint64_t> number = 0;
  target.beside = target.path.string() + fmt::format(".{}-{}.part", ::getpid(), ++number);
  return target;
}

/// Returns false if a stop was requested.
bool write_parts(std::ostream& stream, std::span<const std::span<const std::byte>> parts,
                 const std::stop_token& stop) {
  for (std::span<const std::byte> part : parts) {
    while (!part.empty()) {
      if (stop.stop_requested()) return false;
      const std::span<const std::byte> block = part.first(std::min(part.size(), kBlockSize));
      stream.write(reinterpret_cast<const char*>(block.data()),
                   static_cast<std::streamsize>(block.size()));
      part = part.subspan(block.size());
    }
  }
  return true;
}

/// Returns whether everything was written.
bool write_content(const std::filesystem::path& path,
                   std::span<const std::span<const std::byte>> parts, const std::stop_token& stop) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!write_parts(file, parts, stop)) return false;
  file.close();
  return static_cast<bool>(file);
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, const ReadOptions& options) {
  if (path == "-") {
    Content content("<standard input>", options);
    if (std::cin.rdbuf() == standard_input_buffer) {
      read_all(STDIN_FILENO, content);
    } else {
      read_all(std::cin, content);
    }
    return content.take();
  }
  Content content(path.string(), options);
  // Opening a pipe with O_NONBLOCK does not wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.number < 0) content.fail(reason());
  struct stat status {};
  if (::fstat(file.number, &status) != 0) content.fail(reason());
  if (S_ISDIR(status.st_mode)) content.fail("it is a directory, expected a file");
  if (S_ISREG(status.st_mode)) {
    content.check_size(static_cast<std::uint64_t>(status.st_size));
    content.reserve(static_cast<std::uint64_t>(status.st_size));
  }
  read_all(file.number, content);
  return content.take();
}

void write_text_file(const std::filesystem::path& path, std::string_view content,
                     const std::stop_token& stop) {
  const std::span<const std::byte> part = std::as_bytes(std::span(content));
  write_file(path, {&part, 1}, stop);
}

void write_file(const std::filesystem::path& path,
                std::span<const std::span<const std::byte>> parts, const std::stop_token& stop) {
  const Stopped stopped("stopped while writing " + path.string());
  if (path == "-") {
    if (!write_parts(std::cout, parts, stop)) throw stopped;
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
  if (!write_content(target.beside.empty() ? target.path : target.beside, parts, stop)) {
    if (!stop.stop_requested()) fail(reason());
    std::error_code ignored;
    if (!target.beside.empty()) std::filesystem::remove(target.beside, ignored);
    throw stopped;
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
    is_writable = ::access(target.path.c_str(), W_OK) == 0;  // opening a pipe would block
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
