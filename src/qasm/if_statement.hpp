#pragma once

#include <span>

#include "quartz/circuit/circuit.hpp"

/// Conditions of operations, and the if statements of OpenQASM 3 that say several at once.
namespace quartz::qasm {

/// The condition that holds where this one, which tests so many bits, does not.
[[nodiscard]] Condition opposite_of(Condition condition, std::uint32_t bits);

/// `if (condition) { body } else { otherwise }`; one of the two may be empty. The condition is not
/// negated. The operations have it, or its opposite, beside others that stand further out or in.
struct IfStatement {
  Condition condition;
  std::span<const Operation> body;
  std::span<const Operation> otherwise;
};

/// The longest statement that the operations begin with, which share their first `depth`
/// conditions; the first operation has another. It ends where an operation changes what is tested,
/// since the statement tests once.
[[nodiscard]] IfStatement first_if_statement(const Circuit& circuit,
                                             std::span<const Operation> operations,
                                             std::size_t depth);

}  // namespace quartz::qasm
