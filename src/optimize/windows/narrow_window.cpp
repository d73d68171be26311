#include "optimize/windows/narrow_window.hpp"

#include <algorithm>

namespace quartz::optimizer {
namespace {

using Index = EditedGates::Index;

class Growth {
 public:
  Growth(const EditedGates& gates, std::size_t two_qubit_gates, std::size_t qubits,
         bool (*takes_angles)(const Operation&))
      : gates_(gates), most_(two_qubit_gates), most_qubits_(qubits), takes_angles_(takes_angles) {}

  [[nodiscard]] NarrowWindow run(Index start) && {
    window_.anchor = start;
    if (!may_take(gates_[start])) return std::move(window_);
    for (const Qubit qubit : gates_[start].qubits) join(qubit);
    take(start);
    for (Index gate = next_gate(); gate != EditedGates::kEnd; gate = next_gate()) visit(gate);
    if (!has_left_out_) window_.anchor = EditedGates::kEnd;
    return std::move(window_);
  }

 private:
  [[nodiscard]] bool may_take(const Operation& gate) const {
    if (gate.is_boundary() || gate.qubits.empty() || gate.qubits.size() > 2) return false;
    return takes_angles_(gate);
  }

  void join(Qubit qubit) {
    window_.qubits.push_back(qubit);
    ahead_.push_back(EditedGates::kEnd);
    is_open_.push_back(true);
  }

  /// Returns the next gate on an open qubit, or kEnd.
  [[nodiscard]] Index next_gate() const {
    Index gate = EditedGates::kEnd;
    for (std::size_t local = 0; local < ahead_.size(); ++local) {
      if (is_open_[local] && gates_.precedes(ahead_[local], gate)) gate = ahead_[local];
    }
    return gate;
  }

  void visit(Index index) {
    const Operation& gate = gates_[index];
    std::size_t own = 0;
    bool is_closed = false;
    for (const Qubit qubit : gate.qubits) {
      const std::size_t local = local_of(qubit);
      if (local == window_.qubits.size()) continue;
      ++own;
      is_closed = is_closed || !is_open_[local];
    }
    const std::size_t foreign = gate.qubits.size() - own;
    const bool may_join =
        foreign == 0 || (!has_left_out_ && window_.qubits.size() + foreign <= most_qubits_);
    const bool has_room = gate.qubits.size() == 1 || window_.two_qubit_gates < most_;
    if (!is_closed && may_join && has_room && may_take(gate)) {
      for (const Qubit qubit : gate.qubits) {
        if (local_of(qubit) == window_.qubits.size()) join(qubit);
      }
      take(index);
    } else {
      leave_out(index);
    }
  }

  void take(Index index) {
    const Operation& gate = gates_[index];
    for (std::size_t operand = 0; operand < gate.qubits.size(); ++operand) {
      ahead_[local_of(gate.qubits[operand])] = gates_.next_on(index, operand);
    }
    window_.gates.push_back(index);
    if (gate.qubits.size() == 2) ++window_.two_qubit_gates;
  }

  void leave_out(Index index) {
    if (!has_left_out_) window_.anchor = index;
    has_left_out_ = true;
    for (const Qubit qubit : gates_[index].qubits) {
      const std::size_t local = local_of(qubit);
      if (local != window_.qubits.size()) is_open_[local] = false;
    }
  }

  [[nodiscard]] std::size_t local_of(Qubit qubit) const {
    return static_cast<std::size_t>(std::ranges::find(window_.qubits, qubit) -
                                    window_.qubits.begin());
  }

  const EditedGates& gates_;
  std::size_t most_;
  std::size_t most_qubits_;
  bool (*takes_angles_)(const Operation&);
  NarrowWindow window_;
  std::vector<Index> ahead_;  ///< next gate on each of the window's qubits
  std::vector<bool> is_open_;
  bool has_left_out_ = false;
};

}  // namespace

bool has_constant_angles(const Operation& operation) {
  return std::ranges::all_of(operation.angles,
                             [](const Angle& angle) { return angle.is_constant(); });
}

NarrowWindow grow_narrow_window(const EditedGates& gates, EditedGates::Index start,
                                std::size_t two_qubit_gates, std::size_t qubits,
                                bool (*takes_angles)(const Operation&)) {
  return Growth(gates, two_qubit_gates, qubits, takes_angles).run(start);
}

}  // namespace quartz::optimizer
