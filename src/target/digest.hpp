#pragma once

#include <string>

#include "quartz/target/gate_set.hpp"

namespace quartz::target {

/// Returns a digest of the properties of a set that affect enumeration: its gates (for custom gates
/// including their matrices), their angles and the alphabet, in order. Names, descriptions, the
/// default cost and the layout of the file have no effect.
[[nodiscard]] std::string gate_set_digest(const GateSet& set);

}  // namespace quartz::target
