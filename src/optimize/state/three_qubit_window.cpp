#include "optimize/state/three_qubit_window.hpp"

#include <algorithm>

namespace quartz::optimizer {
namespace {

constexpr std::size_t kMaxQubits = 3;

bool has_constant_unitary(const Operation& operation) {
  return !operation.is_boundary() && !operation.qubits.empty() && operation.qubits.size() <= 2 &&
         std::ranges::all_of(operation.angles,
                             [](const Angle& angle) { return angle.is_constant(); });
}

}  // namespace

class ThreeQubitWindows::Growth {
 public:
  Growth(const ThreeQubitWindows& windows, std::size_t two_qubit_gates)
      : gates_(windows.gates_), next_(windows.next_), most_(two_qubit_gates) {}

  [[nodiscard]] ThreeQubitWindow run(std::size_t start) && {
    window_.anchor = start;
    if (!has_constant_unitary(gates_[start])) return std::move(window_);
    for (const Qubit qubit : gates_[start].qubits) join(qubit);
    take(start);
    for (std::size_t place = next_place(); place < gates_.size(); place = next_place()) {
      visit(place);
    }
    if (!has_left_out_) window_.anchor = gates_.size();
    return std::move(window_);
  }

 private:
  void join(Qubit qubit) {
    window_.qubits.push_back(qubit);
    ahead_.push_back(gates_.size());
    is_open_.push_back(true);
  }

  /// Returns the index of the next gate on an open qubit, or the number of gates.
  [[nodiscard]] std::size_t next_place() const {
    std::size_t place = gates_.size();
    for (std::size_t local = 0; local < ahead_.size(); ++local) {
      if (is_open_[local]) place = std::min(place, ahead_[local]);
    }
    return place;
  }

  void visit(std::size_t place) {
    const Operation& gate = gates_[place];
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
        foreign == 0 || (!has_left_out_ && window_.qubits.size() + foreign <= kMaxQubits);
    const bool has_room = gate.qubits.size() == 1 || window_.two_qubit_gates < most_;
    if (!is_closed && may_join && has_room && has_constant_unitary(gate)) {
      for (const Qubit qubit : gate.qubits) {
        if (local_of(qubit) == window_.qubits.size()) join(qubit);
      }
      take(place);
    } else {
      leave_out(place);
    }
  }

  void take(std::size_t place) {
    const Operation& gate = gates_[place];
    for (std::size_t operand = 0; operand < gate.qubits.size(); ++operand) {
      ahead_[local_of(gate.qubits[operand])] = next_[place].at(operand);
    }
    window_.places.push_back(place);
    if (gate.qubits.size() == 2) ++window_.two_qubit_gates;
  }

  void leave_out(std::size_t place) {
    if (!has_left_out_) window_.anchor = place;
    has_left_out_ = true;
    for (const Qubit qubit : gates_[place].qubits) {
      const std::size_t local = local_of(qubit);
      if (local != window_.qubits.size()) is_open_[local] = false;
    }
  }

  [[nodiscard]] std::size_t local_of(Qubit qubit) const {
    return static_cast<std::size_t>(std::ranges::find(window_.qubits, qubit) -
                                    window_.qubits.begin());
  }

  std::span<const Operation> gates_;
  std::span<const std::array<std::uint32_t, 2>> next_;
  std::size_t most_;
  ThreeQubitWindow window_;
  std::vector<std::size_t> ahead_;  ///< next gate on each of the window's qubits
  std::vector<bool> is_open_;
  bool has_left_out_ = false;
};

ThreeQubitWindows::ThreeQubitWindows(std::span<const Operation> gates)
    : gates_(gates), next_(gates.size()) {
  std::vector<std::uint32_t> after;  // for each qubit, the gate that was seen last
  for (std::size_t i = gates.size(); i-- > 0;) {
    const auto& qubits = gates[i].qubits;
    for (std::size_t operand = 0; operand < qubits.size(); ++operand) {
      if (qubits[operand] >= after.size()) {
        after.resize(qubits[operand] + 1, static_cast<std::uint32_t>(gates.size()));
      }
      if (qubits.size() <= 2) next_[i].at(operand) = after[qubits[operand]];
      after[qubits[operand]] = static_cast<std::uint32_t>(i);
    }
  }
}

ThreeQubitWindow ThreeQubitWindows::grow(std::size_t start, std::size_t two_qubit_gates) const {
  return Growth(*this, two_qubit_gates).run(start);
}

}  // namespace quartz::optimizer
