#pragma once

#include <string>

#include "quartz/circuit/operation.hpp"

namespace quartz::certify {

/// Returns the name by which an opaque operation is compared. Delays of the same duration get the
/// same name, "delay[100ns]" and "delay[0.1us]" for example; other operations keep their names.
[[nodiscard]] std::string comparable_name(const ClassicalPart& part);

}  // namespace quartz::certify
