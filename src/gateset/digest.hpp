#pragma once

#include <string>

#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// A digest of what enumeration and translation see of a set: its gates, their angles and the
/// alphabet, in order. Names, descriptions and the file's spelling do not count.
[[nodiscard]] std::string gate_set_digest(const GateSet& set);

}  // namespace quartz
