#pragma once

#include <cstdint>
#include <vector>

#include "quartz/circuit/operation.hpp"
#include "quartz/rules/rule_set.hpp"

/// All small circuits over some letters, and which of them are equal, by numeric unitaries. The
/// implementation is slow, simple, and independent of the code that it tests.
namespace quartz::small_circuits {

/// A circuit as numbers of letters, in the normal form (lexicographically least) modulo commutation
/// of gates on different qubits.
using Circuit = std::vector<std::uint16_t>;

struct Letters {
  std::vector<Operation> letters;
  unsigned qubits = 0;
  unsigned parameters = 0;
  std::vector<Angle> expressions;          ///< expressions that may replace a rule's parameter
  std::vector<std::vector<bool>> commute;  ///< whether two letters have no qubit in common
};

/// Returns h, x, cx, and rz by p0, p1, 2*p0, p0+p1, 2*p1: 27 letters on 3 qubits.
[[nodiscard]] Letters nam(unsigned qubits);
/// Returns p and rz by the same angles, and cx. Equal circuits differ by phases with parameters.
[[nodiscard]] Letters phased(unsigned qubits);

[[nodiscard]] Circuit normal_form(Circuit circuit, const Letters& letters);
[[nodiscard]] std::vector<Operation> gates_of(const Circuit& circuit, const Letters& letters);

/// Returns the classes of the circuits of up to `gates` gates in which each parameter occurs in at
/// most one gate, including classes of one circuit. Ordered by length, then lexicographically.
[[nodiscard]] std::vector<std::vector<Circuit>> equal_circuits(const Letters& letters,
                                                               unsigned gates);
/// Returns only the circuits that RepGen keeps: those (in normal form) that are representatives
/// both without the first gate and without the last gate.
[[nodiscard]] std::vector<std::vector<Circuit>> kept_by_repgen(
    const std::vector<std::vector<Circuit>>& classes, const Letters& letters);

/// Returns the classes as a rule set with the exact phases; classes of one circuit are omitted.
[[nodiscard]] RuleSet as_rule_set(const std::vector<std::vector<Circuit>>& classes,
                                  const Letters& letters, unsigned gates);

/// Returns the number of sets of circuits that are connected by rules. Rules are applied to every
/// convex window, in both directions, with qubits relabelled and parameters replaced. Results that
/// are not among the given circuits are ignored.
[[nodiscard]] std::size_t count_connected(const std::vector<std::vector<Circuit>>& classes,
                                          const RuleSet& rules, const Letters& letters);

/// Returns the largest entry of unitary(member) - e^{i phase} unitary(representative) in the rule
/// set, for some values of the parameters.
[[nodiscard]] double worst_phase_error(const RuleSet& rules, unsigned qubits);

}  // namespace quartz::small_circuits
