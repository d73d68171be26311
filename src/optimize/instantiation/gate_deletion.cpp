#include "optimize/instantiation/gate_deletion.hpp"

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <cmath>
#include <utility>

#include "optimize/instantiation/instantiate.hpp"
#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "optimize/windows/edited_gates.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Numbers of two-qubit gates of a window on three qubits. Fewer gates hardly ever have one too
/// many, and each iteration on more of them takes longer than 0.1 ms.
constexpr std::size_t kMinGates = 3;
constexpr std::size_t kMaxWindowGates = 14;
/// The largest number of two-qubit gates of a window that is replaced by a generic sequence. Its
/// unitary is accurate to a fraction of kNumericTolerance.
constexpr std::size_t kMaxReplacedGates = 250;
/// Random starts of a generic sequence. The first one succeeds unless the unitary is special.
constexpr std::size_t kStartsOfGenericSequence = 4;
/// Ticks of an iteration on at most three qubits and on four, which takes as long as this number of
/// moves of annealing.
constexpr std::uint64_t kTicksOfIteration = 50;
constexpr std::uint64_t kTicksOfIterationOnFour = 5000;
/// The distance of a replacement is reckoned larger by this fraction, and by its square.
constexpr double kMarginOfDistance = 1e-6;

std::size_t hash_of(const EditedGates& gates, const NarrowWindow& window, std::uint32_t round) {
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

/// Returns the least length of a generic sequence, whatever its gates are: each of them adds up to
/// six parameters, and one for its angle.
std::size_t least_generic_gates(std::size_t qubits) {
  return ((std::size_t{1} << (2 * qubits)) - 1 - 3 * qubits) / 7;
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

}  // namespace

/// First all deletions that need no part of epsilon, as far as they are found at once.
constexpr std::array<GateDeletion::Attempt, 7> GateDeletion::kRounds{
    {{true, 0}, {true, 0.25}, {false, 0.25}, {true, 1}, {false, 1}, {false, 1}, {false, 1}}};

GateDeletion::GateDeletion(const GateSet& set, ScalarGateCost cost, const Options& options)
    : options_(options), epsilon_left_(options.epsilon), forms_(set, std::move(cost)) {
  if (options_.epsilon > 0) options_.exactness = Exactness::numeric;
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

bool GateDeletion::may_have_superfluous_gates(const NarrowWindow& window) const {
  if (window.qubits.size() == 2) {
    return window.two_qubit_gates > (forms_.synthesis().uses_echoes() ? 1 : 0) &&
           (forms_.synthesis().uses_echoes() || epsilon_left_ > 0);
  }
  return window.two_qubit_gates >= kMinGates;
}

std::optional<GateDeletion::Deletion> GateDeletion::deletion_by(std::vector<Operation> before,
                                                                const WindowForm& form,
                                                                const TemplateChoice& choice,
                                                                std::span<const Qubit> qubits,
                                                                double distance) const {
  std::optional<std::vector<Operation>> after = forms_.written(form, choice, qubits);
  if (!after) return std::nullopt;
  const ScalarGateCost& cost = forms_.cost();
  if (sum_of_costs(*after, cost) >= sum_of_costs(before, cost)) return std::nullopt;
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
  // Within epsilon, angles may change.
  if (options_.epsilon == 0 && !is_allowed(deletion.replacement, options_.exactness)) {
    return std::nullopt;
  }
  return deletion;
}

/// The deletions in one list of gates.
class GateDeletion::Run {
 public:
  Run(GateDeletion& deletion, std::span<const Operation> gates, const Budget& budget)
      : deletion_(deletion), budget_(budget), gates_(gates) {}

  /// A window that is tried.
  struct Trial {
    const NarrowWindow& window;
    std::vector<Operation> before;
    Eigen::MatrixXcd target;
    Attempt attempt;
    std::size_t seed = 0;
  };

  [[nodiscard]] circuit::DerivedGates run() && {
    for (const std::size_t qubits : {3U, 4U}) {
      // A gate in front of a window, on a qubit that the window was joined by later, may be in
      // another window with what has replaced it.
      const auto try_at = [&](EditedGates::Index start) { return try_generic(start, qubits); };
      while (replace_windows(gates_, budget_, try_at)) {
      }
    }
    for (std::uint32_t round = 0; round < kRounds.size() && !budget_.spent(); ++round) {
      const bool is_repeated = kRounds[round].starts_from_gates && round != 0;
      if (is_repeated && deletion_.epsilon_left_ == 0) continue;
      (void)replace_windows(gates_, budget_,
                            [&](EditedGates::Index start) { return try_window(start, round); });
    }
    std::vector<Operation> all = gates_.gates();
    return {std::move(all), phase_,
            circuit::Derivation::by(std::move(gates_).finish_history(), is_numeric_)};
  }

 private:
  [[nodiscard]] NarrowWindow window_at(EditedGates::Index start, std::size_t two_qubit_gates,
                                       std::size_t qubits) const {
    // Within epsilon, fine fractions of pi may be lost as well.
    return grow_narrow_window(
        gates_, start, two_qubit_gates, qubits,
        deletion_.options_.epsilon > 0 ? has_constant_angles : has_numeric_angles);
  }

  /// Tries to replace a window on a number of qubits by as many gates as a random unitary takes.
  [[nodiscard]] std::optional<EditedGates::Index> try_generic(EditedGates::Index start,
                                                              std::size_t qubits) {
    const NarrowWindow window = window_at(start, kMaxReplacedGates, qubits);
    if (window.qubits.size() != qubits) return std::nullopt;
    if (window.two_qubit_gates <= least_generic_gates(qubits)) return std::nullopt;
    Trial trial{window, gates_of(window), {}, {}, 0};
    if (!may_change(trial.before, deletion_.options_)) return std::nullopt;
    const WindowForm form = deletion_.forms_.generic_form(trial.before, window.qubits);
    if (form.two_qubit_gates.empty()) return std::nullopt;
    trial.seed = hash_of(gates_, window, kRounds.size()) ^ deletion_.options_.seed;
    if (!deletion_.tried_.insert(trial.seed).second) return std::nullopt;
    trial.target = unitary_on(trial.before, window.qubits);
    for (std::size_t k = 0; k < kStartsOfGenericSequence && !budget_.spent(); ++k) {
      const auto replaced = try_form(trial, form, random_choice(form.circuit, trial.seed ^ k));
      if (replaced) return replaced;
    }
    return std::nullopt;
  }

  /// Returns the gate that begins where the window did if a gate was deleted.
  [[nodiscard]] std::optional<EditedGates::Index> try_window(EditedGates::Index start,
                                                             std::uint32_t round) {
    const NarrowWindow window = window_at(start, kMaxWindowGates, 3);
    if (!deletion_.may_have_superfluous_gates(window)) return std::nullopt;
    const std::size_t hash = hash_of(gates_, window, round);
    if (!deletion_.tried_.insert(hash).second) return std::nullopt;
    Trial trial{window, gates_of(window), {}, kRounds[round], hash ^ deletion_.options_.seed};
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
    const WindowForm form = deletion_.forms_.form_of(trial.before, trial.window.qubits, without);
    TemplateChoice first = trial.attempt.starts_from_gates
                               ? form.choice
                               : random_choice(form.circuit, trial.seed ^ without.front());
    return try_form(trial, form, std::move(first));
  }

  /// Tries to replace a window by a form, with a choice that is found from the given one.
  [[nodiscard]] std::optional<EditedGates::Index> try_form(const Trial& trial,
                                                           const WindowForm& form,
                                                           TemplateChoice first) {
    InstantiationLimits limits;
    limits.distance = trial.attempt.share_of_epsilon * deletion_.epsilon_left_;
    std::uint64_t iterations = 0;
    const auto found =
        instantiate(form.circuit, trial.target, std::move(first), limits, iterations);
    budget_.spend(iterations *
                  (form.circuit.qubits > 3 ? kTicksOfIterationOnFour : kTicksOfIteration));
    if (!found) return std::nullopt;
    auto deleted = deletion_.deletion_by(trial.before, form, found->choice, trial.window.qubits,
                                         limits.distance);
    if (!deleted) return std::nullopt;
    deletion_.epsilon_left_ -= deleted->distance;
    phase_.add_phase(deleted->replacement.phase);
    is_numeric_ = is_numeric_ || deleted->replacement.numeric;
    return gates_.replace(trial.window.gates, trial.window.anchor, deleted->replacement.after);
  }

  [[nodiscard]] std::vector<Operation> gates_of(const NarrowWindow& window) const {
    std::vector<Operation> gates;
    for (const EditedGates::Index index : window.gates) gates.push_back(gates_[index]);
    return gates;
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
