#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace quartz::qasm {

/// Returns whether a list of elements (of a register, an alias or a statement) contains one of them
/// twice.
[[nodiscard]] inline bool has_element_twice(std::vector<std::uint32_t> elements) {
  std::sort(elements.begin(), elements.end());
  return std::adjacent_find(elements.begin(), elements.end()) != elements.end();
}

}  // namespace quartz::qasm
