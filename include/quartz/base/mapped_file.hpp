#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>

namespace quartz {

/// The content of a file mapped into memory, read-only, page-aligned, and shared with every other
/// process that maps it. If the file is replaced (write_text_file renames), existing mappings keep
/// the old content. If a file is truncated in place, reading its mapping kills the process;
/// therefore files that are mapped are never written in any other way.
class MappedFile {
 public:
  /// Throws InputError if the file cannot be read.
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// Returns the content of the file; valid as long as this object.
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace quartz
