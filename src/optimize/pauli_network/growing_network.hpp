#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "circuit/phased_gates.hpp"
#include "optimize/pauli_network/parity_rotation.hpp"
#include "optimize/pauli_network/pauli_cnot.hpp"
#include "optimize/pauli_network/pauli_columns.hpp"
#include "optimize/pauli_network/rotation_columns.hpp"
#include "optimize/pauli_network/unplaced_rotations.hpp"

namespace quartz::optimizer {

/// Most operators that are looked at in the choice of all CNOTs of a network without a deadline.
/// The limit does not depend on the speed of the machine, so that a search with a number of steps
/// is reproducible.
inline constexpr std::uint64_t kMostWorkOfNetwork = 100'000'000;

/// A network of CNOTs and Clifford gates on single qubits that grows gate by gate, and what is left
/// of the sequence of rotations of which it is made, seen through these gates.
class GrowingNetwork {
 public:
  explicit GrowingNetwork(RotationColumns sequence, std::uint64_t most_work = kMostWorkOfNetwork);

  /// Returns the rotations that are left.
  [[nodiscard]] const UnplacedRotations& open() const { return open_; }

  void apply(const CliffordGate& gate);
  void apply(const PauliCnot& cnot);
  /// Appends gates that turn the operator of the rotation at a place, on a single qubit, into Z, up
  /// to the sign.
  void turn_to_z(std::size_t place);
  /// Appends the gate for a rotation about an operator on a single qubit.
  void emit(std::size_t place);
  /// Appends the gates for a rotation about a product of Z operators: one of a parity.
  ParityRotation emit_parity(std::size_t place);
  /// Returns the number of gates that the network has.
  [[nodiscard]] std::size_t gate_count() const { return gates_.size(); }

  /// Returns by how much the sum of the weights of the images of X and Z changes, which the network
  /// has to undo at its end.
  [[nodiscard]] int change_of_rows(const PauliCnot& cnot);

  /// Counts operators that are looked at in a choice.
  void count_work(std::size_t operators) { work_ += operators; }
  /// Returns whether the budget is spent, or the limit of the work reached.
  [[nodiscard]] bool is_over(const Budget& budget) const;

  /// Returns the network with the gates that undo it up to the Clifford operator of the sequence,
  /// once no rotations are left; nothing if is_over().
  [[nodiscard]] std::optional<circuit::PhasedGates> finished(const Budget& budget) &&;

 private:
  /// Appends gates that turn a Pauli operator on a qubit into Z, up to the sign.
  void turn_to_z(std::uint32_t qubit, LocalAxis axis);
  /// Makes the rows the X and Z of their qubits.
  [[nodiscard]] bool undo_rows(const Budget& budget);
  /// Applies CNOTs that make the rows smaller, the best one each time, until there is none.
  [[nodiscard]] bool reduce_rows(const Budget& budget);
  /// Makes the two rows of a qubit its X and Z. The rows of the qubits before it stay as they are.
  void undo_rows_of(std::uint32_t qubit);
  /// Makes a row an operator on one qubit, without a change of the qubits before it.
  void reduce_to(std::size_t row, std::uint32_t qubit);

  std::uint64_t most_work_;
  std::vector<CliffordGate> clifford_of_sequence_;
  bool is_negated_;
  std::uint32_t qubits_;
  UnplacedRotations open_;
  /// R^dagger X_q R and R^dagger Z_q R for the Clifford operator R that is left.
  PauliColumns rows_;
  std::uint64_t work_ = 0;  ///< operators that were looked at
  std::vector<Operation> gates_;
  std::vector<CliffordGate> clifford_;
};

}  // namespace quartz::optimizer
