#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quartz/circuit/circuit.hpp"

namespace quartz::python {

/// A condition with the name of its register, or an expression of bits in place of a register.
struct ConditionView {
  std::optional<std::string> bit_register;
  std::optional<std::uint32_t> element;
  std::uint64_t value = 0;
  bool negated = false;
  std::optional<std::string> expression = {};
  friend bool operator==(const ConditionView&, const ConditionView&) = default;
};

/// An operation as Python sees it, independent of its circuit.
struct OperationView {
  Operation operation;
  std::vector<ConditionView> conditions;
  /// The circuit without its operations, if there are conditions, which refer to its registers.
  std::shared_ptr<const Circuit> frame;
};

/// Returns the name of an operation: of its gate, "measure", "reset", "barrier", or the name of the
/// opaque gate.
[[nodiscard]] std::string name_of(const Operation& operation);
[[nodiscard]] OperationView view_of(const Circuit& circuit, const Operation& operation);
/// Adds the classes Operation and Condition to the module.
void define_operation(nanobind::module_& module);

}  // namespace quartz::python
