#include "optimize/pauli_network/growing_network.hpp"

#include <limits>
#include <optional>
#include <utility>

#include "optimize/pauli_network/clifford_phase.hpp"
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

GrowingNetwork::GrowingNetwork(RotationSequence sequence, std::uint64_t most_work)
    : most_work_(most_work),
      clifford_of_sequence_(std::move(sequence.clifford)),
      is_negated_(sequence.is_negated),
      qubits_(static_cast<std::uint32_t>(sequence.images.size() / 2)),
      open_(std::move(sequence.rotations)),
      rows_(std::move(sequence.images)),
      axes_of_rows_(rows_, qubits_) {}

bool GrowingNetwork::is_over(const Budget& budget) const {
  return work_ > most_work_ || budget.spent();
}

void GrowingNetwork::apply(const CliffordGate& gate) {
  open_.push(gate);
  for (PauliString& row : rows_) row = pushed(row, gate);
  axes_of_rows_.push(gate);
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

void GrowingNetwork::turn_to_z(std::size_t rotation) {
  const auto qubit = static_cast<std::uint32_t>(__builtin_ctzll(open_[rotation].axis.support()));
  turn_to_z(qubit, axis_on(open_[rotation].axis, qubit));
}

void GrowingNetwork::emit(std::size_t rotation) {
  turn_to_z(rotation);
  (void)emit_parity(rotation);
}

ParityRotation GrowingNetwork::emit_parity(std::size_t rotation) {
  const Rotation& turned = open_[rotation];
  std::vector<Qubit> qubits;
  for (std::uint64_t left = turned.axis.support(); left != 0; left &= left - 1) {
    qubits.push_back(static_cast<Qubit>(__builtin_ctzll(left)));
  }
  const Angle angle = is_negative(turned.axis) ? -turned.angle : turned.angle;
  ParityRotation parity{std::move(qubits), {}};
  parity.rotation = make_operation(GateKind::rz, {parity.qubits.front()}, {angle});
  append_parity_rotation(parity.qubits, parity.rotation, gates_);
  open_.close(rotation);
  return parity;
}

int GrowingNetwork::change_of_rows(const PauliCnot& cnot) {
  work_ += kWorkOfRows;
  return axes_of_rows_.change(cnot);
}

bool GrowingNetwork::undo_rows(const Budget& budget) {
  while (reduce_rows()) {
    if (is_over(budget)) return false;
  }
  for (std::uint32_t qubit = 0; qubit < qubits_; ++qubit) {
    if (is_over(budget)) return false;
    undo_rows_of(qubit);
  }
  return true;
}

bool GrowingNetwork::reduce_rows() {
  PauliCnot best;
  int best_change = 0;
  for (const PauliString& row : rows_) {
    for_each_reduction(row, [&](const PauliCnot& cnot) {
      const int change = change_of_rows(cnot);
      if (change >= best_change) return;
      best_change = change;
      best = cnot;
    });
  }
  if (best_change == 0) return false;
  apply(best);
  return true;
}

void GrowingNetwork::undo_rows_of(std::uint32_t qubit) {
  const std::size_t row = 2 * std::size_t{qubit};
  reduce_to(row, qubit, bit_of(qubit) - 1);
  // The first row is now a Pauli operator on the qubit: Z, after this.
  turn_to_z(qubit, axis_on(rows_[row], qubit));
  apply({CliffordKind::h, qubit});
  // Now it is X. The second row anticommutes with it: it has Z or Y there, and anything
  // elsewhere.
  PauliString& second = rows_[row + 1];
  if (axis_on(second, qubit) == 3) {
    // h s h keeps X and exchanges Y and Z.
    apply({CliffordKind::h, qubit});
    apply({CliffordKind::s, qubit});
    apply({CliffordKind::h, qubit});
  }
  for (std::uint64_t rest = second.support() & ~bit_of(qubit); rest != 0;
       rest = second.support() & ~bit_of(qubit)) {
    const auto other = static_cast<std::uint32_t>(__builtin_ctzll(rest));
    turn_to_z(other, axis_on(second, other));
    // The control is the other qubit: X of the target stays, Z Z becomes Z of the target.
    apply({CliffordKind::cx, other, qubit});
  }
  if (is_negative(rows_[row])) apply({CliffordKind::s, qubit, 0, 2});
  if (is_negative(rows_[row + 1])) apply({CliffordKind::x, qubit});
}

void GrowingNetwork::reduce_to(std::size_t row, std::uint32_t qubit, std::uint64_t done) {
  ensure((rows_[row].support() & done) == 0, "rows of other qubits commute with those done");
  if ((rows_[row].support() & bit_of(qubit)) == 0) {
    const auto other = static_cast<std::uint32_t>(__builtin_ctzll(rows_[row].support()));
    turn_to_z(other, axis_on(rows_[row], other));
    apply({CliffordKind::h, other});
    apply({CliffordKind::cx, other, qubit});
  }
  while (weight_of(rows_[row]) > 1) {
    PauliCnot best;
    int best_change = std::numeric_limits<int>::max();
    for_each_reduction(rows_[row], [&](const PauliCnot& cnot) {
      // The operator that is left must be on the qubit.
      const bool keeps_control =
          axes_anticommute(axis_on(rows_[row], cnot.control), cnot.control_axis);
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
