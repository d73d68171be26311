#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Files of the repository, and files of one process.
namespace quartz::fuzz {

/// Returns the contents of the files in a folder of the repository whose names end with `suffix`
/// and that have at most `max_bytes`, sorted by name.
[[nodiscard]] std::vector<std::string> repository_files(const std::string& folder,
                                                        const std::string& suffix,
                                                        std::size_t max_bytes = 4096);
/// Returns the path of a folder of the repository.
[[nodiscard]] std::string repository_folder(const std::string& folder);

/// Returns a path for a file of this process, in memory if possible. The folder is removed when the
/// process ends.
[[nodiscard]] std::string scratch_file(const std::string& name);
void write_scratch_file(const std::string& path, std::string_view content);

}  // namespace quartz::fuzz
