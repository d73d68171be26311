#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algebra/goldilocks.hpp"
#include "fingerprint/field_point.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz {

/// A gate's unitary on all qubits at a point of the field, 2^q x 2^q, its non-zero entries row
/// after row (compressed sparse rows).
struct FieldGate {
  std::vector<std::uint32_t> row_begin;  ///< 2^q + 1 of them
  std::vector<std::uint32_t> columns;
  std::vector<Goldilocks> entries;
};

/// Throws UsageError for anything but a plain gate.
[[nodiscard]] FieldGate field_gate(const Operation& operation, unsigned qubits,
                                   const FieldPoint& point);

/// U v.
void apply(const FieldGate& gate, std::span<const Goldilocks> state, std::span<Goldilocks> result);
/// U^T f, so that (U^T f) . v = f . (U v): a gate pushed into a linear functional.
void apply_transposed(const FieldGate& gate, std::span<const Goldilocks> functional,
                      std::span<Goldilocks> result);

}  // namespace quartz
