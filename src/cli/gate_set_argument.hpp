#pragma once

#include <stop_token>
#include <string>

#include "quartz/target/gate_set.hpp"

namespace quartz::cli {

/// Returns the gate set that an option names, which is bundled or a file. Afterwards, circuits and
/// rule sets may use the gates that it defines. Throws as load_gate_set does, and InputError for a
/// gate whose name OpenQASM cannot express.
[[nodiscard]] GateSet gate_set_of(const std::string& name_or_path, const std::stop_token& stop);

}  // namespace quartz::cli
