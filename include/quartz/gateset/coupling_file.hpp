#pragma once

#include <string>
#include <string_view>

#include "quartz/circuit/coupling.hpp"

namespace quartz {

/// From JSON text; `name` is what messages call the source. Throws InputError with the place of
/// what is wrong.
[[nodiscard]] CouplingMap parse_coupling(std::string_view text, const std::string& name);

}  // namespace quartz
