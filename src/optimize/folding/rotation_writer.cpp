#include "optimize/folding/rotation_writer.hpp"

#include <algorithm>

#include "quartz/circuit/canonical.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

Angle signed_angle(const PauliRotation& rotation, const LocalPauli& axis) {
  return rotation.axis.phase == axis.phase ? rotation.angle : -rotation.angle;
}

}  // namespace

RotationWriter::RotationWriter(const GateSet& set) {
  for (const GateSetEntry& entry : set.entries) {
    if (gate(entry.gate).parameters.size() == 1 && entry.takes_any_angle()) {
      free_.push_back(entry.gate);
    }
    if (!gate(entry.gate).parameters.empty()) continue;
    const Operation operation = on_own_operands(gate(entry.gate));
    if (const auto rotation = as_pauli_rotation(operation))
      fixed_.push_back({operation, *rotation});
  }
}

bool RotationWriter::writable(const Operation& operation) const {
  return operation.angles.empty() ||
         std::find(free_.begin(), free_.end(), operation.gate) != free_.end();
}

std::optional<circuit::PhasedGates> RotationWriter::write(const Operation& like,
                                                          const LocalPauli& axis,
                                                          const Angle& angle) {
  circuit::PhasedGates result;
  if (!like.angles.empty()) {
    Operation operation = like;
    operation.angles[0] = angle;
    const PauliRotation rotation = *as_pauli_rotation(operation);
    result.phase = -rotation.phase + normalize_angles(operation);
    if (!is_identity(operation)) result.gates.push_back(std::move(operation));
    return result;
  }
  if (!angle.is_pi_multiple()) return std::nullopt;
  const Rational eighths = angle.pi_part() * Rational(4);
  if (!eighths.is_integer()) return std::nullopt;
  const std::int64_t target = ((eighths.numerator() % 8) + 8) % 8;
  const auto [known, is_new] =
      words_.try_emplace(std::array<std::int64_t, 4>{axis.x, axis.z, axis.phase, target});
  if (is_new) known->second = shortest(axis, target);
  const Word& word = known->second;
  if (!word) return std::nullopt;
  Angle written;
  for (const std::size_t index : *word) {
    Operation operation = fixed_[index].first;
    operation.qubits = like.qubits;
    result.gates.push_back(std::move(operation));
    result.phase.add_phase(-fixed_[index].second.phase);
    written += signed_angle(fixed_[index].second, axis);
  }
  // exp(-i (angle + 2 pi k)/2 P) = (-1)^k exp(-i angle/2 P).
  result.phase.add_phase((angle - written) * Rational(1, 2));
  return result;
}

RotationWriter::Word RotationWriter::shortest(const LocalPauli& axis, std::int64_t target) const {
  std::map<std::int64_t, std::vector<std::size_t>> reached{{0, {}}};
  for (int length = 0; length < 8 && !reached.contains(target); ++length) {
    std::map<std::int64_t, std::vector<std::size_t>> next = reached;
    for (const auto& [sum, word] : reached) {
      for (std::size_t i = 0; i < fixed_.size(); ++i) {
        const LocalPauli& own = fixed_[i].second.axis;
        if (own.x != axis.x || own.z != axis.z) continue;
        const Rational step = signed_angle(fixed_[i].second, axis).pi_part() * Rational(4);
        const std::int64_t after = (((sum + step.numerator()) % 8) + 8) % 8;
        std::vector<std::size_t> longer = word;
        longer.push_back(i);
        next.emplace(after, std::move(longer));
      }
    }
    reached = std::move(next);
  }
  const auto found = reached.find(target);
  if (found == reached.end()) return std::nullopt;
  return found->second;
}

}  // namespace quartz::optimizer
