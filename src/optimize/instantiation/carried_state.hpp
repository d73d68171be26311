#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>

#include "optimize/windows/edited_gates.hpp"
#include "optimize/windows/narrow_window.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz::optimizer {

/// Returns |0...0> as a matrix of one column.
[[nodiscard]] inline Eigen::MatrixXcd zero_state(std::uint32_t qubits) {
  Eigen::MatrixXcd state = Eigen::MatrixXcd::Zero(Eigen::Index{1} << qubits, 1);
  state(0, 0) = 1;
  return state;
}

/// Returns the amplitudes of a state.
[[nodiscard]] inline std::span<Complex> amplitudes_of(Eigen::MatrixXcd& state) {
  return {state.data(), static_cast<std::size_t>(state.size())};
}

/// The state that the first gates of a list make of |0...0>. It is carried along with windows that
/// follow each other, so that a pass over the list applies each gate once, whatever the number of
/// windows, besides those between the gates of a window.
class CarriedState {
 public:
  using Index = EditedGates::Index;

  /// The gates must outlive this object. All are on one or two qubits and have constant angles.
  CarriedState(const EditedGates& gates, std::uint32_t qubits)
      : gates_(gates), state_(zero_state(qubits)) {}

  /// Returns the state in front of a window, whose gates are placed before its anchor. Since the
  /// last call, only gates from the beginning of the last window on may have been replaced.
  [[nodiscard]] Eigen::MatrixXcd before(const NarrowWindow& window) {
    carry_to(window.gates.front());
    Eigen::MatrixXcd state = state_;
    std::size_t next = 0;
    for (Index gate = window.gates.front(); gate != window.anchor && gate != EditedGates::kEnd;
         gate = gates_.next(gate)) {
      if (next < window.gates.size() && gate == window.gates[next]) {
        ++next;
      } else {
        apply_gate(gates_[gate], amplitudes_of(state));
      }
    }
    return state;
  }

  /// Returns how many gates the state was carried past so far.
  [[nodiscard]] std::uint64_t gates_passed() const { return gates_passed_; }

 private:
  /// Applies the gates up to a gate, from the first one on if the state is already behind it.
  void carry_to(Index start) {
    if (last_ != EditedGates::kEnd && !gates_.precedes(last_, start)) {
      state_.setZero();
      state_(0, 0) = 1;
      last_ = EditedGates::kEnd;
    }
    Index gate = last_ == EditedGates::kEnd ? gates_.first() : gates_.next(last_);
    for (; gate != start; gate = gates_.next(gate)) {
      apply_gate(gates_[gate], amplitudes_of(state_));
      last_ = gate;
      ++gates_passed_;
    }
  }

  const EditedGates& gates_;
  Eigen::MatrixXcd state_;
  Index last_ = EditedGates::kEnd;  ///< the last gate that was applied, or kEnd
  std::uint64_t gates_passed_ = 0;
};

}  // namespace quartz::optimizer
