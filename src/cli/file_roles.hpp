#pragma once

#include <map>
#include <string>

namespace quartz::cli {

/// What the files of one call of a command are for. No file that is written may be the same as
/// another one that is written or read: the later one would replace the earlier one.
///
/// Files are the same if they are the same on disk, whatever their names: relative and absolute
/// paths, symbolic links and hard links. Devices and pipes, such as /dev/null and /dev/stdout, may
/// have several roles.
class FileRoles {
 public:
  /// Adds a file that is read, or nothing if it does not exist, such as the name of a bundled gate
  /// set, or is "-". The role names the file in messages: "the input a.qasm".
  void add_input(std::string role, const std::string& path);
  /// Adds a file that is written; "-" is standard output, and an empty path no file. All inputs
  /// must have been added. Throws UsageError if another file is the same.
  void add_output(std::string role, const std::string& path);

 private:
  std::map<std::string, std::string> inputs_;   ///< roles by what identifies the file
  std::map<std::string, std::string> outputs_;  ///< the same for files that are written
};

}  // namespace quartz::cli
