#pragma once

#include <span>
#include <string_view>

namespace quartz::target {

/// A file of gatesets/, which gatesets/CMakeLists.txt embeds into the library.
struct BundledGateSet {
  std::string_view name;  ///< name of the file without ".json"
  std::string_view text;
};

/// Returns the bundled gate sets, sorted by name.
[[nodiscard]] std::span<const BundledGateSet> bundled_gate_set_texts();

}  // namespace quartz::target
