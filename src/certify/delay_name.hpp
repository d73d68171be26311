#pragma once

#include <string>

namespace quartz::certify {

/// The name by which an opaque operation is compared. Delays of the same duration get one name,
/// "delay[100ns]" and "delay[0.1us]" for example; every other operation keeps its own.
[[nodiscard]] std::string comparable_name(const std::string& opaque_name);

}  // namespace quartz::certify
