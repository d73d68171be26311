#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algebra/goldilocks.hpp"
#include "fingerprint/field_point.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::fingerprint {

using algebra::Goldilocks;

/// A gate's unitary on all qubits, 2^q x 2^q, evaluated at a point of the field; its non-zero
/// entries row by row (compressed sparse rows).
struct FieldGate {
  std::vector<std::uint32_t> row_begin;  ///< 2^q + 1 indices into `columns` and `entries`
  std::vector<std::uint32_t> columns;
  std::vector<Goldilocks> entries;
};

/// Evaluates an operation's unitary at a point. Throws UsageError if the operation is not a plain
/// gate.
[[nodiscard]] FieldGate field_gate(const Operation& operation, unsigned qubits,
                                   const FieldPoint& point);

/// Sets `result` to U v.
void apply(const FieldGate& gate, std::span<const Goldilocks> state, std::span<Goldilocks> result);
/// Sets `result` to U^T f, for which (U^T f) . v = f . (U v): the gate is moved from the state into
/// the linear functional.
void apply_transposed(const FieldGate& gate, std::span<const Goldilocks> functional,
                      std::span<Goldilocks> result);

}  // namespace quartz::fingerprint
