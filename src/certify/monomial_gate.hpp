#pragma once

#include <vector>

#include "quartz/circuit/gate.hpp"

/// Gates that permute basis states up to phases, and how to write all others in them and h.
namespace quartz::certify {

/// Whether the gate's unitary has one entry of size 1 in each column.
[[nodiscard]] bool is_monomial_gate(const Gate& row);

/// What a monomial gate does to the bits of a basis state b.
struct MonomialAction {
  std::vector<unsigned> output;  ///< of each b
  std::vector<Angle> phase;      ///< of each b
};

[[nodiscard]] MonomialAction action_of(const Operation& operation);
/// The same with one more operand, the last: the action where it is 1, else nothing.
[[nodiscard]] MonomialAction controlled(const MonomialAction& action);

/// How to bring each gate of the table to h and basic gates, all monomial ones or some: by which of
/// its decompositions.
class Expansions {
 public:
  explicit Expansions(bool (*is_basic)(const Gate&) = is_monomial_gate);
  /// Null for a basic gate, for h, and where there is none.
  [[nodiscard]] const Decomposition* of(GateKind kind) const;
  /// Whether it is basic or h, or has a decomposition into what is.
  [[nodiscard]] bool knows(GateKind kind) const;

 private:
  bool find_decomposition(const Gate& row);

  std::vector<const Decomposition*> decomposition_;  ///< as many as there are gates by now
  std::vector<bool> known_;
};

}  // namespace quartz::certify
