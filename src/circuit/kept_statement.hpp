#pragma once

#include "quartz/circuit/operation.hpp"

/// Questions about opaque operations, by their kinds.
namespace quartz::circuit {

[[nodiscard]] inline bool is_opaque(const Operation& operation, OpaqueKind kind) {
  return operation.kind == OperationKind::opaque && operation.classical->opaque_kind == kind;
}

/// Returns whether the operation is a kept statement. All of them are on all qubits, whose order
/// means nothing.
[[nodiscard]] inline bool is_kept_statement(const Operation& operation) {
  return operation.kind == OperationKind::opaque &&
         operation.classical->opaque_kind >= OpaqueKind::statement;
}

/// Returns whether the operation declares an input of type bool or an output of the program. They
/// come before all other operations.
[[nodiscard]] inline bool is_interface_statement(const Operation& operation) {
  return is_opaque(operation, OpaqueKind::input) || is_opaque(operation, OpaqueKind::output);
}

/// Returns whether the operation is a statement whose text may name qubits.
[[nodiscard]] inline bool may_name_qubits(const Operation& operation) {
  return operation.kind == OperationKind::opaque && operation.classical->names_qubits;
}

/// Returns whether the operation is the first statement of a block that is not executed exactly
/// once.
[[nodiscard]] inline bool begins_loop(const Operation& operation) {
  return is_opaque(operation, OpaqueKind::loop);
}

/// Returns whether the operation is the first statement of a block.
[[nodiscard]] inline bool begins_block(const Operation& operation) {
  return begins_loop(operation) || is_opaque(operation, OpaqueKind::box);
}

/// Returns whether the operation is the last statement of a block.
[[nodiscard]] inline bool ends_block(const Operation& operation) {
  return is_opaque(operation, OpaqueKind::end_of_block);
}

}  // namespace quartz::circuit
