#include "optimize/passes/simplify_around_resets.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "circuit/derivation.hpp"
#include "optimize/resets/prepared_qubits.hpp"
#include "optimize/resets/simplified_gates.hpp"
#include "optimize/resets/unobserved_gates.hpp"
#include "optimize/resets/unobserved_rotations.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// A circuit that is simplified pass by pass.
class Simplification {
 public:
  explicit Simplification(const Circuit& circuit)
      : circuit_(circuit), is_new_(circuit.operations.size(), false) {}

  [[nodiscard]] const Circuit& circuit() const { return circuit_; }
  [[nodiscard]] SimplifiedCircuit take() && {
    return {{std::move(circuit_), std::move(derivation_)}, changes_};
  }

  /// Replaces the circuit by what a pass has left of it.
  void apply(SimplifiedGates simplified) {
    const std::size_t size = circuit_.operations.size();
    std::vector<bool> is_new;
    for (const circuit::GateNumber number : simplified.numbers) {
      is_new.push_back(number >= size || is_new_[number]);
    }
    is_new_ = std::move(is_new);
    changes_.gates_removed += size - simplified.gates.gates.size();
    changes_.gates_replaced = static_cast<std::uint64_t>(std::ranges::count(is_new_, true));
    derivation_ = derivation_.then(std::move(simplified.gates.derivation));
    Circuit next = without_operations(circuit_);
    next.operations = std::move(simplified.gates.gates);
    next.global_phase.add_phase(simplified.gates.phase);
    circuit_ = std::move(next);
  }

 private:
  Circuit circuit_;
  std::vector<bool> is_new_;  ///< for each operation, whether it has taken the place of another one
  circuit::Derivation derivation_ = circuit::Derivation::unchanged();
  KnownStates changes_;
};

}  // namespace

bool has_resets(const Circuit& circuit) {
  return std::ranges::any_of(circuit.operations, [](const Operation& operation) {
    return operation.kind == OperationKind::reset && operation.conditions().empty();
  });
}

SimplifiedCircuit simplify_around_resets(const Circuit& circuit, const GateSet* set) {
  if (!has_resets(circuit)) return {circuit::DerivedCircuit::first(circuit), {}};
  try {
    Simplification now(circuit);
    now.apply(simplify_on_prepared_qubits(now.circuit(), set));
    now.apply(without_unobserved_rotations(now.circuit()));
    now.apply(without_unobserved_gates(now.circuit()));
    return std::move(now).take();
  } catch (const OverflowError&) {
    // The exact global phase does not fit 64 bits.
    return {circuit::DerivedCircuit::first(circuit), {}};
  }
}

}  // namespace quartz::optimizer
