#pragma once

#include <stop_token>

#include "circuit/derivation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::target {

/// Returns whether translate() would return the circuit as it is. Throws Stopped.
[[nodiscard]] bool is_translated(const Circuit& circuit, const GateSet& set,
                                 const std::stop_token& stop = {});

/// Does what translate() does, and returns how the result was derived.
[[nodiscard]] circuit::DerivedCircuit translated(const Circuit& circuit, const GateSet& set,
                                                 const std::stop_token& stop = {});

}  // namespace quartz::target
