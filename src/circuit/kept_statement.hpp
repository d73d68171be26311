#pragma once

#include <string_view>

#include "quartz/circuit/operation.hpp"

/// Statements that a circuit keeps as they stand are opaque operations on all its qubits, so that
/// nothing is moved across them: the beginning and the end of a loop or a box, assignments to
/// classical bits, pragmas. The name of the operation is the text of the statement.
namespace quartz::circuit {

/// Returns whether the name of an opaque operation is that of a kept statement: it ends with ';',
/// '{' or '}', or it begins with '#'. No declared name does.
[[nodiscard]] inline bool is_kept_statement(std::string_view opaque_name) {
  return opaque_name.starts_with('#') || opaque_name.ends_with(';') || opaque_name.ends_with('{') ||
         opaque_name.ends_with('}');
}

/// Returns whether the operation is a kept statement. All of them are on all qubits, whose order
/// means nothing.
[[nodiscard]] inline bool is_kept_statement(const Operation& operation) {
  return operation.kind == OperationKind::opaque &&
         is_kept_statement(operation.classical->opaque_name);
}

/// Returns whether the operation declares an input of type bool or an output of the program. They
/// come before all other operations; one of an input writes the bit that it declares.
[[nodiscard]] inline bool is_interface_statement(const Operation& operation) {
  if (operation.kind != OperationKind::opaque) return false;
  const std::string_view name = operation.classical->opaque_name;
  return name.starts_with("input bool ") || name.starts_with("output bit[");
}

/// Returns whether the operation is a statement whose text may name qubits, a pragma, a box with
/// annotations, the duration of a gate or a feedback gate: these must be in their places.
[[nodiscard]] inline bool may_name_qubits(const Operation& operation) {
  if (operation.kind != OperationKind::opaque) return false;
  const std::string_view name = operation.classical->opaque_name;
  return name.starts_with('#') || name.starts_with('@') || name.starts_with("measure_ff(") ||
         name.starts_with("cc_prx(") || name.find("durationof(") != std::string_view::npos;
}

/// Returns whether the operation is the first statement of a block.
[[nodiscard]] inline bool begins_block(const Operation& operation) {
  return operation.kind == OperationKind::opaque && operation.classical->opaque_name.ends_with('{');
}

/// Returns whether the operation is the last statement of a block.
[[nodiscard]] inline bool ends_block(const Operation& operation) {
  return operation.kind == OperationKind::opaque && operation.classical->opaque_name == "}";
}

/// Returns whether the operation is the first statement of a block that is not executed exactly
/// once: of any block but a box, before which there may be lines with annotations or a pragma.
[[nodiscard]] inline bool begins_loop(const Operation& operation) {
  if (!begins_block(operation)) return false;
  const std::string_view name = operation.classical->opaque_name;
  const std::size_t line = name.rfind('\n');
  return !(line == std::string_view::npos ? name : name.substr(line + 1)).starts_with("box");
}

}  // namespace quartz::circuit
