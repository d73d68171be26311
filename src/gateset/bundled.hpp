#pragma once

#include <span>
#include <string_view>

namespace quartz {

/// A file of gatesets/, embedded into the library by gatesets/CMakeLists.txt.
struct BundledGateSet {
  std::string_view name;  ///< of the file, without ".json"
  std::string_view text;
};

/// Sorted by name.
[[nodiscard]] std::span<const BundledGateSet> bundled_gate_set_texts();

}  // namespace quartz
