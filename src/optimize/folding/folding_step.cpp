#include "optimize/folding/folding_step.hpp"

namespace quartz::optimizer {

FoldingSteps::Number FoldingSteps::number_of(const Operation& gate) {
  const auto next = static_cast<Number>(steps_.size());
  const auto [entry, is_new] = numbers_.try_emplace(key_of_quarter_turns(gate), next);
  if (is_new) steps_.push_back(std::make_unique<FoldingStep>(step_of(gate)));
  return entry->second;
}

FoldingStep FoldingSteps::step_of(const Operation& operation) const {
  FoldingStep step;
  step.rotation = pauli_rotation_of(operation.gate);
  if (step.rotation != nullptr && writer_.writable(operation)) {
    const Angle& angle = operation.angles.empty() ? step.rotation->angle : operation.angles[0];
    const bool is_clifford = is_quarter_turns(angle);
    const bool is_pauli_gate = is_clifford && angle.pi_part().is_integer();
    step.merges = {!is_clifford, !(is_pauli_gate && step.rotation->axis.x != 0)};
  }
  if (const std::optional<CliffordAction> action = as_clifford(operation)) {
    step.pulled_back = pulled_back_action(*action);
    step.pushed_forward = pushed_forward_action(*action);
  }
  return step;
}

}  // namespace quartz::optimizer
