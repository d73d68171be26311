#pragma once

#include <optional>
#include <string>

#include "quartz/circuit/circuit.hpp"

namespace quartz::optimizer {

/// Returns why a circuit gets no ancillas, as a clause; nothing if it may get some.
[[nodiscard]] std::optional<std::string> obstacle_to_ancillas(const Circuit& circuit);

}  // namespace quartz::optimizer
