#pragma once

#include <cstdint>
#include <vector>

#include "quartz/circuit/operation.hpp"
#include "quartz/rules/rule_set.hpp"

/// All small circuits over some letters, and which of them are equal, by numeric unitaries: slow,
/// simple, and written without a look at what it tests.
namespace quartz::small_circuits {

/// Letters by number, in the normal form (lexicographically least) modulo commutation of gates on
/// different qubits.
using Circuit = std::vector<std::uint16_t>;

struct Letters {
  std::vector<Operation> letters;
  unsigned qubits = 0;
  unsigned parameters = 0;
  std::vector<Angle> expressions;          ///< what a rule's parameter may become
  std::vector<std::vector<bool>> commute;  ///< whether two letters have no qubit in common
};

/// h, x, cx, and rz by p0, p1, 2*p0, p0+p1, 2*p1: 27 letters on 3 qubits.
[[nodiscard]] Letters nam(unsigned qubits);
/// p and rz by the same angles, and cx: equal circuits differ by phases that have parameters.
[[nodiscard]] Letters phased(unsigned qubits);

[[nodiscard]] Circuit normal_form(Circuit circuit, const Letters& letters);
[[nodiscard]] std::vector<Operation> gates_of(const Circuit& circuit, const Letters& letters);

/// Classes of the circuits of up to `gates` gates with each parameter in one gate at most,
/// singletons included; shorter circuits first, then lexicographically.
[[nodiscard]] std::vector<std::vector<Circuit>> equal_circuits(const Letters& letters,
                                                               unsigned gates);
/// Only the circuits that RepGen keeps: without the first and without the last gate (of the normal
/// form) they are representatives.
[[nodiscard]] std::vector<std::vector<Circuit>> kept_by_repgen(
    const std::vector<std::vector<Circuit>>& classes, const Letters& letters);

/// As a rule set, with the exact phases; singletons are left out.
[[nodiscard]] RuleSet as_rule_set(const std::vector<std::vector<Circuit>>& classes,
                                  const Letters& letters, unsigned gates);

/// The number of sets into which the circuits fall when circuits that one rule leads to are put
/// together. Rules are applied to every convex window, in both directions, with qubits relabelled
/// and parameters replaced, and never lead to a circuit that is not among the given ones.
[[nodiscard]] std::size_t count_connected(const std::vector<std::vector<Circuit>>& classes,
                                          const RuleSet& rules, const Letters& letters);

/// The largest entry of unitary(member) - e^{i phase} unitary(representative) in the rule set, at
/// some values of the parameters.
[[nodiscard]] double worst_phase_error(const RuleSet& rules, unsigned qubits);

}  // namespace quartz::small_circuits
