#pragma once

#include <cstdint>
#include <vector>

#include "quartz/circuit/circuit.hpp"

/// The Boolean expression of an `if` in OpenQASM 3, as conditions that operations can have.
namespace quartz::qasm {

/// Lists of comparisons. An alternative holds if all its comparisons hold; at most one alternative
/// holds.
using Alternatives = std::vector<std::vector<Condition>>;

/// A Boolean expression, as the alternatives in which it holds and those in which it does not. The
/// alternatives are exclusive, so the body of the `if` can be repeated under each of them in turn.
struct BranchConditions {
  Alternatives then;
  Alternatives otherwise;
};

/// Returns one comparison, of a register of `bits` bits or of one bit.
[[nodiscard]] BranchConditions comparison(const Condition& condition, std::uint32_t bits);
[[nodiscard]] BranchConditions negated(BranchConditions condition);
/// Returns the conditions of an expression of classical bits. Throws InputError, without a
/// location, for a selection or a sum that depends on too many bits.
[[nodiscard]] BranchConditions conditions_of(const Circuit& circuit,
                                             const BitExpressionPointer& expression);
/// Returns the branches of a condition that is known.
[[nodiscard]] BranchConditions known_condition(bool holds);
/// Returns an expression that is true if all of these conditions hold.
[[nodiscard]] BitExpressionPointer expression_of(const Circuit& circuit,
                                                 const std::vector<Condition>& conditions);
/// conjunction and disjunction throw InputError, without a location, for too many alternatives.
[[nodiscard]] BranchConditions conjunction(const BranchConditions& a, const BranchConditions& b);
[[nodiscard]] BranchConditions disjunction(BranchConditions a, BranchConditions b);

}  // namespace quartz::qasm
