#include "optimize/instantiation/gate_deletion.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <boost/functional/hash.hpp>
#include <cmath>
#include <random>
#include <utility>

#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/resynthesis/one_qubit_rotation.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "optimize/windows/edited_gates.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::optimizer {
namespace {

/// Numbers of two-qubit gates of a window on three qubits. Fewer gates hardly ever have one too
/// many, and each iteration on more of them takes longer than 0.1 ms.
constexpr std::size_t kMinGates = 3;
constexpr std::size_t kMaxWindowGates = 12;
/// Ticks of an iteration, which takes as long as this number of moves of annealing.
constexpr std::uint64_t kTicksOfIteration = 50;
/// Least ratio between the costs of a gate on two qubits and of a one-qubit gate: a deletion
/// replaces simple one-qubit gates by up to five gates on each of two or more wires.
constexpr std::uint64_t kLeastCostRatio = 30;
/// The distance of a replacement is reckoned larger by this fraction, and by its square.
constexpr double kMarginOfDistance = 1e-6;

std::size_t hash_of(const EditedGates& gates, const ThreeQubitWindow& window, std::uint32_t round) {
  std::size_t seed = round;
  for (const EditedGates::Index index : window.gates) {
    const Operation& gate = gates[index];
    boost::hash_combine(seed, static_cast<std::size_t>(gate.gate));
    for (const Qubit qubit : gate.qubits) {
      boost::hash_combine(seed, std::ranges::find(window.qubits, qubit) - window.qubits.begin());
    }
    for (const Angle& angle : gate.angles) boost::hash_combine(seed, angle.hash());
  }
  return seed;
}

/// Returns the number of the next two-qubit gate after gate `number` that is on the same qubits.
std::optional<std::size_t> next_on_same_qubits(std::span<const Operation> gates,
                                               std::size_t number) {
  std::optional<std::array<Qubit, 2>> pair;
  std::size_t count = 0;
  for (const Operation& gate : gates) {
    if (gate.qubits.size() != 2) continue;
    const std::array<Qubit, 2> own{std::min(gate.qubits[0], gate.qubits[1]),
                                   std::max(gate.qubits[0], gate.qubits[1])};
    if (pair == own) return count;
    if (count++ == number) pair = own;
  }
  return std::nullopt;
}

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

}  // namespace

/// First all deletions that need no part of epsilon, as far as they are found at once.
constexpr std::array<GateDeletion::Attempt, 7> GateDeletion::kRounds{
    {{true, 0}, {true, 0.25}, {false, 0.25}, {true, 1}, {false, 1}, {false, 1}, {false, 1}}};

GateDeletion::GateDeletion(const GateSet& set, ScalarGateCost cost, const Options& options)
    : set_(set),
      cost_(std::move(cost)),
      options_(options),
      epsilon_left_(options.epsilon),
      synthesis_(set, cost_) {
  if (options_.epsilon > 0) options_.exactness = Exactness::numeric;
}

bool GateDeletion::available() const {
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

bool GateDeletion::may_change(std::span<const Operation> gates, const Options& options) {
  if (options.epsilon > 0) return true;
  switch (options.exactness) {
    case Exactness::numeric:
      return true;
    case Exactness::exact:
      return false;
    case Exactness::keep:
      return std::ranges::any_of(gates, [](const Operation& gate) {
        return std::ranges::any_of(gate.angles, [](const Angle& angle) {
          return angle.is_constant() && !is_simple_fraction(angle);
        });
      });
  }
  throw InternalError("an exactness without a meaning");
}

bool GateDeletion::may_have_superfluous_gates(const ThreeQubitWindow& window) const {
  if (window.qubits.size() == 2) {
    return window.two_qubit_gates > (synthesis_.uses_echoes() ? 1 : 0) &&
           (synthesis_.uses_echoes() || epsilon_left_ > 0);
  }
  return window.two_qubit_gates >= kMinGates;
}

std::optional<GateDeletion::Generator> GateDeletion::generator_of(const Operation& gate) const {
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
  // the sine follows from the largest eigenvalue for two steps of different lengths.
  const auto odd_part = [&](std::int64_t tenths) {
    const Eigen::Matrix4cd step = unitary(1 + tenths) * unitary(1).adjoint();
    return Eigen::Matrix4cd((step - step.adjoint()) * std::complex<double>(0, -0.5));
  };
  const auto largest_sine = [&](std::int64_t tenths) {
    return Eigen::SelfAdjointEigenSolver<Eigen::Matrix4cd>(odd_part(tenths))
        .eigenvalues()
        .maxCoeff();
  };
  const double rate = std::asin(std::clamp(largest_sine(2), -1.0, 1.0)) / 0.2;
  if (!(rate > 0.01)) return std::nullopt;
  const Generator generator{odd_part(2) / std::sin(0.2 * rate), rate};
  const TemplateGate start{unitary(1), {}, generator.matrix};
  constexpr double accuracy = 1e-13;
  for (const std::int64_t tenths : {3, 17, 40}) {
    const double turn = static_cast<double>(tenths) / 10 * rate;
    if ((turned(start, turn) - unitary(1 + tenths)).cwiseAbs().maxCoeff() > accuracy) {
      return std::nullopt;
    }
  }
  return generator;
}

GateDeletion::Form GateDeletion::form_of(std::span<const Operation> gates,
                                         std::span<const Qubit> qubits,
                                         std::span<const std::size_t> without) const {
  Form form;
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

std::optional<std::vector<Operation>> GateDeletion::written_turn(const Form& form,
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

std::optional<std::vector<Operation>> GateDeletion::written(const Form& form,
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

std::optional<GateDeletion::Deletion> GateDeletion::deletion_by(std::vector<Operation> before,
                                                                const Form& form,
                                                                const TemplateChoice& choice,
                                                                std::span<const Qubit> qubits,
                                                                double distance) const {
  std::optional<std::vector<Operation>> after = written(form, choice, qubits);
  if (!after) return std::nullopt;
  if (sum_of_costs(*after, cost_) >= sum_of_costs(before, cost_)) return std::nullopt;
  const auto match = nearest_phase(unitary_on(before, qubits), unitary_on(*after, qubits));
  if (!match) return std::nullopt;
  Deletion deletion;
  if (match->error > kNumericTolerance) {
    // The check of the result adds its own rounding errors.
    deletion.distance =
        match->distance * (1 + kMarginOfDistance) + kMarginOfDistance * kMarginOfDistance;
    if (!(deletion.distance <= distance)) return std::nullopt;
  }
  deletion.replacement = {std::move(before), *std::move(after), match->phase};
  mark_numeric(deletion.replacement);
  if (deletion.distance != 0) deletion.replacement.numeric = true;
  if (!is_allowed(deletion.replacement, options_.exactness)) return std::nullopt;
  return deletion;
}

/// The deletions in one list of gates.
class GateDeletion::Run {
 public:
  Run(GateDeletion& deletion, std::span<const Operation> gates, const Budget& budget)
      : deletion_(deletion), budget_(budget), gates_(gates) {}

  /// A window that is tried.
  struct Trial {
    const ThreeQubitWindow& window;
    std::vector<Operation> before;
    Eigen::MatrixXcd target;
    Attempt attempt;
    std::size_t seed = 0;
  };

  [[nodiscard]] circuit::DerivedGates run() && {
    for (std::uint32_t round = 0; round < kRounds.size() && !budget_.spent(); ++round) {
      const bool is_repeated = kRounds[round].starts_from_gates && round != 0;
      if (is_repeated && deletion_.epsilon_left_ == 0) continue;
      for (EditedGates::Index start = gates_.first();
           start != EditedGates::kEnd && !budget_.spent();) {
        // After a deletion, the window that begins here may have one more gate to delete.
        const std::optional<EditedGates::Index> replaced = try_window(start, round);
        start = replaced.value_or(gates_.next(start));
      }
    }
    std::vector<Operation> all = gates_.gates();
    return {std::move(all), phase_,
            circuit::Derivation::by(std::move(gates_).finish_history(), is_numeric_)};
  }

 private:
  /// Returns the gate that begins where the window did if a gate was deleted.
  [[nodiscard]] std::optional<EditedGates::Index> try_window(EditedGates::Index start,
                                                             std::uint32_t round) {
    if (gates_[start].qubits.size() != 2) return std::nullopt;
    const ThreeQubitWindow window = grow_three_qubit_window(gates_, start, kMaxWindowGates);
    if (!deletion_.may_have_superfluous_gates(window)) return std::nullopt;
    const std::size_t hash = hash_of(gates_, window, round);
    if (!deletion_.tried_.insert(hash).second) return std::nullopt;
    Trial trial{window, {}, {}, kRounds[round], hash ^ deletion_.options_.seed};
    for (const EditedGates::Index index : window.gates) trial.before.push_back(gates_[index]);
    if (!may_change(trial.before, deletion_.options_)) return std::nullopt;
    trial.target = unitary_on(trial.before, window.qubits);
    for (std::size_t k = 0; k < window.two_qubit_gates && !budget_.spent(); ++k) {
      if (const auto replaced = try_without(trial, std::array{k})) return replaced;
      // A small rotation often consists of two gates, neither of which is small.
      const std::optional<std::size_t> next =
          deletion_.epsilon_left_ > 0 ? next_on_same_qubits(trial.before, k) : std::nullopt;
      if (!next) continue;
      if (const auto replaced = try_without(trial, std::array{k, *next})) return replaced;
    }
    return std::nullopt;
  }

  /// Tries to replace a window by its form without some of its two-qubit gates.
  [[nodiscard]] std::optional<EditedGates::Index> try_without(
      const Trial& trial, std::span<const std::size_t> without) {
    Form form = deletion_.form_of(trial.before, trial.window.qubits, without);
    TemplateChoice first = trial.attempt.starts_from_gates
                               ? form.choice
                               : random_choice(form.circuit, trial.seed ^ without.front());
    InstantiationLimits limits;
    limits.distance = trial.attempt.share_of_epsilon * deletion_.epsilon_left_;
    std::uint64_t iterations = 0;
    const auto found =
        instantiate(form.circuit, trial.target, std::move(first), limits, iterations);
    budget_.spend(kTicksOfIteration * iterations);
    if (!found) return std::nullopt;
    auto deleted = deletion_.deletion_by(trial.before, form, found->choice, trial.window.qubits,
                                         limits.distance);
    if (!deleted) return std::nullopt;
    deletion_.epsilon_left_ -= deleted->distance;
    phase_.add_phase(deleted->replacement.phase);
    is_numeric_ = is_numeric_ || deleted->replacement.numeric;
    return gates_.replace(trial.window.gates, trial.window.anchor, deleted->replacement.after);
  }

  GateDeletion& deletion_;
  const Budget& budget_;
  EditedGates gates_;
  Angle phase_;
  bool is_numeric_ = false;
};

circuit::DerivedGates GateDeletion::delete_gates(std::span<const Operation> gates,
                                                 const Budget& budget) {
  return Run(*this, gates, budget).run();
}

}  // namespace quartz::optimizer
