#pragma once

#include <vector>

#include "quartz/circuit/gate.hpp"

/// Gates that permute basis states up to phases, and decompositions of all other gates into them
/// and h.
namespace quartz::certify {

/// Returns whether the gate's unitary has exactly one entry of size 1 in each column.
[[nodiscard]] bool is_monomial_gate(const Gate& row);

/// The effect of a monomial gate on each basis state b.
struct MonomialAction {
  std::vector<unsigned> output;  ///< the image of b, by b
  std::vector<Angle> phase;      ///< the phase of the image, by b
};

[[nodiscard]] MonomialAction action_of(const Operation& operation);
/// Returns the action controlled by one more operand, the last one: it applies if that is 1.
[[nodiscard]] MonomialAction controlled(const MonomialAction& action);

/// Selects for each gate of the table a decomposition into h and basic gates. The basic gates are
/// all monomial gates or some of them.
class Expansions {
 public:
  explicit Expansions(bool (*is_basic)(const Gate&) = is_monomial_gate);
  /// Returns the decomposition, or null for a basic gate, for h, and if there is none.
  [[nodiscard]] const Decomposition* of(GateKind kind) const;
  /// Returns whether the gate is basic or h, or decomposes into such gates.
  [[nodiscard]] bool knows(GateKind kind) const;

 private:
  bool find_decomposition(const Gate& row);

  std::vector<const Decomposition*> decomposition_;  ///< by gate kind, for the gates known so far
  std::vector<bool> known_;
};

}  // namespace quartz::certify
