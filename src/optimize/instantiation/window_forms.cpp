#include "optimize/instantiation/window_forms.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "optimize/instantiation/generic_template.hpp"
#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/resynthesis/one_qubit_rotation.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

/// Least ratio between the costs of a gate on two qubits and of a one-qubit gate: a deletion
/// replaces simple one-qubit gates by up to five gates on each of two or more wires.
constexpr std::uint64_t kLeastCostRatio = 30;

}  // namespace

TemplateChoice random_choice(const CircuitTemplate& circuit, std::size_t seed) {
  std::mt19937_64 random(seed);
  // The distributions of the standard library differ between implementations.
  const auto uniform = [&] { return static_cast<double>(random() >> 11U) * 0x1p-53; };
  TemplateChoice choice;
  for (std::size_t k = 0; k < circuit.one_qubit_gates(); ++k) {
    Eigen::Vector4d point;
    do {
      for (double& coordinate : point) coordinate = 2 * uniform() - 1;
    } while (point.squaredNorm() > 1 || point.squaredNorm() < 0.01);
    point.normalize();
    choice.one_qubit_gates.emplace_back(point[0], point[1], point[2], point[3]);
  }
  for (const TemplateGate& gate : circuit.gates) {
    choice.turns.push_back(gate.generator ? 3 * uniform() : 0);
  }
  return choice;
}

WindowForms::WindowForms(const GateSet& set, ScalarGateCost cost)
    : set_(set), cost_(std::move(cost)), synthesis_(set, cost_) {}

bool WindowForms::available() const {
  if (!synthesis_.one_qubit().universal()) return false;
  std::uint64_t one = 0;
  std::uint64_t two = kUnreachableCost;
  for (const GateSetEntry& entry : set_.entries) {
    const Gate& row = gate(entry.gate);
    if (row.qubits != 1 && row.qubits != 2) continue;
    Operation operation;
    operation.gate = entry.gate;
    for (Qubit qubit = 0; qubit < row.qubits; ++qubit) operation.qubits.push_back(qubit);
    operation.angles.resize(row.parameters.size());
    if (!entry.angles.empty()) operation.angles = entry.angles.front();
    const std::uint64_t cost = cost_(operation);
    if (row.qubits == 1) {
      one = std::max(one, cost);
    } else {
      two = std::min(two, cost);
    }
  }
  return two != kUnreachableCost && two > kLeastCostRatio * one;
}

std::optional<WindowForms::Generator> WindowForms::generator_of(const Operation& gate) const {
  const auto entry = std::ranges::find(set_.entries, gate.gate, &GateSetEntry::gate);
  if (gate.angles.size() != 1 || entry == set_.entries.end() || !entry->angles.empty()) {
    return std::nullopt;
  }
  const auto unitary = [&](std::int64_t tenths) {
    Operation moved = gate;
    moved.angles[0] = Angle::radians(Rational(tenths, 10));
    return two_qubit_unitary(std::span(&moved, 1), gate.qubits[0], gate.qubits[1]);
  };
  // With eigenvalues 0, r and -r, the part of exp(i d r G) that is odd in d is i sin(d r) G, and
  // the sine follows from the norms of this part and of its square, here for d = 1/5. For other
  // generators it comes out wrong, which the comparisons below find.
  const Eigen::Matrix4cd step = unitary(3) * unitary(1).adjoint();
  const Eigen::Matrix4cd odd = (step - step.adjoint()) * std::complex<double>(0, -0.5);
  const double norm = odd.norm();
  if (norm == 0) return std::nullopt;
  const double rate = std::asin(std::min((odd * odd).norm() / norm, 1.0)) / 0.2;
  if (!(rate > 0.01)) return std::nullopt;
  const Generator generator{odd / std::sin(0.2 * rate), rate};
  const TemplateGate start{unitary(1), {}, generator.matrix};
  constexpr double kAccuracy = 1e-13;
  for (const std::int64_t tenths : {3, 17, 40}) {
    const double turn = static_cast<double>(tenths) / 10 * rate;
    if ((turned(start, turn) - unitary(1 + tenths)).cwiseAbs().maxCoeff() > kAccuracy) {
      return std::nullopt;
    }
  }
  return generator;
}

WindowForm WindowForms::form_of(std::span<const Operation> gates, std::span<const Qubit> qubits,
                                std::span<const std::size_t> without) const {
  WindowForm form;
  form.circuit.qubits = static_cast<std::uint32_t>(qubits.size());
  form.choice.one_qubit_gates.assign(qubits.size(), Eigen::Quaterniond::Identity());
  std::vector<std::size_t> last(qubits.size());  // number of the one-qubit gate at the end
  for (std::size_t k = 0; k < qubits.size(); ++k) last[k] = k;
  const auto local_of = [&](Qubit qubit) {
    return static_cast<Qubit>(std::ranges::find(qubits, qubit) - qubits.begin());
  };
  std::size_t number = 0;
  for (const Operation& gate : gates) {
    if (gate.qubits.size() == 1) {
      Eigen::Quaterniond& turn = form.choice.one_qubit_gates[last[local_of(gate.qubits[0])]];
      turn = quaternion_of(one_qubit_unitary(std::span(&gate, 1))) * turn;
      continue;
    }
    if (std::ranges::count(without, number++) != 0) continue;
    TemplateGate placed{two_qubit_unitary(std::span(&gate, 1), gate.qubits[0], gate.qubits[1]),
                        {local_of(gate.qubits[0]), local_of(gate.qubits[1])}};
    const std::optional<Generator> generator = generator_of(gate);
    if (generator) placed.generator = generator->matrix;
    form.rates.push_back(generator ? generator->rate : 0);
    for (const Qubit qubit : placed.qubits) {
      last[qubit] = form.choice.one_qubit_gates.size();
      form.choice.one_qubit_gates.push_back(Eigen::Quaterniond::Identity());
    }
    form.choice.turns.push_back(0);
    form.two_qubit_gates.push_back(gate);
    form.circuit.gates.push_back(std::move(placed));
  }
  return form;
}

WindowForm WindowForms::generic_form(std::span<const Operation> gates,
                                     std::span<const Qubit> qubits) const {
  // The cheapest gate of each pair, with the most parameters among equally cheap ones.
  std::vector<Operation> cheapest;
  std::vector<Operation> all;
  for (const Operation& gate : gates) {
    if (gate.qubits.size() != 2) continue;
    all.push_back(gate);
    const auto same = std::ranges::find_if(cheapest, [&](const Operation& other) {
      return std::ranges::is_permutation(gate.qubits, other.qubits);
    });
    if (same == cheapest.end()) {
      cheapest.push_back(gate);
    } else if (cost_(gate) < cost_(*same)) {
      *same = gate;
    }
  }
  const WindowForm kinds = form_of(cheapest, qubits, {});
  std::vector<Operation> generic;
  for (const std::size_t kind :
       generic_sequence(static_cast<std::uint32_t>(qubits.size()), kinds.circuit.gates)) {
    generic.push_back(cheapest[kind]);
  }
  if (sum_of_costs(generic, cost_) >= sum_of_costs(all, cost_)) return {};
  return form_of(generic, qubits, {});
}

std::optional<std::vector<Operation>> WindowForms::written_turn(const WindowForm& form,
                                                                std::size_t number,
                                                                double turn) const {
  const TemplateGate& gate = form.circuit.gates[number];
  Operation operation = form.two_qubit_gates[number];
  if (!gate.generator) return std::vector{std::move(operation)};
  const double angle = operation.angles[0].value() + turn / form.rates[number];
  operation.angles[0] = nearest_angle(angle);
  if (set_.contains(operation)) return std::vector{std::move(operation)};
  // The angle is out of the gate's range.
  auto found = synthesis_.synthesize(turned(gate, turn));
  if (!found) return std::nullopt;
  for (Operation& each : found->gates) {
    for (Qubit& qubit : each.qubits) qubit = operation.qubits[qubit];
  }
  return std::move(found->gates);
}

std::optional<std::vector<Operation>> WindowForms::written(const WindowForm& form,
                                                           const TemplateChoice& choice,
                                                           std::span<const Qubit> qubits) const {
  std::vector<Operation> gates;
  std::size_t number = 0;
  const auto turn = [&](Qubit qubit) {
    const auto plan = synthesis_.one_qubit().plan(choice.one_qubit_gates[number++]);
    if (!plan) return false;
    for (Operation& operation : synthesis_.one_qubit().write(*plan)) {
      operation.qubits[0] = qubits[qubit];
      gates.push_back(std::move(operation));
    }
    return true;
  };
  for (Qubit qubit = 0; qubit < form.circuit.qubits; ++qubit) {
    if (!turn(qubit)) return std::nullopt;
  }
  for (std::size_t k = 0; k < form.circuit.gates.size(); ++k) {
    const TemplateGate& gate = form.circuit.gates[k];
    std::optional<std::vector<Operation>> turned = written_turn(form, k, choice.turns[k]);
    if (!turned) return std::nullopt;
    gates.insert(gates.end(), turned->begin(), turned->end());
    if (!turn(gate.qubits[0]) || !turn(gate.qubits[1])) return std::nullopt;
  }
  return gates;
}

}  // namespace quartz::optimizer
