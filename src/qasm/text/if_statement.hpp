#pragma once

#include <span>

#include "quartz/circuit/circuit.hpp"

/// Conditions of operations, and the if statements of OpenQASM 3 that cover several operations.
namespace quartz::qasm {

/// Returns the condition that holds exactly if `condition`, which tests `bits` bits, does not hold.
[[nodiscard]] Condition opposite_of(Condition condition, std::uint32_t bits);

/// `if (condition) { body } else { otherwise }`; one of the two parts may be empty. The condition
/// is not negated. Each operation has this condition or its opposite, and may have outer and inner
/// conditions as well.
struct IfStatement {
  Condition condition;
  std::span<const Operation> body;
  std::span<const Operation> otherwise;
};

/// Returns the longest statement at the beginning of the operations, which share their first
/// `depth` conditions; the first operation has at least one more. The statement ends where an
/// operation changes a tested bit, because the statement tests only once.
[[nodiscard]] IfStatement first_if_statement(const Circuit& circuit,
                                             std::span<const Operation> operations,
                                             std::size_t depth);

}  // namespace quartz::qasm
