#include "optimize/resets/unobserved_rotations.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "optimize/pauli/clifford_frame.hpp"
#include "optimize/pauli/pauli_action.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/pauli/pauli_rows.hpp"
#include "optimize/resets/qubit_use.hpp"

namespace quartz::optimizer {
namespace {

/// Circuits with more gates, or more operators of rotations and other gates, are left unchanged:
/// this takes 0.1 s.
constexpr std::size_t kMaxGates = 20'000;
constexpr std::size_t kMaxOperators = 6'000;
/// The same holds for more qubits: the frame takes 4 n^2 bits, 8 MB for this many.
constexpr std::uint32_t kMaxQubitsOfFrame = 4096;

using Row = std::vector<std::uint64_t>;

Row copy_of(PauliRows::ConstRow row) { return {row.begin(), row.end()}; }

/// A gate that is no Clifford gate, with the operators that everything which moves past it must
/// commute with, pulled back to the start.
struct Obstacle {
  circuit::GateNumber gate = 0;
  std::vector<Row> operators;  ///< the axis of a rotation, or X and Z of each operand
  std::optional<PauliRotation> rotation;
};

/// A rotation that is removed, as gates at the end.
struct Removal {
  circuit::GateNumber gate = 0;
  Angle phase;  ///< global phase between the gate and the rotation that it is
  std::vector<Operation> at_end;
};

class UnobservedRotations {
 public:
  explicit UnobservedRotations(const Circuit& circuit)
      : circuit_(circuit),
        uses_(circuit.qubit_count()),
        paulis_(circuit.qubit_count()),
        frame_(paulis_, circuit.qubit_count()) {}

  /// Returns the rotations without effect in program order.
  [[nodiscard]] std::vector<Removal> find() {
    find_last_gates();
    const bool is_seen =
        std::ranges::all_of(uses_, [](const QubitUse& qubit) { return qubit.use == Use::any; });
    if (is_seen || last_gates_.size() > kMaxGates || !pull_back_gates()) return {};
    read_frame();
    observe_ends();
    std::vector<Removal> found;
    for (std::size_t i = obstacles_.size(); i-- > 0;) {
      std::optional<Removal> removal = removal_of(obstacles_[i]);
      if (removal) {
        found.push_back(*std::move(removal));
      } else {
        observe(obstacles_[i]);
      }
    }
    std::ranges::reverse(found);
    return found;
  }

  /// Finds the last operation before the end of each qubit, without these rotations.
  void list_ends(std::span<const Removal> removals) {
    ends_.assign(circuit_.qubit_count(), 0);
    auto removed = removals.begin();
    auto final = final_operations_.rbegin();
    for (circuit::GateNumber i = 0; i < circuit_.operations.size(); ++i) {
      if (removed != removals.end() && removed->gate == i) {
        ++removed;
      } else if (final != final_operations_.rend() && *final == i) {
        ++final;
      } else {
        for (const Qubit qubit : circuit_.operations[i].qubits) ends_[qubit] = i + 1;
      }
    }
  }
  /// Returns the number of the last operation before the end of a qubit plus 1, or 0.
  [[nodiscard]] circuit::GateNumber& end_of(Qubit qubit) { return ends_[qubit]; }
  [[nodiscard]] circuit::GateNumber reset_of(Qubit qubit) const { return uses_[qubit].reset; }

 private:
  /// Lists the gates with only final operations behind them, and what happens to their qubits.
  void find_last_gates() {
    std::vector<bool> has_gates(circuit_.qubit_count(), false);
    for (std::size_t i = circuit_.operations.size(); i-- > 0;) {
      const Operation& operation = circuit_.operations[i];
      const auto index = static_cast<circuit::GateNumber>(i);
      if (!operation.is_boundary()) {
        last_gates_.push_back(index);
        for (const Qubit qubit : operation.qubits) has_gates[qubit] = true;
        continue;
      }
      const bool is_before_gates =
          std::ranges::any_of(operation.qubits, [&](Qubit qubit) { return has_gates[qubit]; });
      if (is_before_gates || !is_final(operation)) break;
      final_operations_.push_back(index);
      pass_backwards(operation, index, uses_);
    }
    std::ranges::reverse(last_gates_);
  }
  [[nodiscard]] static bool is_final(const Operation& boundary) {
    if (!boundary.conditions().empty()) return false;
    return boundary.kind == OperationKind::measure || boundary.kind == OperationKind::reset ||
           boundary.kind == OperationKind::barrier;
  }

  /// Returns false if there are too many operators.
  [[nodiscard]] bool pull_back_gates() {
    std::size_t operators = 0;
    for (const circuit::GateNumber index : last_gates_) {
      const Operation& gate = circuit_.operations[index];
      const std::span<const Qubit> qubits(gate.qubits.data(), gate.qubits.size());
      if (const std::optional<PauliAction>& action = action_of(gate)) {
        frame_.append(*action, qubits);
        continue;
      }
      Obstacle obstacle{index, {}, as_pauli_rotation(gate)};
      if (obstacle.rotation) {
        obstacle.operators.push_back(copy_of(frame_.pull_back(obstacle.rotation->axis, qubits)));
      } else {
        add_operators(qubits, obstacle.operators);
      }
      operators += obstacle.operators.size();
      if (operators > kMaxOperators) return false;
      obstacles_.push_back(std::move(obstacle));
    }
    return true;
  }
  /// Returns the action of a Clifford gate.
  [[nodiscard]] const std::optional<PauliAction>& action_of(const Operation& gate) {
    const auto [entry, is_new] = actions_.try_emplace(key_of_quarter_turns(gate));
    if (is_new) {
      if (const std::optional<CliffordAction> action = as_clifford(gate)) {
        entry->second = pulled_back_action(*action);
      }
    }
    return entry->second;
  }
  /// Adds X and Z of qubits.
  void add_operators(std::span<const Qubit> qubits, std::vector<Row>& operators) {
    for (std::size_t i = 0; i < qubits.size(); ++i) {
      operators.push_back(copy_of(frame_.pull_back({1, 0, 0}, qubits.subspan(i, 1))));
      operators.push_back(copy_of(frame_.pull_back({0, 1, 0}, qubits.subspan(i, 1))));
    }
  }

  /// Reads C^dagger X C and C^dagger Z C of each qubit.
  void read_frame() {
    for (Qubit qubit = 0; qubit < circuit_.qubit_count(); ++qubit) {
      add_operators(std::span(&qubit, 1), rows_);
    }
  }
  void observe_ends() {
    for (Qubit qubit = 0; qubit < circuit_.qubit_count(); ++qubit) {
      if (uses_[qubit].use == Use::discarded) continue;
      observed_.push_back(&rows_[2 * std::size_t{qubit} + 1]);
      if (uses_[qubit].use == Use::any) observed_.push_back(&rows_[2 * std::size_t{qubit}]);
    }
  }
  void observe(const Obstacle& obstacle) {
    for (const Row& row : obstacle.operators) observed_.push_back(&row);
  }

  [[nodiscard]] std::optional<Removal> removal_of(const Obstacle& obstacle) const {
    if (!obstacle.rotation) return std::nullopt;
    const Row& axis = obstacle.operators[0];
    const bool is_observed = std::ranges::any_of(
        observed_, [&](const Row* row) { return paulis_.anticommute(axis, *row); });
    if (is_observed) return std::nullopt;
    std::vector<Operation> gates = gates_at_end(axis, obstacle.rotation->angle);
    if (gates.empty()) return std::nullopt;
    return Removal{obstacle.gate, obstacle.rotation->phase, std::move(gates)};
  }

  /// Returns a rotation about an operator, given at the start, as gates at the end; no gates if
  /// they could not be removed there.
  [[nodiscard]] std::vector<Operation> gates_at_end(const Row& axis, const Angle& angle) const {
    std::vector<Operation> basis;
    std::vector<Qubit> discarded;
    std::vector<Qubit> measured;
    // At the end, the operator is a product of X and Z of those qubits whose Z and X it does not
    // commute with.
    Row product(paulis_.row_words(), 0);
    unsigned ys = 0;
    for (Qubit qubit = 0; qubit < circuit_.qubit_count(); ++qubit) {
      const Row& x_row = rows_[2 * std::size_t{qubit}];
      const Row& z_row = rows_[2 * std::size_t{qubit} + 1];
      const bool has_x = paulis_.anticommute(axis, z_row);
      const bool has_z = paulis_.anticommute(axis, x_row);
      if (!has_x && !has_z) continue;
      if (has_x) paulis_.multiply(product, x_row);
      if (has_z) paulis_.multiply(product, z_row);
      ys += has_x && has_z ? 1 : 0;
      (uses_[qubit].use == Use::discarded ? discarded : measured).push_back(qubit);
      if (has_x && has_z) basis.push_back(make_operation(GateKind::sdg, {qubit}));
      if (has_x) basis.push_back(make_operation(GateKind::h, {qubit}));
    }
    // Y = i X Z, and S^dagger Y S is X.
    const bool is_negative = (paulis_.phase(PauliRows::ConstRow(product)) + ys) % 4 !=
                             paulis_.phase(PauliRows::ConstRow(axis)) % 4;
    return conjugated(std::move(basis), discarded, measured, is_negative ? -angle : angle);
  }
  /// Returns a rotation about the product of Z of some qubits between the gates of a basis change.
  [[nodiscard]] static std::vector<Operation> conjugated(std::vector<Operation> basis,
                                                         const std::vector<Qubit>& discarded,
                                                         const std::vector<Qubit>& measured,
                                                         const Angle& angle) {
    if (discarded.empty()) {
      if (measured.size() == 1) return {make_operation(GateKind::rz, {measured[0]}, {angle})};
      if (measured.size() == 2) {
        return {make_operation(GateKind::rzz, {measured[0], measured[1]}, {angle})};
      }
      return {};
    }
    const Qubit target = discarded.back();
    for (const Qubit qubit : measured)
      basis.push_back(make_operation(GateKind::cx, {qubit, target}));
    for (const Qubit qubit : discarded) {
      if (qubit != target) basis.push_back(make_operation(GateKind::cx, {qubit, target}));
    }
    std::vector<Operation> gates = basis;
    gates.push_back(make_operation(GateKind::rz, {target}, {angle}));
    for (auto gate = basis.rbegin(); gate != basis.rend(); ++gate) {
      gates.push_back(*gate);
      if (gate->gate == GateKind::sdg) gates.back().gate = GateKind::s;
    }
    return gates;
  }

  const Circuit& circuit_;
  std::vector<QubitUse> uses_;
  std::vector<circuit::GateNumber> last_gates_;
  std::vector<circuit::GateNumber> final_operations_;  ///< descending
  std::vector<circuit::GateNumber> ends_;
  PauliRows paulis_;
  CliffordFrame frame_;
  std::unordered_map<std::uint64_t, std::optional<PauliAction>> actions_;
  std::vector<Obstacle> obstacles_;
  std::vector<Row> rows_;  ///< X and Z of each qubit behind all gates, pulled back
  std::vector<const Row*> observed_;
};

/// Records that rotations move to the end, and are removed there. `order` are the other operations.
circuit::HistoryPointer history_of(const Circuit& circuit, UnobservedRotations& rotations,
                                   const std::vector<Removal>& removals,
                                   std::vector<circuit::GateNumber> order) {
  circuit::HistoryRecorder recorder(circuit.operations.size());
  std::vector<circuit::GateNumber> moved;
  std::vector<circuit::RecordedGate> inserted;
  std::vector<circuit::RecordedPlace> places;
  std::vector<circuit::GateNumber> at_end;
  std::set<circuit::GateNumber> context;
  for (const Removal& removal : removals) {
    moved.push_back(removal.gate);
    for (const Operation& gate : removal.at_end) {
      at_end.push_back(recorder.next_number() + static_cast<circuit::GateNumber>(at_end.size()));
      inserted.push_back(
          {recorder.gates().code_of(gate), {gate.qubits.begin(), gate.qubits.end()}});
      for (const Qubit qubit : gate.qubits) {
        places.push_back({qubit, rotations.end_of(qubit)});
        rotations.end_of(qubit) = at_end.back() + 1;
        context.insert(rotations.reset_of(qubit));
      }
    }
  }
  recorder.exchange(moved, inserted, places);
  recorder.exchange(at_end, {}, {}, std::vector(context.begin(), context.end()));
  return std::move(recorder).finish(std::move(order));
}

}  // namespace

SimplifiedGates without_unobserved_rotations(const Circuit& circuit) {
  std::optional<UnobservedRotations> rotations;
  std::vector<Removal> removals;
  if (circuit.qubit_count() <= kMaxQubitsOfFrame) removals = rotations.emplace(circuit).find();
  SimplifiedGates result;
  auto next = removals.begin();
  for (circuit::GateNumber i = 0; i < circuit.operations.size(); ++i) {
    if (next != removals.end() && next->gate == i) {
      result.gates.phase.add_phase(next->phase);
      ++next;
      continue;
    }
    result.gates.gates.push_back(circuit.operations[i]);
    result.numbers.push_back(i);
  }
  if (!removals.empty()) {
    rotations->list_ends(removals);
    result.gates.derivation =
        circuit::Derivation::by(history_of(circuit, *rotations, removals, result.numbers));
  }
  return result;
}

}  // namespace quartz::optimizer
