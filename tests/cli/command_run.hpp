#pragma once

#include <stdlib.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <sstream>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "environment_variable.hpp"

/// Runs commands in process, like a shell.
namespace quartz::test {

namespace fs = std::filesystem;

/// A temporary folder that is removed at the end of the test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "quartz-test-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] fs::path operator/(const char* name) const { return path_ / name; }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct Run {
  int code = -1;
  std::string out;
  std::string err;
};

inline Run run(const cli::Command& command, const std::vector<std::string>& arguments,
               bool terminal = false, const std::stop_token& stop = {}) {
  std::ostringstream out;
  std::ostringstream err;
  Run result;
  cli::CommandContext context{out, err, terminal, stop};
  context.width = 10'000;  // Texts of the help are found more easily if they are not wrapped.
  result.code = cli::run_command(command, arguments, context);
  result.out = out.str();
  result.err = err.str();
  return result;
}

}  // namespace quartz::test
