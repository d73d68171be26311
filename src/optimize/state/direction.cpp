#include "optimize/state/direction.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "circuit/exact_matrix.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/optimize/optimize.hpp"

namespace quartz {
namespace {

/// Decompositions are followed to this depth: cry is made of crx, this of crz, and this of rzz.
constexpr int kMaxDecompositions = 6;

Operation exchanged(Operation operation) {
  for (Qubit& qubit : operation.qubits) qubit = 1 - qubit;
  return operation;
}

/// Returns for each angle of a gate on two qubits the one that takes its place when its qubits are
/// exchanged, or nothing if no order of its angles makes both gates equal.
std::optional<std::vector<unsigned>> exchanged_angles(GateKind kind) {
  const Gate& row = gate(kind);
  Operation own = on_own_operands(row);
  for (const std::string_view name : row.parameters) {
    own.angles.push_back(Angle::symbol(std::string(name)));
  }
  const auto unitary = circuit::ExactMatrix::of(std::span(&own, 1), 2);
  Operation turned = exchanged(own);
  std::vector<unsigned> order(own.angles.size());
  std::iota(order.begin(), order.end(), 0U);
  do {
    for (std::size_t i = 0; i < order.size(); ++i) turned.angles[i] = own.angles[order[i]];
    if (circuit::ExactMatrix::of(std::span(&turned, 1), 2) == unitary) return order;
  } while (std::ranges::next_permutation(order).found);
  return std::nullopt;
}

bool is_symmetric(const Operation& operation) { return !has_direction(operation.gate); }

/// Appends what is left of a gate on two qubits when decompositions into one such gate and gates on
/// one qubit are followed up to a symmetric gate: the gate equals the result up to a phase, which
/// is the same for the gate on exchanged qubits.
bool append_around_symmetric(const Operation& operation, int depth,
                             std::vector<Operation>& result) {
  if (is_symmetric(operation)) {
    result.push_back(operation);
    return true;
  }
  if (depth == 0) return false;
  for (const Decomposition& pattern : gate(operation.gate).decompositions) {
    const auto on_two = [](const Operation& step) { return step.qubits.size() == 2; };
    if (!pattern.when.empty() || std::ranges::count_if(pattern.operations, on_two) != 1) continue;
    const std::size_t start = result.size();
    bool is_found = true;
    for (const Operation& step : instantiate(pattern, operation).operations) {
      if (!on_two(step)) {
        result.push_back(step);
      } else {
        is_found = is_found && append_around_symmetric(step, depth - 1, result);
      }
    }
    if (is_found) return true;
    result.resize(start);
  }
  return false;
}

void append_inverse(Circuit& circuit, std::span<const Operation> operations) {
  for (const Operation& operation : operations | std::views::reverse) {
    const Decomposition inverse = inverse_of(exchanged(operation));
    circuit.operations.insert(circuit.operations.end(), inverse.operations.begin(),
                              inverse.operations.end());
    circuit.global_phase.add_phase(inverse.phase);
  }
}

/// Returns ecr with fewer gates around it than the decomposition of its row yields.
Circuit reversed_ecr() {
  using enum GateKind;
  Circuit circuit = make_circuit(
      2, {make_operation(s, {0}), make_operation(sx, {0}), make_operation(sdg, {0}),
          make_operation(sdg, {1}), make_operation(sx, {1}), make_operation(s, {1}),
          make_operation(ecr, {1, 0}), make_operation(h, {0}), make_operation(h, {1})});
  circuit.global_phase = Angle::pi_times(Rational(-1, 2));
  return circuit;
}

/// Returns a gate on qubits 0 and 1 as a circuit with the gate on 1 and 0, or nothing if no such
/// circuit is known. If A, S, B is the gate on 0 and 1 with a symmetric S, and A', S, B' the one on
/// 1 and 0, then the first is A, A'^-1, the second, B'^-1, B.
std::optional<Circuit> reversed_gate(const Operation& given,
                                     const std::optional<std::vector<unsigned>>& order) {
  const Operation turned = exchanged(given);
  if (order) {
    Operation equal = turned;
    for (std::size_t i = 0; i < order->size(); ++i) equal.angles[i] = given.angles[(*order)[i]];
    return make_circuit(2, {equal});
  }
  if (given.gate == GateKind::ecr) return reversed_ecr();
  std::vector<Operation> parts;
  if (!append_around_symmetric(given, kMaxDecompositions, parts)) return std::nullopt;
  const auto symmetric =
      std::ranges::find_if(parts, [](const Operation& step) { return step.qubits.size() == 2; });
  const auto place = static_cast<std::size_t>(symmetric - parts.begin());
  const std::span<const Operation> all = parts;
  const std::span<const Operation> before = all.first(place);
  const std::span<const Operation> after = all.subspan(place + 1);
  Circuit result = make_circuit(2, {before.begin(), before.end()});
  append_inverse(result, before);
  result.operations.push_back(turned);
  append_inverse(result, after);
  result.operations.insert(result.operations.end(), after.begin(), after.end());
  return result;
}

}  // namespace

bool optimizer::Directions::is_against(const Operation& operation) const {
  return operation.kind == OperationKind::gate && operation.qubits.size() == 2 &&
         !map_.allows(operation.qubits[0], operation.qubits[1]) &&
         map_.allows(operation.qubits[1], operation.qubits[0]);
}

std::optional<Circuit> optimizer::Directions::reversed(const Operation& gate) {
  if (!set_.contains(gate)) return std::nullopt;
  try {
    const auto [order, is_new] = angle_orders_.try_emplace(gate.gate);
    if (is_new) order->second = exchanged_angles(gate.gate);
    std::optional<Circuit> result = reversed_gate(gate, order->second);
    if (!result) return std::nullopt;
    result = translate(*result, set_);
    const bool is_turned = std::ranges::none_of(result->operations, [](const Operation& step) {
      return step.qubits.size() == 2 && has_direction(step.gate) && step.qubits[0] == 0;
    });
    if (is_turned) return result;
  } catch (const InputError&) {
    // The set lacks a required gate.
  } catch (const OverflowError&) {
    // The angles of the gates around it do not fit into 64 bits.
  }
  return std::nullopt;
}

std::optional<Circuit> optimizer::Directions::remembered(const Operation& operation) {
  const Operation gate = make_operation(operation.gate, {0, 1}, operation.angles);
  if (!gate.angles.empty()) return reversed(gate);
  const auto [found, added] = reversed_.try_emplace(gate.gate);
  if (added) found->second = reversed(gate);
  return found->second;
}

circuit::DerivedGates optimizer::Directions::fix_gate_directions(
    std::span<const Operation> operations) {
  std::vector<Operation> result;
  result.reserve(operations.size());
  Angle phase;
  circuit::GateByGateHistory history(operations.size());
  for (const Operation& operation : operations) {
    const std::optional<Circuit> turned =
        is_against(operation) ? remembered(operation) : std::nullopt;
    if (!turned) {
      result.push_back(operation);
      history.keep();
      continue;
    }
    const std::size_t first = result.size();
    for (Operation step : turned->operations) {
      for (Qubit& qubit : step.qubits) qubit = operation.qubits[qubit];
      step.classical = operation.classical;
      result.push_back(std::move(step));
    }
    if (operation.classical == nullptr) phase.add_phase(turned->global_phase);
    history.replace(std::span(result).subspan(first));
  }
  return {std::move(result), phase, circuit::Derivation::by(std::move(history).finish())};
}

circuit::DerivedCircuit optimizer::Directions::fix_gate_directions(const Circuit& circuit) {
  circuit::DerivedGates turned = fix_gate_directions(circuit.operations);
  Circuit result = without_operations(circuit);
  result.operations = std::move(turned.gates);
  result.global_phase.add_phase(turned.phase);
  return {std::move(result), std::move(turned.derivation)};
}

Circuit fix_gate_directions(const Circuit& circuit, const GateSet& set, const CouplingMap& map) {
  return optimizer::Directions(set, map).fix_gate_directions(circuit).circuit;
}

}  // namespace quartz
