#include "optimize/cancellation/adjacent_inverses.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "optimize/state/segments.hpp"
#include "quartz/circuit/canonical.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/gate_weights.hpp"

namespace quartz::optimizer {
namespace {

using GatePlace = std::uint32_t;

/// Returns the qubits of a gate in an order that its symmetry makes the same for equal gates.
std::vector<Qubit> operands_of(const Operation& gate) {
  return sorted_operands(gate.gate, std::span(gate.qubits.data(), gate.qubits.size()));
}

/// A list of gates from which adjacent inverse gates are removed, from the start to the end.
class InverseReduction {
 public:
  InverseReduction(std::span<const Operation> gates, std::uint32_t qubits)
      : gates_(gates),
        used_(sparsely_used(gates, qubits)),
        on_qubit_(used_.empty() ? qubits : used_.size()),
        is_removed_(gates.size(), false),
        recorder_(gates.size()) {}

  [[nodiscard]] std::optional<circuit::DerivedGates> run() && {
    for (GatePlace place = 0; place < gates_.size(); ++place) {
      if (!cancel(place)) {
        for (const Qubit qubit : gates_[place].qubits) places_on(qubit).push_back(place);
      }
    }
    if (recorder_.is_empty()) return std::nullopt;
    std::vector<Operation> gates;
    circuit::NumberList order;
    for (GatePlace place = 0; place < gates_.size(); ++place) {
      if (is_removed_[place]) continue;
      gates.push_back(gates_[place]);
      order.push_back(place);
    }
    return circuit::DerivedGates{
        std::move(gates), phase_,
        circuit::Derivation::by(std::move(recorder_).finish(std::move(order)))};
  }

 private:
  /// Removes a gate and the one before it if they are inverse. Returns whether it did.
  bool cancel(GatePlace place) {
    const Operation& gate = gates_[place];
    if (is_black_box(gate) || gate.qubits.empty()) return false;
    const std::vector<GatePlace>& places = places_on(gate.qubits.front());
    if (places.empty()) return false;
    const GatePlace before = places.back();
    const Operation& other = gates_[before];
    if (is_black_box(other) || other.qubits.size() != gate.qubits.size()) return false;
    const bool is_adjacent = std::ranges::all_of(gate.qubits, [&](Qubit qubit) {
      return !places_on(qubit).empty() && places_on(qubit).back() == before;
    });
    const std::optional<Angle> phase = is_adjacent ? phase_of_inverses(other, gate) : std::nullopt;
    if (!phase) return false;
    phase_.add_phase(*phase);
    recorder_.rewrite(std::array{circuit::GateNumber{before}, circuit::GateNumber{place}}, {},
                      std::span<const circuit::RecordedGate>());
    is_removed_[before] = true;
    is_removed_[place] = true;
    for (const Qubit qubit : gate.qubits) places_on(qubit).pop_back();
    return true;
  }

  /// Returns the qubits of the gates in ascending order, if they are few of all: a circuit may have
  /// as many short lists of gates as it has qubits. Returns an empty list otherwise.
  [[nodiscard]] static std::vector<Qubit> sparsely_used(std::span<const Operation> gates,
                                                        std::uint32_t qubits) {
    std::vector<Qubit> used;
    if (gates.size() >= qubits / 8) return used;
    for (const Operation& gate : gates) {
      used.insert(used.end(), gate.qubits.begin(), gate.qubits.end());
    }
    std::ranges::sort(used);
    used.erase(std::unique(used.begin(), used.end()), used.end());
    return used;
  }
  [[nodiscard]] std::vector<GatePlace>& places_on(Qubit qubit) {
    if (used_.empty()) return on_qubit_[qubit];
    return on_qubit_[static_cast<std::size_t>(std::ranges::lower_bound(used_, qubit) -
                                              used_.begin())];
  }

  std::span<const Operation> gates_;
  std::vector<Qubit> used_;                       ///< as sparsely_used() returns
  std::vector<std::vector<GatePlace>> on_qubit_;  ///< places of the gates that are left
  std::vector<bool> is_removed_;
  circuit::HistoryRecorder recorder_;
  Angle phase_;
};

}  // namespace

std::optional<Angle> phase_of_inverses(const Operation& first, const Operation& second) {
  const Decomposition& pattern = gate(first.gate).inverse;
  if (pattern.operations.size() != 1 || pattern.operations.front().gate != second.gate) return {};
  Decomposition inverse = inverse_of(first);
  Operation& expected = inverse.operations.front();
  if (operands_of(expected) != operands_of(second)) return {};
  Operation found = second;
  Angle phase = normalize_angles(found);
  phase.add_phase(-normalize_angles(expected));
  if (found.angles != expected.angles) return {};
  phase.add_phase(-inverse.phase);
  return phase;
}

std::optional<circuit::DerivedGates> cancel_adjacent_inverses(std::span<const Operation> gates,
                                                              std::uint32_t qubits) {
  if (gates.size() < 2) return std::nullopt;
  return InverseReduction(gates, qubits).run();
}

}  // namespace quartz::optimizer
