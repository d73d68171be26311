#pragma once

#include <nanobind/nanobind.h>

#include <span>

#include "quartz/circuit/operation.hpp"

/// How circuits and rule sets travel to other processes: as text, with the definitions of the
/// custom gates in it, because another process does not know them.
namespace quartz::python {

/// Returns the definitions of the custom gates among the gates of the operations, and of all that
/// these consist of, so that each follows those that it needs.
[[nodiscard]] nanobind::tuple gate_definitions(std::span<const Operation> operations);
/// Defines the gates again. Throws InputError if another gate has the name of one of them.
void define_gates(const nanobind::tuple& definitions);

}  // namespace quartz::python
