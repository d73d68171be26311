#pragma once

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/qasm/include_path.hpp"

namespace quartz::qasm {

/// Finds and reads the files that a program includes, besides the standard files.
///
/// A file is looked for in the folder of the file that includes it, and then in the folders of the
/// include path. Wherever symbolic links and names with ".." lead, it must be in one of these
/// folders or below, so that a program cannot read other files of its user.
class IncludedFiles {
 public:
  struct File {
    std::string name;  ///< as messages call it
    std::string text;
  };

  /// `program` is the file of the program; empty if it is not read from a file.
  IncludedFiles(const std::filesystem::path& program, IncludePath path, std::stop_token stop);

  /// Reads a file that the current file includes, and makes it the current one. Throws InputError
  /// without a location if there is no such file, if it must not be read, if it includes itself,
  /// and if the files are nested too deeply, too many or too large.
  [[nodiscard]] File enter(std::string_view name);
  /// Returns to the file that includes the current one.
  void leave() { current_.pop_back(); }
  /// Returns whether the current file is not the program itself.
  [[nodiscard]] bool is_inside() const noexcept { return current_.size() > 1; }

 private:
  /// A file that is being read.
  struct Place {
    std::filesystem::path file;    ///< without symbolic links; empty if there is none
    std::filesystem::path folder;  ///< as it was named; empty if there is none
  };

  [[nodiscard]] std::filesystem::path find(std::string_view name) const;
  [[nodiscard]] bool is_permitted(const std::filesystem::path& file) const;

  IncludePath path_;
  std::stop_token stop_;
  std::vector<Place> current_;  ///< the program first
  std::size_t files_ = 0;       ///< number of files so far
  std::uint64_t bytes_ = 0;     ///< their size
};

}  // namespace quartz::qasm
