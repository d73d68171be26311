#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "optimize/pauli/one_qubit_group.hpp"
#include "optimize/runs/run_words.hpp"
#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// The product of a run of gates on one qubit: e^{i (phase + eighths pi/4)} C R_n ... R_1, where
/// R_1 comes first in time. The neighbours of a rotation are about other axes, and no angle is a
/// multiple of pi/2.
class RunProduct {
 public:
  void clear() {
    clifford_ = {};
    count_ = 0;
    weight_ = 0;
    phase_ = {};
  }

  /// Appends a gate that is a Clifford gate or a rotation. Returns false, and changes nothing, if
  /// there are too many rotations, or if a sum of angles is beyond exact arithmetic.
  [[nodiscard]] bool append(const Operation& gate, const RunGate& form) {
    if (form.kind == RunGate::Kind::rotation) {
      if (!append_rotation(gate, form)) return false;
    } else {
      clifford_ = OneQubitGroup::get().product(form.element, clifford_);
    }
    weight_ += form.weight;
    return true;
  }

  [[nodiscard]] bool is_identity() const { return clifford_.number == 0 && count_ == 0; }
  /// Returns the sum of the weights of the gates.
  [[nodiscard]] std::uint64_t weight() const { return weight_; }
  [[nodiscard]] const OneQubitGroup::Element& clifford() const { return clifford_; }
  [[nodiscard]] std::span<const PauliAxis> axes() const { return std::span(axes_).first(count_); }
  [[nodiscard]] const Angle& angle(std::size_t rotation) const { return angles_.at(rotation); }
  [[nodiscard]] const Angle& phase() const { return phase_; }

 private:
  [[nodiscard]] bool append_rotation(const Operation& gate, const RunGate& form);

  OneQubitGroup::Element clifford_;
  std::size_t count_ = 0;
  std::array<PauliAxis, RunWords::kMaxRotations> axes_{};
  std::array<Angle, RunWords::kMaxRotations> angles_;
  std::uint64_t weight_ = 0;
  Angle phase_;
};

/// Appends the gates of a word for a product, on a qubit, to a list. Adds what the phase of the
/// product differs by from that of the word to `phase`, without the eighths of their Clifford
/// gates. Throws OverflowError if an angle or the phase is beyond exact arithmetic.
void append_word(const RunWords& words, const RunWords::Word& word, const RunProduct& product,
                 Qubit qubit, std::vector<Operation>& gates, Angle& phase);

}  // namespace quartz::optimizer
