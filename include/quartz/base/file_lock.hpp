#pragma once

#include <filesystem>
#include <optional>
#include <stop_token>
#include <utility>

namespace quartz {

/// A lock on the work on one path, with one holder at a time among all threads and processes, so
/// that expensive work is done only once. It is an flock on a file beside the path, "PATH.lock",
/// which the holder removes at the end; a process that ends in any way releases the lock. The lock
/// is advisory: it does not affect processes that do not request it.
class FileLock {
 public:
  /// Returns the lock, or nullopt if someone else holds it. Throws InputError if the lock file
  /// cannot be created in the folder.
  [[nodiscard]] static std::optional<FileLock> try_lock(const std::filesystem::path& path);
  /// Waits for the lock; returns nullopt if stopped. Throws InputError if the lock file cannot be
  /// created in the folder.
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
