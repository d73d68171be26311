#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "enumerate/class_table.hpp"
#include "optimize/annealing/rewritten_circuit.hpp"
#include "optimize/cost/gate_values.hpp"
#include "quartz/algebra/angle.hpp"
#include "rewrite/packed_circuit.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz {

/// What a gate does to the values of its wires in the sum over paths.
struct ParityAction {
  bool diagonal = false;  ///< nothing
  /// Whether that is all that the gate does: it maps basis states to basis states, without phases.
  bool is_all = false;
  /// For each operand: whether its new value is a parity of the old ones, which ones (bit k for
  /// operand k), and whether it is the complement. Where it is not, the value is a new variable.
  std::array<bool, 3> linear{};
  std::array<std::uint8_t, 3> terms{};
  std::array<bool, 3> complement{};
};

/// A gate seen as e^{i pi phase / 8} rz(eighths * pi/4), or as a rotation by a symbol.
struct ZRotation {
  bool is_rotation = false;
  int eighths = 0;
  int phase = 0;
  Label opposite = 0;  ///< label of the rotation by the negative symbol
};

/// The fewest gates whose product is e^{i pi phase / 8} rz(eighths * pi/4).
struct ZRotationSpelling {
  std::vector<Label> labels;
  int eighths = 0;
  int phase = 0;
};

/// What annealing knows of a gate with its angles.
struct AnnealingLabel {
  /// The letter it is on given local qubits, by operand 0 + 4 * operand 1 + 16 * operand 2; -1:
  /// none.
  std::array<std::int8_t, 64> letter{};
  /// Number of the angle that stands for p0 in its letter, 0 for a constant letter.
  std::uint32_t symbol = 0;
  std::uint64_t value = 1;  ///< what the gate adds to what the search makes small
  unsigned cost = 0;        ///< what its letters weigh in the table
  ZRotation rotation;
  ParityAction parity_action;
};

/// The gates of a circuit and of a table's alphabet as numbers; shared by all chains on it.
class AnnealingLabels {
 public:
  /// Without a function every gate has the value 1.
  explicit AnnealingLabels(const TableAlphabet& alphabet, GateValue value = {});

  /// Numbers the gates. Leaves out gates that are the identity.
  [[nodiscard]] std::vector<PlainGate> intern(std::span<const Operation> gates);
  [[nodiscard]] std::vector<Operation> operations(std::span<const PlainGate> gates) const;
  /// The global phase that the gates interned so far stand with.
  [[nodiscard]] const Angle& phase() const { return phase_; }

  [[nodiscard]] const AnnealingLabel& operator[](Label label) const { return labels_[label]; }
  /// Returns the sums over gates; without a phase.
  [[nodiscard]] Totals totals_of(std::span<const PlainGate> gates) const {
    Totals totals;
    for (const PlainGate& gate : gates) {
      totals.value += labels_[gate.label].value;
      totals.table_cost += labels_[gate.label].cost;
    }
    return totals;
  }
  [[nodiscard]] Label label_of(unsigned letter, unsigned symbol) const {
    return letter_labels_[symbol][letter];
  }
  /// The gates that parity networks are made of, where the alphabet has them.
  [[nodiscard]] std::optional<Label> cnot() const { return cnot_; }
  [[nodiscard]] std::optional<Label> inverter() const { return inverter_; }
  /// Of rz(eighths * pi/4) up to a factor -1: `eighths` of the result differ by a multiple of 8.
  [[nodiscard]] const ZRotationSpelling& spelling(int eighths) const {
    return spellings_[static_cast<std::size_t>(eighths & 7)];
  }

 private:
  void add_label(Label label);
  void add_letters();
  void add_spellings();
  /// The angle of a rotation that the table's symbolic letters can take.
  void add_symbol(Label label);
  void add_letter(Label label, std::size_t letter);

  const TableAlphabet& alphabet_;
  const GateValue value_;
  LabelTable interned_;
  std::vector<AnnealingLabel> labels_;
  /// By symbol and letter.
  std::vector<std::vector<Label>> letter_labels_;
  std::array<ZRotationSpelling, 8> spellings_;
  std::optional<Label> cnot_;
  std::optional<Label> inverter_;
  Angle phase_;
};

}  // namespace quartz
