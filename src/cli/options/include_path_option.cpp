#include "cli/options/include_path_option.hpp"

#include <CLI/CLI.hpp>

namespace quartz::cli {

void add_include_path_option(CLI::App& app, std::vector<std::string>& folders) {
  app.add_option(
         "--include-path", folders,
         "folder in which files that a circuit includes are looked for, after the folder of "
         "the file that includes them; may be given several times. Files outside of these "
         "folders are not included")
      ->type_name("FOLDER")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

IncludePath include_path_of(const std::vector<std::string>& folders) {
  return {{folders.begin(), folders.end()}};
}

}  // namespace quartz::cli
