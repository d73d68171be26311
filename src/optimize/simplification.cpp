#include "optimize/simplification.hpp"

#include <utility>

#include "optimize/gate_cost.hpp"
#include "optimize/rotation_folding.hpp"
#include "quartz/errors.hpp"

namespace quartz {
namespace {

/// Most circuits are done after two.
constexpr int kMostRounds = 6;
/// Both orders are tried on circuits up to this size, which takes a second.
constexpr std::size_t kSmallCircuit = 20'000;

Circuit without_operations(const Circuit& circuit) {
  Circuit frame;
  frame.qubit_registers = circuit.qubit_registers;
  frame.bit_registers = circuit.bit_registers;
  return frame;
}

}  // namespace

Simplification::Simplification(const Circuit& circuit, const GateSet& set, const Cost& cost,
                               Exactness exactness)
    : set_(set),
      cost_(cost),
      qubits_(circuit.qubit_count()),
      frame_(without_operations(circuit)),
      blocks_(set, gate_cost_of(cost_, set), exactness) {}

Simplification::Value Simplification::value_of(const SimplifiedGates& gates) const {
  Value value;
  value.gates = gates.gates.size();
  if (cost_.additive()) {
    for (const Operation& gate : gates.gates) value.objectives += cost_.gate_cost(gate);
    return value;
  }
  Circuit circuit = frame_;
  circuit.operations = gates.gates;
  value.objectives = cost_of(circuit, cost_);
  return value;
}

SimplifiedGates Simplification::folded(const SimplifiedGates& gates) const {
  try {
    PhasedGates folded = fold_rotations(gates.gates, qubits_, set_);
    SimplifiedGates result{std::move(folded.gates), gates.phase, gates.numeric};
    result.phase.add_phase(folded.phase);
    return result;
  } catch (const OverflowError&) {
    return gates;  // angles whose exact sums do not fit stay as they are
  }
}

SimplifiedGates Simplification::resynthesized(const SimplifiedGates& gates,
                                              const Interrupted& interrupted) {
  try {
    BlockResynthesis made = blocks_.resynthesize(gates.gates, qubits_, interrupted);
    SimplifiedGates result{std::move(made.gates), gates.phase, gates.numeric || made.numeric};
    result.phase.add_phase(made.phase);
    return result;
  } catch (const OverflowError&) {
    return gates;
  }
}

SimplifiedGates Simplification::run_from(SimplifiedGates gates, bool blocks_first,
                                         const Interrupted& interrupted) {
  Value value = value_of(gates);
  int without_gain = 0;
  for (int pass = 0; pass < 2 * kMostRounds && without_gain < 2 && !interrupted(); ++pass) {
    const bool blocks = (pass % 2 == 0) == blocks_first;
    SimplifiedGates next = blocks ? resynthesized(gates, interrupted) : folded(gates);
    const Value after = value_of(next);
    ++without_gain;
    if (after > value) continue;  // merged rotations may stand where they cost more
    if (after < value) without_gain = 0;
    value = after;
    gates = std::move(next);
  }
  return gates;
}

SimplifiedGates Simplification::fold(std::span<const Operation> gates) const {
  SimplifiedGates before{{gates.begin(), gates.end()}, Angle(), false};
  SimplifiedGates after = folded(before);
  return value_of(after) > value_of(before) ? before : after;
}

SimplifiedGates Simplification::run(std::span<const Operation> gates,
                                    const std::function<bool()>& interrupted) {
  const SimplifiedGates before{{gates.begin(), gates.end()}, Angle(), false};
  SimplifiedGates folding_first = run_from(before, false, interrupted);
  if (gates.size() > kSmallCircuit) return folding_first;
  // Neither order is better for all circuits.
  SimplifiedGates blocks_first = run_from(before, true, interrupted);
  return value_of(blocks_first) < value_of(folding_first) ? blocks_first : folding_first;
}

}  // namespace quartz
