#pragma once

#include <string>

#include "quartz/gateset/gate_set.hpp"

namespace quartz {

/// A digest of what enumeration sees of a set: its gates (of custom ones their matrices as well),
/// their angles and the alphabet, in order. Names, descriptions, the default cost and the file's
/// spelling do not count.
[[nodiscard]] std::string gate_set_digest(const GateSet& set);

}  // namespace quartz
