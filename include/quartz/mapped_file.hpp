#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>

namespace quartz {

/// The content of a file as memory, read-only, page-aligned, and shared with every other process
/// that maps it. A file that is replaced (write_text_file renames) stays as it was for those who
/// have it mapped; one that is cut short in place takes the process with it, so that files to be
/// mapped are never written any other way.
class MappedFile {
 public:
  /// Throws InputError if it cannot be read.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace quartz
