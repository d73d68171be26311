#pragma once

#include <filesystem>
#include <memory>

#include "quartz/classes/class_table.hpp"

namespace quartz::python {

/// A class table and the file that contains it; empty if it is in memory only.
struct TableInFile {
  std::shared_ptr<const ClassTable> table;
  std::filesystem::path file;
};

}  // namespace quartz::python
