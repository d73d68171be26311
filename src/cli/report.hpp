#pragma once

#include <string>
#include <vector>

#include "quartz/circuit/cost.hpp"

namespace quartz::cli {

/// Text in columns: the first one flush left, the others flush right.
struct Table {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  ///< each as long as the header
};

/// The table as lines, each with a trailing newline.
[[nodiscard]] std::string format_table(const Table& table);

/// The figures of a circuit before and after, and the change in percent.
[[nodiscard]] Table before_after_table(const GateCounts& before, const GateCounts& after);

}  // namespace quartz::cli
