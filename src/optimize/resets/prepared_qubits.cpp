#include "optimize/resets/prepared_qubits.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "circuit/exact_matrix.hpp"
#include "circuit/phased_gates.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

using circuit::ExactMatrix;
using circuit::ExactSum;

/// A Pauli eigenstate: each amplitude is 0 or e^{i angle} / sqrt(2)^k.
using State = std::array<ExactSum, 2>;

/// The known state of a qubit.
struct Prepared {
  State state;
  circuit::GateNumber reset = 0;  ///< number of the reset that it begins with
};

/// A gate that takes the place of another one, or none, and the phase between them.
struct Replacement {
  std::optional<Operation> gate;
  Angle phase;
};

/// Returns the state after a gate on the qubit, if it is a Pauli eigenstate again.
std::optional<State> applied(const ExactMatrix& gate, const State& state) {
  State result;
  for (unsigned row = 0; row < 2; ++row) {
    result[row] = gate.at(row, 0) * state[0] + gate.at(row, 1) * state[1];
    if (!result[row].is_zero() && !result[row].inverse()) return std::nullopt;
  }
  return result;
}

/// Inserts a bit into a number at a position.
unsigned with_bit(unsigned number, std::size_t position, unsigned bit) {
  const unsigned low = number & ((1U << position) - 1U);
  return low | bit << position | (number - low) << 1U;
}

/// Returns the unitary U of the other operands with G (state x I) = state x U, if there is one.
std::optional<ExactMatrix> restricted(const ExactMatrix& gate, unsigned operands,
                                      std::size_t operand, const State& state) {
  const unsigned others = operands - 1;
  ExactMatrix result(others);
  const unsigned pivot = state[0].is_zero() ? 1 : 0;
  const ExactSum inverse = state[pivot].inverse().value();
  for (unsigned column = 0; column < result.dimension(); ++column) {
    for (unsigned row = 0; row < result.dimension(); ++row) {
      State image;
      for (unsigned out = 0; out < 2; ++out) {
        for (unsigned in = 0; in < 2; ++in) {
          image[out] +=
              gate.at(with_bit(row, operand, out), with_bit(column, operand, in)) * state[in];
        }
      }
      const ExactSum entry = image[pivot] * inverse;
      if (!(image[1 - pivot] == entry * state[1 - pivot])) return std::nullopt;
      result.at(row, column) = entry;
    }
  }
  return result;
}

/// Returns the angles that a replacement of a gate may have: the first ones of the gate, also with
/// the other sign.
std::vector<AngleList> candidate_angles(const Gate& row, const Operation& replaced) {
  if (row.parameters.size() > replaced.angles.size()) return {};
  const auto end = replaced.angles.begin() + static_cast<std::ptrdiff_t>(row.parameters.size());
  std::vector<AngleList> result{AngleList(replaced.angles.begin(), end)};
  if (row.parameters.empty()) return result;
  AngleList negative;
  for (const Angle& angle : result[0]) negative.push_back(-angle);
  result.push_back(std::move(negative));
  return result;
}

/// Finds a gate with a unitary up to a phase. `qubits` are those of its operands; `replaced` is the
/// gate whose angles it may have.
std::optional<Replacement> find_gate_for(const ExactMatrix& unitary, std::span<const Qubit> qubits,
                                         const Operation& replaced, const GateSet* set) {
  const auto operands = static_cast<unsigned>(qubits.size());
  if (const auto phase = ExactMatrix(operands).phase_to(unitary)) return Replacement{{}, *phase};
  for (const Gate& row : gate_table()) {
    if (row.qubits != operands) continue;
    for (const AngleList& angles : candidate_angles(row, replaced)) {
      std::vector<Qubit> order(operands);
      for (unsigned i = 0; i < operands; ++i) order[i] = i;
      do {
        Operation own;
        own.gate = row.kind;
        own.angles = angles;
        own.qubits.assign(order.begin(), order.end());
        const auto phase = ExactMatrix::of(std::span(&own, 1), operands).phase_to(unitary);
        if (!phase) continue;
        for (Qubit& qubit : own.qubits) qubit = qubits[qubit];
        if (set == nullptr || set->contains(own)) return Replacement{std::move(own), *phase};
      } while (std::ranges::next_permutation(order).found);
    }
  }
  return std::nullopt;
}

/// Walks through a circuit from its start.
class PreparedQubits {
 public:
  PreparedQubits(const Circuit& circuit, const GateSet* set)
      : circuit_(circuit),
        set_(set),
        prepared_(circuit.qubit_count()),
        last_(circuit.qubit_count(), 0),
        recorder_(circuit.operations.size()) {}

  [[nodiscard]] SimplifiedGates run() {
    for (circuit::GateNumber i = 0; i < circuit_.operations.size(); ++i) {
      const Operation& operation = circuit_.operations[i];
      if (operation.is_boundary()) {
        pass(operation, i);
        keep(operation, i);
      } else {
        simplify(operation, i);
      }
    }
    circuit::Derivation derivation = circuit::Derivation::unchanged();
    if (!recorder_.is_empty()) {
      derivation = circuit::Derivation::by(std::move(recorder_).finish(order_));
    }
    return {{std::move(result_.gates), result_.phase, std::move(derivation)}, std::move(order_)};
  }

 private:
  void pass(const Operation& boundary, circuit::GateNumber number) {
    if (boundary.kind == OperationKind::reset && boundary.conditions().empty()) {
      prepared_[boundary.qubits[0]] = Prepared{{ExactSum::integer(1), ExactSum()}, number};
      return;
    }
    for (const Qubit qubit : boundary.qubits) prepared_[qubit].reset();
  }

  void keep(const Operation& operation, circuit::GateNumber number) {
    result_.gates.push_back(operation);
    order_.push_back(number);
    for (const Qubit qubit : operation.qubits) last_[qubit] = number + 1;
  }

  /// Adds a gate, simplified as far as possible.
  void simplify(const Operation& operation, circuit::GateNumber number) {
    std::optional<Operation> rest = operation;
    while (rest) {
      std::optional<std::pair<Replacement, Qubit>> found;
      try {
        found = find_replacement(*rest);
      } catch (const OverflowError&) {
        // The exact entries of some gates do not fit 64 bits: nothing is known then.
      }
      if (!found) break;
      auto& [replacement, qubit] = *found;
      number = replace(number, prepared_[qubit]->reset, replacement.gate);
      result_.phase.add_phase(replacement.phase);
      rest = std::move(replacement.gate);
    }
    if (!rest) return;
    update_states(*rest);
    keep(*rest, number);
  }

  /// Returns what a gate can be replaced by, and the prepared qubit that makes it possible.
  [[nodiscard]] std::optional<std::pair<Replacement, Qubit>> find_replacement(
      const Operation& operation) const {
    const auto operands = static_cast<unsigned>(operation.qubits.size());
    if (std::ranges::none_of(operation.qubits, [&](Qubit q) { return is_prepared(q); })) return {};
    Operation own = operation;
    for (unsigned i = 0; i < operands; ++i) own.qubits[i] = i;
    const ExactMatrix unitary = ExactMatrix::of(std::span(&own, 1), operands);
    for (unsigned i = 0; i < operands; ++i) {
      const Qubit qubit = operation.qubits[i];
      if (!is_prepared(qubit)) continue;
      const auto other = restricted(unitary, operands, i, prepared_[qubit]->state);
      if (!other) continue;
      std::vector<Qubit> others(operation.qubits.begin(), operation.qubits.end());
      others.erase(others.begin() + i);
      if (auto gate = find_gate_for(*other, others, operation, set_)) {
        return std::pair{*std::move(gate), qubit};
      }
    }
    return std::nullopt;
  }

  /// Records that a gate is removed and another one takes its place. Returns the other one's
  /// number.
  circuit::GateNumber replace(circuit::GateNumber removed, circuit::GateNumber reset,
                              const std::optional<Operation>& gate) {
    const circuit::GateNumber number = recorder_.next_number();
    std::vector<circuit::RecordedGate> inserted;
    std::vector<circuit::RecordedPlace> places;
    if (gate) {
      inserted.push_back(
          {recorder_.gates().code_of(*gate), {gate->qubits.begin(), gate->qubits.end()}});
      for (const Qubit qubit : gate->qubits) places.push_back({qubit, last_[qubit]});
    }
    recorder_.exchange({&removed, 1}, inserted, places, {&reset, 1});
    return number;
  }

  void update_states(const Operation& operation) {
    const Qubit first = operation.qubits[0];
    if (operation.qubits.size() == 1 && is_prepared(first)) {
      try {
        Operation own = operation;
        own.qubits[0] = 0;
        if (auto state = applied(ExactMatrix::of(std::span(&own, 1), 1), prepared_[first]->state)) {
          prepared_[first]->state = *std::move(state);
          return;
        }
      } catch (const OverflowError&) {
        // Some exact entry does not fit 64 bits: nothing is known then.
      }
    }
    for (const Qubit qubit : operation.qubits) prepared_[qubit].reset();
  }

  [[nodiscard]] bool is_prepared(Qubit qubit) const { return prepared_[qubit].has_value(); }

  const Circuit& circuit_;
  const GateSet* set_;
  std::vector<std::optional<Prepared>> prepared_;
  std::vector<circuit::GateNumber> last_;  ///< number of the last operation on each qubit, plus 1
  circuit::HistoryRecorder recorder_;
  circuit::PhasedGates result_;
  std::vector<circuit::GateNumber> order_;
};

}  // namespace

SimplifiedGates simplify_on_prepared_qubits(const Circuit& circuit, const GateSet* set) {
  return PreparedQubits(circuit, set).run();
}

}  // namespace quartz::optimizer
