#include "optimize/resynthesis/one_qubit_chains.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "circuit/custom_gates/per_gate.hpp"
#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/circuit/unitary.hpp"

namespace quartz::optimizer {
namespace {

using Eigen::Matrix2cd;
using Eigen::MatrixXcd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

/// Maximum number of gates that a rotation may pass; it bounds the time for a run.
constexpr std::size_t kReach = 8;

/// A rotation about one axis before a gate equals the rotation by the same angle about another axis
/// after it.
struct Passage {
  Axis before{};
  Vector3d after;
};

/// Returns the Pauli operator on one operand of a gate.
MatrixXcd pauli_on(Axis axis, std::size_t operand, unsigned dimension) {
  // A rotation by pi is -i times the Pauli operator.
  const Matrix2cd pauli = Complex(0, 1) * matrix_of(rotation_about(axis, std::numbers::pi));
  MatrixXcd result = MatrixXcd::Zero(dimension, dimension);
  const unsigned bit = 1U << operand;
  for (unsigned column = 0; column < dimension; ++column) {
    const Eigen::Index from = (column & bit) != 0 ? 1 : 0;
    result(column & ~bit, column) = pauli(0, from);
    result(column | bit, column) = pauli(1, from);
  }
  return result;
}

/// Returns the axis whose rotations pass a gate with these values of its parameters.
std::optional<Passage> passage_of(const Gate& row, std::size_t operand, double parameter) {
  Operation operation;
  operation.gate = row.kind;
  Bindings bindings;
  for (const std::string_view name : row.parameters) {
    operation.angles.push_back(Angle::symbol(std::string(name)));
    bindings.emplace(name, parameter);
    parameter = 1.7 * parameter;
  }
  const std::vector<Complex> entries = unitary_of(operation, bindings);
  const Eigen::Index dimension = row.dimension();
  MatrixXcd unitary(dimension, dimension);
  for (Eigen::Index i = 0; i < dimension * dimension; ++i) {
    unitary(i / dimension, i % dimension) = entries[static_cast<std::size_t>(i)];
  }
  for (const Axis before : {Axis::z, Axis::x, Axis::y}) {
    const MatrixXcd image =
        unitary * pauli_on(before, operand, row.dimension()) * unitary.adjoint();
    for (const Axis after : {Axis::z, Axis::x, Axis::y}) {
      const MatrixXcd expected = pauli_on(after, operand, row.dimension());
      for (const double sign : {1.0, -1.0}) {
        if ((image - sign * expected).cwiseAbs().maxCoeff() < 1e-9) {
          return Passage{before, sign * unit_vector(after)};
        }
      }
    }
  }
  return std::nullopt;
}

/// Returns the passages of a gate by operand, as far as they hold for all its angles.
std::vector<std::optional<Passage>> passages_of(const Gate& row) {
  std::vector<std::optional<Passage>> passages(row.qubits);
  for (std::size_t k = 0; k < row.qubits; ++k) {
    const auto first = passage_of(row, k, 0.7);
    const auto second = passage_of(row, k, 1.9);
    if (first && second && first->before == second->before && first->after == second->after) {
      passages[k] = first;
    }
  }
  return passages;
}

const std::optional<Passage>& passage(GateKind kind, std::size_t operand) {
  static circuit::PerGate<std::vector<std::optional<Passage>>> table(passages_of);
  return table.of(kind)[operand];
}

bool is_numeric_one_qubit_gate(const Operation& operation) {
  return !operation.is_boundary() && operation.qubits.size() == 1 && has_numeric_angles(operation);
}

/// Adjacent one-qubit gates, and the gate after them on the wire.
struct Run {
  std::vector<std::size_t> places;
  std::size_t end = 0;             ///< index of the gate before which the run ends
  std::optional<Passage> passage;  ///< passage of the gate at `end`; none in the last run
};
struct Chain {
  Qubit qubit = 0;
  std::vector<Run> runs;
};

std::vector<Chain> chains_of(std::span<const Operation> gates, std::uint32_t qubits) {
  std::vector<Chain> chains;
  std::vector<Chain> open(qubits);
  for (Qubit qubit = 0; qubit < qubits; ++qubit) open[qubit] = {qubit, {Run{}}};
  const auto close = [&](Qubit qubit, std::size_t end) {
    open[qubit].runs.back().end = end;
    chains.push_back(std::move(open[qubit]));
    open[qubit] = {qubit, {Run{}}};
  };
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const Operation& operation = gates[i];
    if (is_numeric_one_qubit_gate(operation)) {
      const Qubit qubit = operation.qubits[0];
      if (open[qubit].runs.back().places.size() >= kMaxRunGates) close(qubit, i);
      open[qubit].runs.back().places.push_back(i);
      continue;
    }
    for (std::size_t operand = 0; operand < operation.qubits.size(); ++operand) {
      const Qubit qubit = operation.qubits[operand];
      const std::optional<Passage> through =
          operation.is_boundary() ? std::nullopt : passage(operation.gate, operand);
      if (!through) {
        close(qubit, i);
        continue;
      }
      Run& run = open[qubit].runs.back();
      run.end = i;
      run.passage = through;
      open[qubit].runs.emplace_back();
    }
  }
  for (Qubit qubit = 0; qubit < qubits; ++qubit) close(qubit, gates.size());
  return chains;
}

class ChainShortener {
 public:
  ChainShortener(std::span<const Operation> gates, const Chain& chain,
                 const OneQubitSynthesis& synthesis, const ScalarGateCost& weight,
                 Exactness exactness)
      : gates_(gates),
        chain_(chain),
        synthesis_(synthesis),
        weight_(weight),
        exactness_(exactness) {
    for (const Run& run : chain.runs) {
      std::vector<Operation> operations;
      for (const std::size_t place : run.places) operations.push_back(gates[place]);
      unitaries_.push_back(one_qubit_unitary(operations));
      rotations_.push_back(quaternion_of(unitaries_.back()));
      costs_.push_back(sum_of_costs(operations, weight));
    }
  }

  void run(std::vector<PlacedReplacement>& replacements) {
    choose();
    // The decisions are followed back from the end, each to its predecessor.
    for (std::size_t end = chain_.runs.size(); end > 0;) {
      const Decision& decision = decisions_[end];
      if (!decision.plans.empty()) {
        if (auto placed = replacement_of(decision)) replacements.push_back(*std::move(placed));
      }
      end = decision.first;
    }
  }

 private:
  /// Returns a rotation about a coordinate axis or its opposite.
  [[nodiscard]] Operation rotation_gate(const Vector3d& axis, double angle) const {
    constexpr std::array<GateKind, 3> kKinds{GateKind::rx, GateKind::ry, GateKind::rz};
    Eigen::Index largest = 0;
    axis.cwiseAbs().maxCoeff(&largest);
    const Angle size = nearest_angle(angle);
    return make_operation(kKinds.at(static_cast<std::size_t>(largest)), {chain_.qubit},
                          {axis[largest] < 0 ? -size : size});
  }

  using Plans = std::vector<OneQubitSynthesis::Plan>;
  /// The cheapest decompositions of the runs before some run.
  struct Decision {
    std::uint64_t cost = kUnreachableCost;
    std::size_t first = 0;  ///< `plans` decompose the runs from this one on
    Plans plans;            ///< none: the run stays
  };

  void choose() {
    const std::size_t count = chain_.runs.size();
    decisions_.resize(count + 1);
    decisions_[0].cost = 0;
    for (std::size_t first = 0; first < count; ++first) {
      propose(first, first + 1, costs_[first], {});
      if (costs_[first] > 0) rewrite_from(first);
    }
  }

  void propose(std::size_t first, std::size_t end, std::uint64_t cost, const Plans& plans) {
    Decision& decision = decisions_[end];
    const std::uint64_t total = decisions_[first].cost + cost;
    if (total < decision.cost) decision = {total, first, plans};
  }

  void rewrite_from(std::size_t first) {
    Plans plans;
    std::uint64_t cost = 0;
    Quaterniond pending = Quaterniond::Identity();
    for (std::size_t k = first; k < chain_.runs.size() && k - first <= kReach; ++k) {
      const Quaterniond target = rotations_[k] * pending;
      if (const auto last = synthesis_.plan(target)) {
        plans.push_back(*last);
        propose(first, k + 1, cost + last->weight, plans);
        plans.pop_back();
      }
      const std::optional<Passage>& through = chain_.runs[k].passage;
      if (!through) return;
      const auto passing = synthesis_.plan_up_to(target, through->before);
      if (!passing || std::abs(std::sin(passing->rest / 2)) <= kNumericTolerance) return;
      plans.push_back(*passing);
      cost += passing->weight;
      pending = Quaterniond(Eigen::AngleAxisd(passing->rest, through->after));
    }
  }

  [[nodiscard]] std::optional<PlacedReplacement> replacement_of(const Decision& decision) const {
    PlacedReplacement placed;
    double phase = 0;
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    Matrix2cd pending = Matrix2cd::Identity();
    std::vector<Operation> chain_gates;
    for (std::size_t i = 0; i < decision.plans.size(); ++i) {
      const OneQubitSynthesis::Plan& plan = decision.plans[i];
      const bool last = i + 1 == decision.plans.size();
      const Run& run = chain_.runs[decision.first + i];
      std::vector<Operation> written = synthesis_.write(plan);
      // Each step is checked separately: run * pending = e^{i phase} rest * written.
      Matrix2cd made = one_qubit_unitary(written);
      if (!last) made = matrix_of(rotation_about(run.passage->before, plan.rest)) * made;
      const Matrix2cd wanted = unitaries_[decision.first + i] * pending;
      const double turn = std::arg((made.adjoint() * wanted).trace());
      if ((wanted - std::polar(1.0, turn) * made).cwiseAbs().maxCoeff() > kNumericTolerance) {
        return std::nullopt;
      }
      phase += turn;
      for (Operation& operation : written) {
        operation.qubits[0] = chain_.qubit;
        after += weight_(operation);
      }
      before += costs_[decision.first + i];

      // The step before ends with a rotation that passes, and so does this one if others follow.
      std::vector<Operation> old_gates;
      std::vector<Operation> new_gates = written;
      if (i != 0) old_gates.push_back(placed.passing.back().after);
      BlockReplacement& record = placed.replacement;
      for (const std::size_t place : run.places) {
        old_gates.push_back(gates_[place]);
        chain_gates.push_back(gates_[place]);
        record.before.push_back(gates_[place]);
      }
      record.after.insert(record.after.end(), written.begin(), written.end());
      if (!last) {
        record.before.push_back(gates_[run.end]);
        record.after.push_back(gates_[run.end]);
        pending = matrix_of(Quaterniond(Eigen::AngleAxisd(plan.rest, run.passage->after)));
        placed.removed_by_list.push_back(run.places.size());
        placed.passing.push_back({run.end,
                                  rotation_gate(unit_vector(run.passage->before), plan.rest),
                                  rotation_gate(run.passage->after, plan.rest)});
        new_gates.push_back(placed.passing.back().before);
      }
      // Rotations that pass are written modulo 2 pi, which may change the sign.
      const auto match = match_phase(one_qubit_unitary(old_gates), one_qubit_unitary(new_gates));
      const Angle step_phase = match ? match->phase : nearest_angle(turn);
      if (!preserves_exact_fractions(old_gates, new_gates, step_phase)) {
        return std::nullopt;
      }
      placed.removed.insert(placed.removed.end(), run.places.begin(), run.places.end());
      placed.inserted.emplace_back(run.places.empty() ? run.end : run.places[0],
                                   std::move(written));
    }
    if (after >= before) return std::nullopt;
    placed.replacement.phase = nearest_angle(phase);
    mark_numeric(placed.replacement);
    if (!permits_angles(exactness_, placed.replacement)) return std::nullopt;
    // Rotations that pass have decimals, in which fractions of different runs would meet.
    if (decision.plans.size() > 1 && !are_fractions_told_apart(chain_gates)) return std::nullopt;
    return placed;
  }

  std::span<const Operation> gates_;
  const Chain& chain_;
  const OneQubitSynthesis& synthesis_;
  const ScalarGateCost& weight_;
  Exactness exactness_;
  std::vector<Matrix2cd> unitaries_;    ///< unitary of each run
  std::vector<Quaterniond> rotations_;  ///< those of `unitaries_`, without phases
  std::vector<std::uint64_t> costs_;    ///< current cost of each run
  std::vector<Decision> decisions_;     ///< indexed by the number of runs from the start
};

}  // namespace

std::vector<PlacedReplacement> shorten_one_qubit_chains(std::span<const Operation> gates,
                                                        std::uint32_t qubits,
                                                        const OneQubitSynthesis& synthesis,
                                                        const ScalarGateCost& weight,
                                                        Exactness exactness, const Budget& budget) {
  std::vector<PlacedReplacement> replacements;
  for (const Chain& chain : chains_of(gates, qubits)) {
    if (budget.spent()) break;
    ChainShortener(gates, chain, synthesis, weight, exactness).run(replacements);
  }
  return replacements;
}

}  // namespace quartz::optimizer
