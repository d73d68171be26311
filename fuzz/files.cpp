#include "files.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"

namespace quartz::fuzz {
namespace {

/// A folder for the files of this process. A child process does not remove it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code ignored;
    const std::filesystem::path shared_memory = "/dev/shm";
    const std::filesystem::path parent = std::filesystem::is_directory(shared_memory, ignored)
                                             ? shared_memory
                                             : std::filesystem::temp_directory_path();
    std::string pattern = (parent / "quartz-fuzz-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw Error("cannot create a folder like " + pattern);
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (::getpid() == process_) std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  pid_t process_ = ::getpid();
};

}  // namespace

std::string repository_folder(const std::string& folder) {
  return (std::filesystem::path(QUARTZ_SOURCE_DIR) / folder).string();
}

std::vector<std::string> repository_files(const std::string& folder, const std::string& suffix,
                                          std::size_t max_bytes) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(repository_folder(folder))) {
    const bool is_wanted = entry.is_regular_file() && entry.file_size() <= max_bytes &&
                           entry.path().string().ends_with(suffix);
    if (is_wanted) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<std::string> contents;
  for (const std::filesystem::path& path : paths) contents.push_back(read_text_file(path));
  return contents;
}

std::string scratch_file(const std::string& name) {
  static const ScratchFolder folder;
  return (folder.path() / name).string();
}

void write_scratch_file(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) throw Error("cannot write " + path);
}

}  // namespace quartz::fuzz
