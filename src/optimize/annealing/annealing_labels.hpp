#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "circuit/derivation.hpp"
#include "classes/table/class_table.hpp"
#include "optimize/annealing/rewritten_circuit.hpp"
#include "optimize/cost/scalar_gate_cost.hpp"
#include "quartz/algebra/angle.hpp"
#include "rewrite/packed_circuit.hpp"
#include "rewrite/wire_lists.hpp"

namespace quartz::optimizer {

/// Effect of a gate on the values of its wires in the sum over paths.
struct ParityAction {
  bool diagonal = false;  ///< the values do not change
  /// Whether the linear map is the whole effect of the gate: it permutes the basis states, without
  /// phases.
  bool is_all = false;
  /// For each operand: whether its new value is a parity of the old values; which of them (bit k
  /// for operand k); and whether it is the complement. If the new value is not a parity, it is a
  /// new variable.
  std::array<bool, 3> linear{};
  std::array<std::uint8_t, 3> terms{};
  std::array<bool, 3> complement{};
};

/// Describes a gate as e^{i pi phase / 8} rz(eighths * pi/4), or as a rotation by a symbol.
struct ZRotation {
  bool is_rotation = false;
  int eighths = 0;
  int phase = 0;
  rewrite::Label opposite = 0;  ///< label of the rotation by the negated symbol
};

/// The shortest product of gates that equals e^{i pi phase / 8} rz(eighths * pi/4).
struct ZRotationDecomposition {
  std::vector<rewrite::Label> labels;
  int eighths = 0;
  int phase = 0;
};

/// Properties of a gate with its angles that annealing needs.
struct AnnealingLabel {
  /// Index of its letter on given local qubits, by operand 0 + 4 * operand 1 + 16 * operand 2; -1
  /// if there is none.
  std::array<std::int8_t, 64> letter{};
  /// Number of the angle that p0 in its letter denotes; 0 for a constant letter.
  std::uint32_t symbol = 0;
  std::uint64_t value = 1;  ///< contribution of the gate to the scalar cost
  unsigned cost = 0;        ///< sum of the table costs of its letters
  ZRotation rotation;
  ParityAction parity_action;
};

/// Numbers the gates of a circuit and of a table's alphabet; shared by all chains on the circuit.
class AnnealingLabels {
 public:
  explicit AnnealingLabels(const classes::TableAlphabet& alphabet, ScalarCost cost = {});

  struct Interned {
    std::vector<rewrite::PlainGate> gates;
    circuit::Derivation derivation;
  };
  /// Numbers the gates and the black boxes (state/segments.hpp), each of which gets its own label,
  /// with no letter. Leaves out gates that are the identity.
  [[nodiscard]] Interned intern(std::span<const Operation> gates);
  [[nodiscard]] std::vector<Operation> operations(std::span<const rewrite::PlainGate> gates) const;
  /// Returns the gate of a label on its own operands, or a black box, without operands.
  [[nodiscard]] Operation operation(rewrite::Label label) const;
  /// Returns the length of each label on the critical path; empty without a critical path.
  [[nodiscard]] std::span<const std::uint64_t> lengths() const { return lengths_; }
  /// Returns the value of a unit of the longest chain.
  [[nodiscard]] std::uint64_t value_per_length() const { return cost_.per_length; }
  [[nodiscard]] bool is_path_first() const { return cost_.is_path_first; }
  /// Returns the product of the global phases of the gates interned so far, as an angle.
  [[nodiscard]] const Angle& phase() const { return phase_; }

  [[nodiscard]] const AnnealingLabel& operator[](rewrite::Label label) const {
    return labels_[label];
  }
  [[nodiscard]] std::size_t size() const { return labels_.size(); }
  /// Returns the number of angles that p0 denotes, plus 1 for none.
  [[nodiscard]] std::size_t symbols() const { return letter_labels_.size(); }
  /// Returns the sums over the gates, without their phase.
  [[nodiscard]] Totals totals_of(std::span<const rewrite::PlainGate> gates) const {
    Totals totals;
    for (const rewrite::PlainGate& gate : gates) {
      totals.value += labels_[gate.label].value;
      totals.table_cost += labels_[gate.label].cost;
    }
    return totals;
  }
  [[nodiscard]] rewrite::Label label_of(unsigned letter, unsigned symbol) const {
    return letter_labels_[symbol][letter];
  }
  /// The gates from which parity networks are built, if the alphabet has them.
  [[nodiscard]] std::optional<rewrite::Label> cnot() const { return cnot_; }
  [[nodiscard]] std::optional<rewrite::Label> x_gate() const { return x_gate_; }
  /// Returns the decomposition of rz(eighths * pi/4) up to a factor -1: `eighths` of the result is
  /// equal modulo 8.
  [[nodiscard]] const ZRotationDecomposition& decomposition(int eighths) const {
    return decompositions_[static_cast<std::size_t>(eighths & 7)];
  }

 private:
  void add_label(rewrite::Label label);
  void add_letters();
  void keep_only_complete(rewrite::Label label);
  void add_decompositions();
  /// Numbers the angle of a rotation, for the symbolic letters of the table.
  void add_symbol(rewrite::Label label);
  void add_letter(rewrite::Label label, std::size_t letter);

  const classes::TableAlphabet& alphabet_;
  std::size_t wires_ = 0;  ///< number of wires on which letters are
  const ScalarCost cost_;
  std::vector<std::uint64_t> lengths_;  ///< by label; empty without a critical path
  rewrite::LabelTable interned_;
  std::vector<AnnealingLabel> labels_;
  /// Labels by symbol and letter.
  std::vector<std::vector<rewrite::Label>> letter_labels_;
  std::array<ZRotationDecomposition, 8> decompositions_;
  std::optional<rewrite::Label> cnot_;
  std::optional<rewrite::Label> x_gate_;
  Angle phase_;
};

}  // namespace quartz::optimizer
