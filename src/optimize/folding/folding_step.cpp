#include "optimize/folding/folding_step.hpp"

namespace quartz::optimizer {
namespace {

/// Key of an angle that is not a multiple of pi/2.
constexpr std::uint64_t kOther = 8;

/// Returns the angle in units of pi/2 modulo 4 pi, which is a period of every gate.
std::uint64_t quarter_turns(const Angle& angle) {
  if (!is_quarter_turns(angle)) return kOther;
  const Rational& multiple = angle.pi_part();
  const std::int64_t quarters =
      multiple.is_integer() ? 2 * (multiple.numerator() % 4) : multiple.numerator() % 8;
  return static_cast<std::uint64_t>((quarters + 8) % 8);
}

}  // namespace

const FoldingStep& FoldingSteps::of(const Operation& operation) {
  auto key = static_cast<std::uint64_t>(operation.gate);
  for (const Angle& angle : operation.angles) key = key * (kOther + 1) + quarter_turns(angle);
  // The kind determines the number of parameters, so gates with different numbers of them never
  // share a key.
  key = key << 8U | static_cast<std::uint64_t>(operation.gate);
  const auto [entry, is_new] = steps_.try_emplace(key);
  if (is_new) entry->second = step_of(operation);
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
