#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <utility>

namespace quartz {

/// One holder at a time, of all threads and processes, for the work on one path: so that what takes
/// long is done once. It is flock on a file beside it, "PATH.lock", which goes with its holder; a
/// process that ends in any way lets go. It asks nothing of those who do not ask for the lock.
class FileLock {
 public:
  /// Nothing where someone else holds it. Throws InputError if the folder takes no such file.
  [[nodiscard]] static std::optional<FileLock> try_lock(const std::filesystem::path& path);
  /// Waits for it; nothing if stopped. Throws as above.
  [[nodiscard]] static std::optional<FileLock> wait(const std::filesystem::path& path,
                                                    const std::stop_token& stop);

  FileLock(FileLock&& other) noexcept
      : lock_file_(std::move(other.lock_file_)),
        descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(lock_file_, other.lock_file_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  FileLock(std::filesystem::path lock_file, int descriptor)
      : lock_file_(std::move(lock_file)), descriptor_(descriptor) {}

  std::filesystem::path lock_file_;
  int descriptor_ = -1;
};

}  // namespace quartz
