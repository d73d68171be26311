#pragma once

#include <algorithm>
#include <span>

#include "quartz/circuit/circuit.hpp"

namespace quartz::optimizer {

/// Appends a circuit to a writer: `append_stretch(gates)` for each stretch of plain gates, and
/// `append(operation)` for each measurement, reset, barrier and operation under a condition between
/// them, as a span of one. Returns false if append_stretch() did.
template <typename Writer>
[[nodiscard]] bool append_stretches(const Circuit& circuit, Writer& writer) {
  const std::span<const Operation> operations = circuit.operations;
  for (std::size_t next = 0; next < operations.size(); ++next) {
    std::size_t end = next;
    while (end < operations.size() && !operations[end].is_boundary()) ++end;
    if (end > next && !writer.append_stretch(operations.subspan(next, end - next))) return false;
    if (end < operations.size()) writer.append(operations.subspan(end, 1));
    next = end;
  }
  return true;
}

}  // namespace quartz::optimizer
