#include "optimize/resets/unobserved_gates.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "optimize/resets/qubit_use.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

bool is_diagonal_on(const Gate& row, std::size_t operand) {
  return row.diagonal || std::ranges::all_of(row.matrix, [&](const MatrixEntry& entry) {
           return (((entry.row ^ entry.column) >> operand) & 1U) == 0;
         });
}

/// Walks through a circuit from its end.
class UnobservedGates {
 public:
  explicit UnobservedGates(const Circuit& circuit)
      : circuit_(circuit),
        uses_(circuit.qubit_count()),
        is_context_(circuit.operations.size(), false) {}

  /// Returns the indices of the gates without effect.
  [[nodiscard]] std::vector<circuit::GateNumber> find() {
    std::vector<circuit::GateNumber> found;
    for (std::size_t i = circuit_.operations.size(); i-- > 0;) {
      const Operation& operation = circuit_.operations[i];
      const auto index = static_cast<std::uint32_t>(i);
      if (operation.is_boundary()) {
        pass_backwards(operation, index, uses_);
      } else if (is_observed(operation)) {
        use(operation);
      } else {
        note_context(operation);
        found.push_back(index);
      }
    }
    std::ranges::reverse(found);
    return found;
  }

  /// Returns the resets on which it depends that these gates have no effect.
  [[nodiscard]] std::vector<circuit::GateNumber> context() const {
    std::vector<circuit::GateNumber> resets;
    for (std::uint32_t i = 0; i < is_context_.size(); ++i) {
      if (is_context_[i]) resets.push_back(i);
    }
    return resets;
  }

 private:
  [[nodiscard]] bool is_observed(const Operation& operation) const {
    const Gate& row = gate(operation.gate);
    for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
      const Use use = uses_[operation.qubits[i]].use;
      if (use == Use::any || (use == Use::controls && !is_diagonal_on(row, i))) return true;
    }
    return false;
  }

  void use(const Operation& operation) {
    const Gate& row = gate(operation.gate);
    for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
      Use& use = uses_[operation.qubits[i]].use;
      if (use != Use::any) use = is_diagonal_on(row, i) ? Use::controls : Use::any;
    }
  }

  void note_context(const Operation& operation) {
    for (const Qubit qubit : operation.qubits) is_context_[uses_[qubit].reset] = true;
  }

  const Circuit& circuit_;
  std::vector<QubitUse> uses_;
  std::vector<bool> is_context_;
};

}  // namespace

SimplifiedGates without_unobserved_gates(const Circuit& circuit) {
  UnobservedGates gates(circuit);
  const std::vector<circuit::GateNumber> removed = gates.find();
  SimplifiedGates result;
  auto next = removed.begin();
  for (circuit::GateNumber i = 0; i < circuit.operations.size(); ++i) {
    if (next != removed.end() && *next == i) {
      ++next;
      continue;
    }
    result.gates.gates.push_back(circuit.operations[i]);
    result.numbers.push_back(i);
  }
  if (!removed.empty()) {
    circuit::HistoryRecorder recorder(circuit.operations.size());
    recorder.exchange(removed, {}, {}, gates.context());
    result.gates.derivation = circuit::Derivation::by(std::move(recorder).finish(result.numbers));
  }
  return result;
}

}  // namespace quartz::optimizer
