#pragma once

#include <cstdint>
#include <vector>

#include "quartz/circuit/circuit.hpp"

/// What an `if` of OpenQASM 3 tests, in conditions that operations can have.
namespace quartz::qasm {

/// Lists of comparisons that all hold; at most one of the lists does.
using Alternatives = std::vector<std::vector<Condition>>;

/// A Boolean expression: where it holds, and where it does not. Exclusive alternatives, so that
/// what is under it can be done under each of them, one after the other.
struct BranchConditions {
  Alternatives then;
  Alternatives otherwise;
};

/// One comparison, which tests so many bits.
[[nodiscard]] BranchConditions comparison(const Condition& condition, std::uint32_t bits);
[[nodiscard]] BranchConditions negation(BranchConditions condition);
/// Both throw InputError, without a place, for too many alternatives.
[[nodiscard]] BranchConditions conjunction(const BranchConditions& a, const BranchConditions& b);
[[nodiscard]] BranchConditions disjunction(BranchConditions a, BranchConditions b);

}  // namespace quartz::qasm
