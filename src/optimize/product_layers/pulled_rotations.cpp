#include "optimize/product_layers/pulled_rotations.hpp"

#include <algorithm>

#include "optimize/pauli/pauli_gate.hpp"

namespace quartz::optimizer {
namespace {

/// Words of all rows together: half a gigabyte.
constexpr std::size_t kMaxWords = std::size_t{1} << 26U;

class Puller {
 public:
  explicit Puller(std::uint32_t qubits)
      : result_{PauliRows(qubits), qubits, {}, {}, {}, {}}, on_qubit_(qubits) {
    result_.frame.resize(2 * std::size_t{qubits} * result_.paulis.row_words());
    for (std::uint32_t qubit = 0; qubit < qubits; ++qubit) {
      result_.paulis.set_x(x_row(qubit), qubit);
      result_.paulis.set_z(z_row(qubit), qubit);
    }
  }

  /// Returns false for a gate of another kind.
  [[nodiscard]] bool append(const Operation& gate) {
    const PauliRows& paulis = result_.paulis;
    const Qubit first = gate.qubits[0];
    switch (gate.gate) {
      case GateKind::h:
        std::ranges::swap_ranges(x_row(first), z_row(first));
        append_clifford({CliffordKind::h, first});
        return true;
      case GateKind::x:
        add_phase(z_row(first), 2);
        append_clifford({CliffordKind::x, first});
        return true;
      case GateKind::cx:
        paulis.multiply(x_row(first), x_row(gate.qubits[1]));
        multiply_from_left(z_row(first), z_row(gate.qubits[1]));
        append_clifford({CliffordKind::cx, first, gate.qubits[1]});
        return true;
      case GateKind::rz:
        append_rotation(first, gate.angles[0]);
        return true;
      default:
        return false;
    }
  }

  [[nodiscard]] PulledRotations take() {
    for (std::size_t i = 0; i < gates_.size(); ++i) {
      if (!is_cancelled_[i]) result_.clifford.push_back(gates_[i]);
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] PauliRows::Row x_row(std::size_t qubit) { return row(2 * qubit); }
  [[nodiscard]] PauliRows::Row z_row(std::size_t qubit) { return row(2 * qubit + 1); }
  [[nodiscard]] PauliRows::Row row(std::size_t index) {
    const std::size_t words = result_.paulis.row_words();
    return std::span(result_.frame).subspan(index * words, words);
  }
  void add_phase(PauliRows::Row row, std::uint64_t phase) const {
    result_.paulis.phase(row) = (result_.paulis.phase(row) + phase) % 4;
  }
  /// Computes right := left * right, for operators that commute.
  void multiply_from_left(PauliRows::ConstRow left, PauliRows::Row right) const {
    result_.paulis.multiply(right, left);
  }
  void append_rotation(Qubit qubit, const Angle& angle) {
    const std::optional<unsigned> quarters = quarter_turns(angle);
    if (!quarters) {
      result_.axes.insert(result_.axes.end(), z_row(qubit).begin(), z_row(qubit).end());
      result_.angles.push_back(angle);
      return;
    }
    // A full turn changes the sign.
    result_.is_negated = result_.is_negated != (*quarters >= 4);
    if (*quarters % 4 == 0) return;
    // S^dagger X S = -Y = -i X Z.
    for (unsigned i = 0; i < *quarters % 4; ++i) {
      result_.paulis.multiply(x_row(qubit), z_row(qubit));
      add_phase(x_row(qubit), 3);
    }
    append_clifford({CliffordKind::s, qubit, 0, *quarters % 4});
  }

  /// Appends a gate, or cancels it with an equal one before it that is its own inverse. Without the
  /// rotations, most of the gates cancel.
  void append_clifford(const CliffordGate& gate) {
    std::vector<std::size_t>& on_first = on_qubit_[gate.first];
    const bool is_cx = gate.kind == CliffordKind::cx;
    if (gate.kind != CliffordKind::s && !on_first.empty() && gates_[on_first.back()] == gate &&
        (!is_cx || on_qubit_[gate.second].back() == on_first.back())) {
      is_cancelled_[on_first.back()] = true;
      on_first.pop_back();
      if (is_cx) on_qubit_[gate.second].pop_back();
      return;
    }
    on_first.push_back(gates_.size());
    if (is_cx) on_qubit_[gate.second].push_back(gates_.size());
    gates_.push_back(gate);
    is_cancelled_.push_back(false);
  }

  PulledRotations result_;
  std::vector<CliffordGate> gates_;
  std::vector<bool> is_cancelled_;
  std::vector<std::vector<std::size_t>> on_qubit_;  ///< gates that are not cancelled, in order
};

}  // namespace

std::optional<PulledRotations> pulled_rotations(std::span<const Operation> gates,
                                                std::uint32_t qubits) {
  if (qubits == 0) return std::nullopt;
  const auto rotations =
      static_cast<std::size_t>(std::ranges::count_if(gates, [](const auto& gate) {
        return gate.gate == GateKind::rz && !is_quarter_turns(gate.angles[0]);
      }));
  const std::size_t words = PauliRows(qubits).row_words();
  if (rotations + 2 * std::size_t{qubits} > kMaxWords / words) return std::nullopt;
  Puller puller(qubits);
  for (const Operation& gate : gates) {
    if (!puller.append(gate)) return std::nullopt;
  }
  return puller.take();
}

}  // namespace quartz::optimizer
