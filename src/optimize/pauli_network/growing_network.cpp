#include "optimize/pauli_network/growing_network.hpp"

#include <limits>
#include <optional>
#include <utility>

#include "optimize/pauli_network/clifford_phase.hpp"
#include "optimize/pauli_network/cnot_changes.hpp"
#include "optimize/pauli_network/diagonalization.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Operators that can be looked at one by one in the time for all rows.
constexpr std::uint64_t kWorkOfRows = 4;

/// Returns the gates of the product C D^dagger, times -1 for each gate s of D: the inverse of rz by
/// k quarters is that by 4 - k, times -1.
std::vector<CliffordGate> quotient(const std::vector<CliffordGate>& c,
                                   const std::vector<CliffordGate>& d) {
  std::vector<CliffordGate> result = c;
  const std::vector<CliffordGate> inverse = inverse_gates(d);
  result.insert(result.end(), inverse.begin(), inverse.end());
  return result;
}

}  // namespace

GrowingNetwork::GrowingNetwork(RotationColumns sequence, std::uint64_t most_work)
    : most_work_(most_work),
      clifford_of_sequence_(std::move(sequence.clifford)),
      is_negated_(sequence.is_negated),
      qubits_(sequence.images.qubits()),
      open_(std::move(sequence.axes), std::move(sequence.angles)),
      rows_(std::move(sequence.images)) {}

bool GrowingNetwork::is_over(const Budget& budget) const {
  return work_ > most_work_ || budget.spent();
}

void GrowingNetwork::apply(const CliffordGate& gate) {
  open_.push(gate);
  rows_.push(gate);
  clifford_.push_back(gate);
  gates_.push_back(gate_of(gate));
}

void GrowingNetwork::turn_to_z(std::uint32_t qubit, LocalAxis axis) {
  if (axis == 3) apply({CliffordKind::s, qubit});
  if (axis != 2) apply({CliffordKind::h, qubit});
}

void GrowingNetwork::apply(const PauliCnot& cnot) {
  turn_to_z(cnot.control, cnot.control_axis);
  if (cnot.target_axis == 3) apply({CliffordKind::s, cnot.target});
  if (cnot.target_axis == 2) apply({CliffordKind::h, cnot.target});
  apply({CliffordKind::cx, cnot.control, cnot.target});
}

void GrowingNetwork::turn_to_z(std::size_t place) {
  const std::uint32_t qubit = open_.axes().support(place).front();
  turn_to_z(qubit, open_.axes().axis(place, qubit));
}

void GrowingNetwork::emit(std::size_t place) {
  turn_to_z(place);
  (void)emit_parity(place);
}

ParityRotation GrowingNetwork::emit_parity(std::size_t place) {
  const Angle& angle = open_.angle(place);
  ParityRotation parity{open_.axes().support(place), {}};
  parity.rotation = make_operation(GateKind::rz, {parity.qubits.front()},
                                   {open_.axes().is_negative(place) ? -angle : angle});
  append_parity_rotation(parity.qubits, parity.rotation, gates_);
  open_.close(place);
  return parity;
}

int GrowingNetwork::change_of_rows(const PauliCnot& cnot) {
  work_ += kWorkOfRows;
  return rows_.change(cnot);
}

bool GrowingNetwork::undo_rows(const Budget& budget) {
  if (!reduce_rows(budget)) return false;
  for (std::uint32_t qubit = 0; qubit < qubits_; ++qubit) {
    if (is_over(budget)) return false;
    undo_rows_of(qubit);
  }
  return true;
}

bool GrowingNetwork::reduce_rows(const Budget& budget) {
  CnotChanges changes(rows_);
  work_ += kWorkOfRows * changes.size();
  while (const std::optional<PauliCnot> best = changes.best(rows_)) {
    apply(*best);
    work_ += kWorkOfRows * changes.update(rows_, best->control, best->target);
    if (is_over(budget)) return false;
  }
  return true;
}

void GrowingNetwork::undo_rows_of(std::uint32_t qubit) {
  const std::size_t row = 2 * std::size_t{qubit};
  reduce_to(row, qubit);
  // The first row is now a Pauli operator on the qubit: Z, after this.
  turn_to_z(qubit, rows_.axis(row, qubit));
  apply({CliffordKind::h, qubit});
  // Now it is X. The second row anticommutes with it: it has Z or Y there, and anything
  // elsewhere.
  if (rows_.axis(row + 1, qubit) == 3) {
    // h s h keeps X and exchanges Y and Z.
    apply({CliffordKind::h, qubit});
    apply({CliffordKind::s, qubit});
    apply({CliffordKind::h, qubit});
  }
  for (const std::uint32_t other : rows_.support(row + 1)) {
    if (other == qubit) continue;
    turn_to_z(other, rows_.axis(row + 1, other));
    // The control is the other qubit: X of the target stays, Z Z becomes Z of the target.
    apply({CliffordKind::cx, other, qubit});
  }
  if (rows_.is_negative(row)) apply({CliffordKind::s, qubit, 0, 2});
  if (rows_.is_negative(row + 1)) apply({CliffordKind::x, qubit});
}

void GrowingNetwork::reduce_to(std::size_t row, std::uint32_t qubit) {
  const std::uint32_t first = rows_.support(row).front();
  ensure(first >= qubit, "rows of other qubits commute with those done");
  if (first != qubit) {
    turn_to_z(first, rows_.axis(row, first));
    apply({CliffordKind::h, first});
    apply({CliffordKind::cx, first, qubit});
  }
  while (rows_.weight(row) > 1) {
    PauliCnot best;
    int best_change = std::numeric_limits<int>::max();
    for_each_reduction(rows_, row, [&](const PauliCnot& cnot) {
      // The operator that is left must be on the qubit.
      const bool keeps_control = axes_anticommute(rows_.axis(row, cnot.control), cnot.control_axis);
      const std::uint32_t removed = keeps_control ? cnot.target : cnot.control;
      if (removed == qubit) return;
      const int change = change_of_rows(cnot);
      if (change >= best_change) return;
      best_change = change;
      best = cnot;
    });
    apply(best);
  }
}

std::optional<circuit::PhasedGates> GrowingNetwork::finished(const Budget& budget) && {
  ensure(open_.is_empty(), "a network is finished with all rotations");
  if (!undo_rows(budget)) return std::nullopt;
  bool is_negated = is_negated_;
  for (const CliffordGate& gate : clifford_) {
    if (gate.kind == CliffordKind::s) is_negated = !is_negated;  // see quotient()
  }
  const std::optional<unsigned> eighths =
      phase_on_zero_state(quotient(clifford_of_sequence_, clifford_), qubits_);
  ensure(eighths.has_value(), "the Clifford gates of a network are those of its circuit");
  circuit::PhasedGates result;
  result.gates = std::move(gates_);
  result.phase =
      Angle::pi_times(Rational(*eighths + (is_negated ? 4 : 0), 4)).reduced_modulo(Rational(2));
  return result;
}

}  // namespace quartz::optimizer
