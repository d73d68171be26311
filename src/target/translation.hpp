#pragma once

#include <functional>
#include <span>
#include <stop_token>

#include "circuit/derivation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::target {

/// Returns whether translate() would return the circuit as it is. Throws Stopped.
[[nodiscard]] bool is_translated(const Circuit& circuit, const GateSet& set,
                                 const std::stop_token& stop = {});

/// Returns whether a translation leaves the operation as it is: one that is no gate, or a gate that
/// the set offers with its angles exactly as they are written.
[[nodiscard]] bool stays(const GateSet& set, const Operation& operation);

/// Returns the translation of the circuit without its operations.
[[nodiscard]] Circuit translated_without_operations(const Circuit& circuit, const GateSet& set);

/// Calls `visit` with the operations of translate(circuit, set), in order and in parts of some
/// thousand, none of which is kept. Throws as translate() does, but global phases are not added.
void for_each_translated_part(const Circuit& circuit, const GateSet& set,
                              const std::stop_token& stop,
                              const std::function<void(std::span<const Operation>)>& visit);

/// Does what translate() does, and returns how the result was derived.
[[nodiscard]] circuit::DerivedCircuit translated(const Circuit& circuit, const GateSet& set,
                                                 const std::stop_token& stop = {});

}  // namespace quartz::target
