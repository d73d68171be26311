#include "optimize/runs/run_product.hpp"

#include <optional>
#include <utility>

#include "optimize/pauli/pauli_gate.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/canonical.hpp"

namespace quartz::optimizer {

bool RunProduct::append_rotation(const Operation& gate, const RunGate& form) {
  // R_P(a) C = C R_Q(a) for Q = C^dagger P C.
  const OneQubitGroup::SignedAxis& passed =
      OneQubitGroup::get().before(clifford_.number, form.axis);
  const bool is_merged = count_ != 0 && axes_[count_ - 1] == passed.axis;
  if (!is_merged && count_ == RunWords::kMaxRotations) return false;
  try {
    Angle angle = form.angle_of(gate);
    if (passed.is_negative) angle = -angle;
    Angle sum = is_merged ? angles_[count_ - 1] + angle : std::move(angle);
    phase_.add_phase(form.phase_of(gate));
    if (!is_merged) axes_[count_++] = passed.axis;
    angles_[count_ - 1] = std::move(sum);
  } catch (const OverflowError&) {
    return false;
  }
  if (const std::optional<unsigned> turns = quarter_turns(angles_[count_ - 1])) {
    clifford_ = OneQubitGroup::get().product(
        clifford_, OneQubitGroup::get().quarter_turns(passed.axis, *turns));
    --count_;
  }
  return true;
}

void append_word(const RunWords& words, const RunWords::Word& word, const RunProduct& product,
                 Qubit qubit, std::vector<Operation>& gates, Angle& phase) {
  std::size_t rotation = 0;
  for (const RunWords::Step& step : word.steps) {
    const RunWords::Letter& letter = words.letters()[step.letter];
    Operation& gate = gates.emplace_back(letter.gate);
    gate.qubits[0] = qubit;
    if (letter.form.kind == RunGate::Kind::clifford) continue;
    Angle angle = product.angle(rotation++);
    if (step.is_negative) angle = -angle;
    if (letter.quarters != 0) angle += Angle::pi_times(Rational(letter.quarters, 2));
    if (letter.form.is_negative) angle = -angle;
    gate.angles[letter.form.parameter] = std::move(angle);
    phase.add_phase(-letter.form.phase_of(gate));
    phase.add_phase(normalize_angles(gate));
  }
}

}  // namespace quartz::optimizer
