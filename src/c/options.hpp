#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/qasm/include_path.hpp"
#include "quartz/quartz.h"
#include "quartz/workflow/superoptimize.hpp"

/// The options of quartz_optimize, and of reading circuits.
struct quartz_options {
  std::string gate_set;  ///< empty: that of the device, which must be set then
  std::vector<std::filesystem::path> backend_files;
  quartz::IncludePath include_path;
  std::string cost;  ///< empty: the default cost of the gate set
  quartz::SuperoptimizeOptions values;
  quartz_progress_callback on_progress = nullptr;
  void* progress_user = nullptr;
  quartz_stop_callback on_stop = nullptr;
  void* stop_user = nullptr;
};

namespace quartz::c {

/// Writes an option as quartz_options_set takes it, as in "permutation free".
[[nodiscard]] std::string spelled_for_c(std::string_view option, std::string_view value);

}  // namespace quartz::c
