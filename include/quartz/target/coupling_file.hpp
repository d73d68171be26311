#pragma once

#include <string>
#include <string_view>

#include "quartz/circuit/coupling.hpp"

namespace quartz {

/// Parses a coupling map from JSON text; `name` is what messages call the source. Throws InputError
/// with the location of the error.
[[nodiscard]] CouplingMap parse_coupling(std::string_view text, const std::string& name);

}  // namespace quartz
