#pragma once

#include <stop_token>
#include <string>

#include "quartz/gateset/gate_set.hpp"

namespace quartz::cli {

/// The gate set that an option names, bundled or a file. From then on circuits and rule sets may
/// name its own gates. Throws as load_gate_set does, and InputError for a gate that OpenQASM has no
/// way to name.
[[nodiscard]] GateSet gate_set_of(const std::string& name_or_path, const std::stop_token& stop);

}  // namespace quartz::cli
