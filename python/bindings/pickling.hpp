#pragma once

#include <nanobind/nanobind.h>

#include <span>
#include <string>

#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/target/gate_set.hpp"

/// How circuits and rule sets travel to other processes: as text, with the definitions of the
/// custom gates in it, because another process does not know them.
namespace quartz::python {

/// Returns the definitions of the custom gates among the gates of the operations, and of all that
/// these consist of, so that each follows those that it needs.
[[nodiscard]] nanobind::tuple gate_definitions(std::span<const Operation> operations);
/// Defines the gates again, and returns them. Throws InputError if two of them have one name.
[[nodiscard]] CustomGates define_gates(const nanobind::tuple& definitions);
/// Returns the row of a gate that a pickle names. Throws InputError if neither the gate table nor
/// `defined` has it.
[[nodiscard]] const Gate& gate_of_pickle(const std::string& name, const CustomGates& defined = {});
/// Returns the custom gates of a gate set; none for null.
[[nodiscard]] CustomGates custom_gates_of(const GateSet* gate_set);

}  // namespace quartz::python
