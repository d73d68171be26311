#include "optimize/two_qubit_blocks.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "optimize/block_unitary.hpp"
#include "optimize/numeric_angle.hpp"

namespace quartz {
namespace {

/// Costs closer than this are rounding of sums, not a gain.
constexpr double kSmallestGain = 1e-9;

/// Gates of a circuit by their places, all on one or two qubits, with no other gate on these qubits
/// in between.
struct Run {
  std::vector<Qubit> qubits;
  std::vector<std::size_t> places;
  std::size_t anchor = 0;  ///< the place where all of its gates may stand together
};

bool has_numeric_unitary(const Operation& operation) {
  return !operation.is_wall() && operation.qubits.size() <= 2 &&
         std::all_of(operation.angles.begin(), operation.angles.end(),
                     [](const Angle& angle) { return angle.is_constant(); });
}

/// The longest runs on one qubit.
std::vector<Run> one_qubit_runs(std::span<const Operation> gates, std::uint32_t qubits) {
  std::vector<Run> runs;
  std::vector<std::optional<std::size_t>> open(qubits);
  for (std::size_t i = 0; i < gates.size(); ++i) {
    if (gates[i].qubits.size() != 1 || !has_numeric_unitary(gates[i])) {
      for (const Qubit qubit : gates[i].qubits) open[qubit].reset();
      continue;
    }
    const Qubit qubit = gates[i].qubits[0];
    if (!open[qubit]) {
      open[qubit] = runs.size();
      runs.push_back({{qubit}, {}, i});
    }
    runs[*open[qubit]].places.push_back(i);
  }
  return runs;
}

/// The longest runs on two qubits, each with the one-qubit gates next to it. A gate between two
/// blocks belongs to the earlier one.
std::vector<Run> two_qubit_runs(std::span<const Operation> gates, std::uint32_t qubits) {
  std::vector<Run> runs;
  std::vector<std::optional<std::size_t>> open(qubits);
  std::vector<std::vector<std::size_t>> waiting(qubits);  // one-qubit gates that no block has yet
  const auto close = [&](Qubit qubit) {
    waiting[qubit].clear();
    if (!open[qubit]) return;
    const std::vector<Qubit> pair = runs[*open[qubit]].qubits;
    for (const Qubit member : pair) open[member].reset();
  };
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const Operation& operation = gates[i];
    if (!has_numeric_unitary(operation) || operation.qubits.empty()) {
      for (const Qubit qubit : operation.qubits) close(qubit);
      continue;
    }
    const Qubit first = operation.qubits.front();
    if (operation.qubits.size() == 1) {
      (open[first] ? runs[*open[first]].places : waiting[first]).push_back(i);
      continue;
    }
    const Qubit second = operation.qubits.back();
    if (!open[first] || open[first] != open[second]) {
      Run run{{first, second}, {}, i};
      for (const Qubit qubit : run.qubits) {
        run.places.insert(run.places.end(), waiting[qubit].begin(), waiting[qubit].end());
        close(qubit);
      }
      open[first] = open[second] = runs.size();
      runs.push_back(std::move(run));
    }
    runs[*open[first]].places.push_back(i);
  }
  return runs;
}

/// A cheaper way to write a run, on its own qubits 0 and 1.
struct Rewriting {
  std::vector<Operation> gates;
  Angle phase;
};

class Resynthesizer {
 public:
  Resynthesizer(const TwoQubitSynthesis& synthesis, const GateWeight& weight, Exactness exactness)
      : synthesis_(synthesis), weight_(weight), exactness_(exactness) {}

  void run(std::span<const Operation> gates, std::uint32_t qubits) {
    result_.gates.assign(gates.begin(), gates.end());
    if (synthesis_.available()) replace_all(two_qubit_runs(result_.gates, qubits));
    if (synthesis_.one_qubit().universal()) replace_all(one_qubit_runs(result_.gates, qubits));
  }

  [[nodiscard]] BlockResynthesis take_result() { return std::move(result_); }

 private:
  void replace_all(const std::vector<Run>& runs) {
    std::vector<bool> removed(result_.gates.size(), false);
    // By anchor: the replacement made there, by its number.
    std::vector<std::optional<std::size_t>> placed(result_.gates.size());
    for (const Run& run : runs) {
      std::optional<BlockReplacement> replacement = replacement_of(run);
      if (!replacement) continue;
      for (const std::size_t place : run.places) removed[place] = true;
      placed[run.anchor] = result_.replacements.size();
      result_.phase.add_phase(replacement->phase);
      result_.numeric = result_.numeric || replacement->numeric;
      result_.replacements.push_back(*std::move(replacement));
    }
    std::vector<Operation> gates;
    for (std::size_t i = 0; i < result_.gates.size(); ++i) {
      if (placed[i]) {
        const std::vector<Operation>& after = result_.replacements[*placed[i]].after;
        gates.insert(gates.end(), after.begin(), after.end());
      }
      if (!removed[i]) gates.push_back(std::move(result_.gates[i]));
    }
    result_.gates = std::move(gates);
  }

  [[nodiscard]] std::optional<BlockReplacement> replacement_of(const Run& run) const {
    BlockReplacement replacement;
    double cost = 0;
    for (const std::size_t place : run.places) {
      replacement.before.push_back(result_.gates[place]);
      cost += weight_(result_.gates[place]);
    }
    const double bound = cost - kSmallestGain * std::max(1.0, cost);
    std::optional<Rewriting> rewriting = run.qubits.size() == 2
                                             ? rewritten_pair(replacement.before, run.qubits, bound)
                                             : rewritten_single(replacement.before, bound);
    if (!rewriting) return std::nullopt;
    for (Operation& operation : rewriting->gates) {
      for (Qubit& qubit : operation.qubits) qubit = run.qubits[qubit];
    }
    replacement.after = std::move(rewriting->gates);
    replacement.phase = rewriting->phase;
    replacement.numeric = !is_exact(replacement.before) || !is_exact(replacement.after) ||
                          !is_eighth_turns(replacement.phase * Rational(2));
    if (replacement.numeric && exactness_ == Exactness::exact) return std::nullopt;
    return replacement;
  }

  [[nodiscard]] std::optional<Rewriting> rewritten_pair(std::span<const Operation> gates,
                                                        const std::vector<Qubit>& qubits,
                                                        double bound) const {
    auto found = synthesis_.synthesize(two_qubit_unitary(gates, qubits[0], qubits[1]), bound);
    if (!found) return std::nullopt;
    return Rewriting{std::move(found->gates), found->phase};
  }

  [[nodiscard]] std::optional<Rewriting> rewritten_single(std::span<const Operation> gates,
                                                          double bound) const {
    const Eigen::Matrix2cd unitary = one_qubit_unitary(gates);
    const auto plan = synthesis_.one_qubit().plan(quaternion_of(unitary));
    if (!plan) return std::nullopt;
    Rewriting result{synthesis_.one_qubit().write(*plan), {}};
    double cost = 0;
    for (const Operation& operation : result.gates) cost += weight_(operation);
    if (cost >= bound) return std::nullopt;
    const auto match = match_phase(unitary, one_qubit_unitary(result.gates));
    if (!match) return std::nullopt;
    result.phase = match->phase;
    return result;
  }

  static bool is_exact(std::span<const Operation> gates) {
    return std::all_of(gates.begin(), gates.end(), [](const Operation& operation) {
      return std::all_of(operation.angles.begin(), operation.angles.end(), is_eighth_turns);
    });
  }

  const TwoQubitSynthesis& synthesis_;
  const GateWeight& weight_;
  Exactness exactness_;
  BlockResynthesis result_;
};

}  // namespace

BlockResynthesis resynthesize_two_qubit_blocks(std::span<const Operation> gates,
                                               std::uint32_t qubits,
                                               const TwoQubitSynthesis& synthesis,
                                               const GateWeight& weight, Exactness exactness) {
  Resynthesizer resynthesizer(synthesis, weight, exactness);
  resynthesizer.run(gates, qubits);
  return resynthesizer.take_result();
}

BlockResynthesis resynthesize_two_qubit_blocks(std::span<const Operation> gates,
                                               std::uint32_t qubits, const GateSet& set,
                                               const GateWeight& weight, Exactness exactness) {
  return resynthesize_two_qubit_blocks(gates, qubits, TwoQubitSynthesis(set, weight), weight,
                                       exactness);
}

}  // namespace quartz
