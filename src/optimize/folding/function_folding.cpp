#include "optimize/folding/function_folding.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "optimize/folding/rotation_writer.hpp"
#include "optimize/folding/sum_over_paths.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/state/segments.hpp"
#include "optimize/windows/exchanged_gates.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

/// Gates between two looks at the clock.
constexpr std::size_t kGatesBetweenLooks = 256;

Angle quarter_turn(std::int64_t sign) { return Angle::pi_times(Rational(sign, 2)); }

class FunctionFolding {
 public:
  FunctionFolding(std::span<const Operation> gates, std::uint32_t wires, const GateSet& set,
                  MergedPlace place, double proof_work)
      : gates_(gates),
        place_(place),
        proof_work_left_(proof_work),
        writer_(set),
        sum_(wires),
        current_(gates) {}

  void run(const Budget& budget) {
    for (std::size_t i = 0; i < gates_.size(); ++i) {
      if (i % kGatesBetweenLooks == 0 && budget.spent()) return;
      if (!visit_rotation(i)) visit(gates_[i]);
      while (const auto pair = sum_.take_coincidence()) merge(*pair);
    }
  }

  [[nodiscard]] circuit::DerivedGates result() && {
    std::vector<Operation> gates = current_.gates();
    return {std::move(gates), phase_,
            circuit::Derivation::by(std::move(current_).finish_history())};
  }

 private:
  /// A rotation of the circuit about Z on one wire, or about a product of these.
  struct Rotation {
    ExchangedGates::Place place = 0;
    LocalPauli axis;
    Angle angle;  ///< about this axis, with those of the rotations that have merged with it
    Angle phase;  ///< what is at its place is e^{i phase} times the rotation
  };

  [[nodiscard]] static bool is_diagonal(const LocalPauli& axis) { return axis.x == 0; }
  [[nodiscard]] static Angle signed_angle(const LocalPauli& axis, const Angle& angle) {
    return axis.phase == 0 ? angle : -angle;
  }

  /// Returns the exclusive or of the values on which a diagonal axis acts.
  [[nodiscard]] BooleanFunction function_of(const LocalPauli& axis, const Operation& gate) const {
    BooleanFunction function;
    for (unsigned i = 0; i < gate.qubits.size(); ++i) {
      if ((axis.z >> i & 1U) == 0) continue;
      function = BooleanFunctions::exclusive_or(function, sum_.on(gate.qubits[i]));
    }
    return function;
  }

  bool visit_rotation(std::size_t index) {
    const Operation& gate = gates_[index];
    if (is_black_box(gate) || !writer_.writable(gate)) return false;
    const PauliRotation* const of_kind = pauli_rotation_of(gate.gate);
    if (of_kind == nullptr || !is_diagonal(of_kind->axis)) return false;
    const PauliRotation rotation = *as_pauli_rotation(gate);
    const SumOverPaths::Term term = sum_.add_rotation(signed_angle(rotation.axis, rotation.angle),
                                                      function_of(rotation.axis, gate));
    rotation_of_.resize(term + 1);
    rotation_of_[term] = rotations_.size();
    rotations_.push_back(
        {static_cast<ExchangedGates::Place>(index), rotation.axis, rotation.angle, rotation.phase});
    return true;
  }

  void visit(const Operation& gate) {
    if (is_black_box(gate)) return visit_box(gate);
    const auto& qubits = gate.qubits;
    switch (gate.gate) {
      case GateKind::id:
        return;
      case GateKind::x:
        return sum_.add(qubits[0], {BooleanFunctions::kOne});
      case GateKind::h:
        return sum_.hadamard(qubits[0]);
      case GateKind::sx:
        return visit_root_of_x(qubits[0], -1);
      case GateKind::sxdg:
        return visit_root_of_x(qubits[0], 1);
      case GateKind::cx:
        return sum_.add(qubits[1], sum_.on(qubits[0]));
      case GateKind::swap:
        return sum_.swap(qubits[0], qubits[1]);
      case GateKind::ccx:
        return visit_toffoli(qubits[0], qubits[1], qubits[2]);
      default:
        return visit_other(gate);
    }
  }

  /// The square root of X is a Hadamard gate between two rotations by -pi/2, up to a phase.
  void visit_root_of_x(Qubit qubit, std::int64_t sign) {
    sum_.add_phase(quarter_turn(sign), sum_.on(qubit));
    sum_.hadamard(qubit);
    sum_.add_phase(quarter_turn(sign), sum_.on(qubit));
  }

  void visit_toffoli(Qubit a, Qubit b, Qubit target) {
    const std::optional<BooleanFunction> both = sum_.conjunction(sum_.on(a), sum_.on(b));
    if (both) return sum_.add(target, *both);
    sum_.read(a);
    sum_.read(b);
    sum_.overwrite(target);
  }

  /// Gates that are not in the list above count as what they consist of.
  void visit_other(const Operation& gate) {
    const std::optional<PauliRotation> rotation = as_pauli_rotation(gate);
    if (rotation && is_diagonal(rotation->axis)) {
      return sum_.add_phase(signed_angle(rotation->axis, rotation->angle),
                            function_of(rotation->axis, gate));
    }
    if (const Decomposition* const parts = general_decomposition(quartz::gate(gate.gate))) {
      for (const Operation& part : instantiate(*parts, gate).operations) visit(part);
      return;
    }
    for (const Qubit qubit : gate.qubits) sum_.overwrite(qubit);
  }

  void visit_box(const Operation& box) {
    const bool is_measurement = is_measurement_box(*box.classical);
    for (std::size_t i = 0; i < box.qubits.size(); ++i) {
      if (i == 0 && is_measurement) {
        sum_.read(box.qubits[i]);
      } else {
        sum_.overwrite(box.qubits[i]);
      }
    }
  }

  /// Merges two rotations if the gate set can express the result.
  void merge(const SumOverPaths::Coincidence& pair) {
    const bool first_stays = stays_first(pair);
    const SumOverPaths::Merge terms{first_stays ? pair.first : pair.second,
                                    first_stays ? pair.second : pair.first};
    Rotation& kept = rotation(terms.into);
    const Rotation& removed = rotation(terms.from);
    const double between = static_cast<double>(std::max(kept.place, removed.place) -
                                               std::min(kept.place, removed.place));
    if (between * between > proof_work_left_) return sum_.keep_apart(pair);
    const bool is_negative = pair.is_negative != (kept.axis.phase != removed.axis.phase);
    const std::optional<Angle> angle =
        try_add(kept.angle, is_negative ? -removed.angle : removed.angle);
    if (!angle) return;
    std::optional<circuit::PhasedGates> merged =
        writer_.write(gates_[kept.place], kept.axis, *angle);
    const std::size_t before = current_.at(kept.place).size() + current_.at(removed.place).size();
    if (!merged || merged->gates.size() >= before) return;
    proof_work_left_ -= between * between;
    // The rotations are e^{-i phase} times what is at their places, and the merged one is
    // e^{i merged->phase} times its gates.
    phase_.add_phase(kept.phase);
    phase_.add_phase(removed.phase);
    phase_.add_phase(merged->phase);
    kept.angle = *angle;
    kept.phase = -merged->phase;
    std::array<ExchangedGates::Replacement, 2> replacements{
        ExchangedGates::Replacement{kept.place, std::move(merged->gates)},
        ExchangedGates::Replacement{removed.place, {}}};
    if (removed.place < kept.place) std::swap(replacements[0], replacements[1]);
    // One exchange for each merge: its proof needs only the gates in between.
    current_.exchange(replacements);
    sum_.merge(terms);
  }

  /// Returns whether the merged rotation takes the place of the first one. Other rotations can pass
  /// the place of a Clifford gate, as rotations about another axis, but not that of a rotation by
  /// another angle: if one place has a Clifford gate, the merged rotation takes the other one.
  [[nodiscard]] bool stays_first(const SumOverPaths::Coincidence& pair) {
    const bool is_first_clifford = is_quarter_turns(rotation(pair.first).angle);
    const bool is_second_clifford = is_quarter_turns(rotation(pair.second).angle);
    if (is_first_clifford != is_second_clifford) return is_second_clifford;
    return place_ == MergedPlace::first;
  }

  [[nodiscard]] Rotation& rotation(SumOverPaths::Term term) {
    return rotations_[rotation_of_[term]];
  }

  std::span<const Operation> gates_;
  MergedPlace place_;
  double proof_work_left_;
  RotationWriter writer_;
  SumOverPaths sum_;
  std::vector<Rotation> rotations_;
  std::vector<std::size_t> rotation_of_;  ///< for each term that is a rotation: its index
  ExchangedGates current_;                ///< the gates with those that have merged
  Angle phase_;
};

}  // namespace

circuit::DerivedGates fold_equal_functions(std::span<const Operation> gates, std::uint32_t wires,
                                           const GateSet& set, MergedPlace place,
                                           const Budget& budget, double proof_work) {
  FunctionFolding folding(gates, wires, set, place, proof_work);
  folding.run(budget);
  return std::move(folding).result();
}

}  // namespace quartz::optimizer
