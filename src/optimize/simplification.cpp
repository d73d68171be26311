#include "optimize/simplification.hpp"

#include <utility>

#include "optimize/gate_cost.hpp"
#include "optimize/qubit_groups.hpp"
#include "optimize/rotation_folding.hpp"
#include "quartz/errors.hpp"

namespace quartz {
namespace {

/// Most circuits are done after two.
constexpr int kMostRounds = 6;
/// Both orders are tried on circuits up to this size, which takes a second.
constexpr std::size_t kSmallCircuit = 20'000;

/// Whether the sum can be said.
bool add_phase(Angle& phase, const Angle& more) {
  try {
    phase.add_phase(more);
    return true;
  } catch (const OverflowError&) {
    return false;
  }
}

}  // namespace

Simplification::Simplification(const Circuit& circuit, const GateSet& set, const Cost& cost,
                               Exactness exactness)
    : set_(set),
      cost_(cost),
      qubits_(circuit.qubit_count()),
      frame_(without_operations(circuit)),
      blocks_(set, gate_cost_of(cost_, set), exactness) {}

Simplification::Value Simplification::value_of(std::span<const Operation> gates) const {
  Value value;
  value.gates = gates.size();
  if (cost_.additive()) {
    for (const Operation& gate : gates) value.objectives += cost_.gate_cost(gate);
    return value;
  }
  Circuit circuit = frame_;
  circuit.operations.assign(gates.begin(), gates.end());
  value.objectives = cost_of(circuit, cost_);
  return value;
}

SimplifiedGates Simplification::folded(std::span<const Operation> gates,
                                       const Interrupted& interrupted) const {
  try {
    PhasedGates folded = fold_rotations(gates, qubits_, set_, interrupted);
    return {std::move(folded.gates), std::move(folded.phase)};
  } catch (const OverflowError&) {
    return {{gates.begin(), gates.end()},
            {}};  // angles whose exact sums do not fit stay as they are
  }
}

SimplifiedGates Simplification::resynthesized(std::span<const Operation> gates,
                                              const Interrupted& interrupted) {
  try {
    // Few gates touch few qubits: those that none of them is on take no part.
    if (gates.size() < qubits_ / 4) {
      SimplifiedGates all;
      for (const QubitGroup& group : split_by_qubits(gates, qubits_)) {
        BlockResynthesis made = blocks_.resynthesize(
            group.gates, static_cast<std::uint32_t>(group.qubits.size()), interrupted);
        append_group(group, std::move(made.gates), all.gates);
        all.phase.add_phase(made.phase);
        all.numeric = all.numeric || made.numeric;
      }
      return all;
    }
    BlockResynthesis made = blocks_.resynthesize(gates, qubits_, interrupted);
    return {std::move(made.gates), std::move(made.phase), made.numeric};
  } catch (const OverflowError&) {
    return {{gates.begin(), gates.end()}, {}};
  }
}

SimplifiedGates Simplification::run_from(SimplifiedGates gates, bool blocks_first,
                                         const Interrupted& interrupted) {
  Value value = value_of(gates.gates);
  int without_gain = 0;
  for (int pass = 0; pass < 2 * kMostRounds && without_gain < 2 && !interrupted(); ++pass) {
    const bool blocks = (pass % 2 == 0) == blocks_first;
    SimplifiedGates next =
        blocks ? resynthesized(gates.gates, interrupted) : folded(gates.gates, interrupted);
    const Value after = value_of(next.gates);
    ++without_gain;
    if (after > value) continue;  // merged rotations may stand where they cost more
    if (!add_phase(gates.phase, next.phase)) continue;
    if (after < value) without_gain = 0;
    value = after;
    gates.gates = std::move(next.gates);
    gates.numeric = gates.numeric || next.numeric;
  }
  return gates;
}

SimplifiedGates Simplification::fold(std::span<const Operation> gates,
                                     const std::function<bool()>& interrupted) const {
  SimplifiedGates after = folded(gates, interrupted);
  if (value_of(after.gates) > value_of(gates)) return {{gates.begin(), gates.end()}, {}};
  return after;
}

SimplifiedGates Simplification::run(std::span<const Operation> gates,
                                    const std::function<bool()>& interrupted) {
  const SimplifiedGates before{{gates.begin(), gates.end()}, Angle(), false};
  if (gates.size() > kSmallCircuit) return run_from(before, false, interrupted);
  SimplifiedGates folding_first = run_from(before, false, interrupted);
  // Neither order is better for all circuits.
  SimplifiedGates blocks_first = run_from(before, true, interrupted);
  return value_of(blocks_first.gates) < value_of(folding_first.gates) ? blocks_first
                                                                      : folding_first;
}

}  // namespace quartz
