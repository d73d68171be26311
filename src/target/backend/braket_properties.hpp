#pragma once

#include <string>
#include <string_view>

#include "target/backend/device_facts.hpp"
#include "target/json_node.hpp"

namespace quartz::target {

/// Returns whether the document is the device properties of Amazon Braket.
[[nodiscard]] bool is_braket_properties(const JsonNode& root);

/// Reads such a document; gates have their names in the gate table where it has them. Keys that say
/// nothing about gates are ignored. Throws InputError with the location for a value of another type
/// or out of range.
[[nodiscard]] DeviceFacts read_braket_properties(const JsonNode& root);

}  // namespace quartz::target
