#include "optimize/state/three_qubit_window.hpp"

#include <algorithm>

namespace quartz::optimizer {
namespace {

constexpr std::size_t kMaxQubits = 3;
/// Number of gates of the list that are looked at: a window whose last qubits are free for longer
/// is ended.
constexpr std::size_t kMaxDistance = 20'000;

bool has_constant_unitary(const Operation& operation) {
  return !operation.is_boundary() && !operation.qubits.empty() && operation.qubits.size() <= 2 &&
         std::ranges::all_of(operation.angles,
                             [](const Angle& angle) { return angle.is_constant(); });
}

class WindowGrowth {
 public:
  WindowGrowth(std::span<const Operation> gates, std::size_t two_qubit_gates)
      : gates_(gates), most_(two_qubit_gates) {}

  [[nodiscard]] ThreeQubitWindow run(std::size_t start) && {
    for (const Qubit qubit : gates_[start].qubits) join(qubit);
    const std::size_t end = std::min(gates_.size(), start + kMaxDistance);
    std::size_t i = start;
    for (; i < end && open_ != 0; ++i) visit(i);
    if (!has_left_out_) window_.anchor = i;
    return std::move(window_);
  }

 private:
  void join(Qubit qubit) {
    window_.qubits.push_back(qubit);
    is_open_.push_back(true);
    ++open_;
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
    if (own == 0) return;
    const std::size_t foreign = gate.qubits.size() - own;
    const bool may_join =
        foreign == 0 || (!has_left_out_ && window_.qubits.size() + foreign <= kMaxQubits);
    const bool has_room = gate.qubits.size() == 1 || window_.two_qubit_gates < most_;
    if (!is_closed && may_join && has_room && has_constant_unitary(gate)) {
      take(place);
    } else {
      leave_out(place);
    }
  }

  void take(std::size_t place) {
    for (const Qubit qubit : gates_[place].qubits) {
      if (local_of(qubit) == window_.qubits.size()) join(qubit);
    }
    window_.places.push_back(place);
    if (gates_[place].qubits.size() == 2) ++window_.two_qubit_gates;
  }

  void leave_out(std::size_t place) {
    if (!has_left_out_) window_.anchor = place;
    has_left_out_ = true;
    for (const Qubit qubit : gates_[place].qubits) {
      const std::size_t local = local_of(qubit);
      if (local == window_.qubits.size() || !is_open_[local]) continue;
      is_open_[local] = false;
      --open_;
    }
  }

  [[nodiscard]] std::size_t local_of(Qubit qubit) const {
    return static_cast<std::size_t>(std::ranges::find(window_.qubits, qubit) -
                                    window_.qubits.begin());
  }

  std::span<const Operation> gates_;
  std::size_t most_;
  ThreeQubitWindow window_;
  std::vector<bool> is_open_;
  std::size_t open_ = 0;  ///< number of qubits that are open
  bool has_left_out_ = false;
};

}  // namespace

ThreeQubitWindow grow_three_qubit_window(std::span<const Operation> gates, std::size_t start,
                                         std::size_t two_qubit_gates) {
  return WindowGrowth(gates, two_qubit_gates).run(start);
}

}  // namespace quartz::optimizer
