#include "quartz/optimize/simplify_around_resets.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "circuit/history.hpp"
#include "optimize/resets/prepared_qubits.hpp"
#include "optimize/resets/simplified_gates.hpp"
#include "optimize/resets/unobserved_gates.hpp"
#include "optimize/resets/unobserved_rotations.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

/// A circuit that is simplified pass by pass.
class Simplification {
 public:
  explicit Simplification(const Circuit& circuit)
      : circuit_(circuit), is_new_(circuit.operations.size(), false) {}

  [[nodiscard]] const Circuit& circuit() const { return circuit_; }
  [[nodiscard]] const circuit::HistoryPointer& history() const { return history_; }
  [[nodiscard]] const KnownStates& changes() const { return changes_; }

  /// Replaces the circuit by what a pass has left of it.
  void apply(optimizer::SimplifiedGates simplified) {
    const std::size_t size = circuit_.operations.size();
    std::vector<bool> is_new;
    for (const circuit::GateNumber number : simplified.numbers) {
      is_new.push_back(number >= size || is_new_[number]);
    }
    is_new_ = std::move(is_new);
    changes_.gates_removed += size - simplified.gates.gates.size();
    changes_.gates_replaced = static_cast<std::uint64_t>(std::ranges::count(is_new_, true));
    history_ = circuit::in_sequence(std::move(history_), std::move(simplified.gates.history));
    Circuit next = without_operations(circuit_);
    next.operations = std::move(simplified.gates.gates);
    next.global_phase.add_phase(simplified.gates.phase);
    circuit_ = std::move(next);
  }

 private:
  Circuit circuit_;
  std::vector<bool> is_new_;  ///< for each operation, whether it has taken the place of another one
  circuit::HistoryPointer history_;
  KnownStates changes_;
};

}  // namespace

Circuit simplify_around_resets(const Circuit& circuit, const GateSet* set,
                               std::shared_ptr<const circuit::History>* history,
                               KnownStates* changes) {
  const bool has_resets = std::ranges::any_of(circuit.operations, [](const Operation& operation) {
    return operation.kind == OperationKind::reset && operation.conditions().empty();
  });
  if (!has_resets) return circuit;
  const bool records = history != nullptr;
  try {
    Simplification now(circuit);
    now.apply(optimizer::simplify_on_prepared_qubits(now.circuit(), set, records));
    now.apply(optimizer::without_unobserved_rotations(now.circuit(), records));
    now.apply(optimizer::without_unobserved_gates(now.circuit(), records));
    if (records) *history = now.history();
    if (changes != nullptr) *changes = now.changes();
    return now.circuit();
  } catch (const OverflowError&) {
    return circuit;  // the exact global phase does not fit 64 bits
  }
}

}  // namespace quartz
