#pragma once

#include <variant>
#include <vector>

#include "quartz/certify/fault.hpp"
#include "quartz/circuit/circuit.hpp"

/// Programs with statements that the reader keeps as they stand (circuit/kept_statement.hpp):
/// loops over measured bits, boxes, assignments, pragmas. What these do is not known, but programs
/// with the same ones in the same order are equal if the operations between each two are: the first
/// stretch, the one between the first two statements, and so on. Nothing can cross a statement,
/// because it is on all qubits.
namespace quartz::certify {

/// Two circuits without kept statements that correspond to one another.
struct StretchPair {
  Circuit left;
  Circuit right;
};

/// Returns whether the circuit has a kept statement.
[[nodiscard]] bool has_kept_statements(const Circuit& circuit);

/// Returns the stretches of two circuits, of which the first ones have the global phases; or why
/// they do not correspond. The qubits and bits of a stretch are in any state at its beginning.
[[nodiscard]] std::variant<std::vector<StretchPair>, Fault> pair_stretches(const Circuit& left,
                                                                           const Circuit& right);

}  // namespace quartz::certify
