#include "optimize/two_qubit_blocks.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "optimize/block_unitary.hpp"
#include "optimize/one_qubit_chains.hpp"

namespace quartz {
namespace {

/// Costs closer than this are rounding of sums, not a gain.
constexpr double kSmallestGain = 1e-9;

/// Gates by their places, all on two qubits, with no other gate on these in between.
struct Run {
  std::array<Qubit, 2> qubits{};
  std::vector<std::size_t> places;
  std::size_t anchor = 0;  ///< the place where all of its gates may stand together
};

bool has_numeric_unitary(const Operation& operation) {
  return !operation.is_wall() && operation.qubits.size() <= 2 &&
         std::all_of(operation.angles.begin(), operation.angles.end(),
                     [](const Angle& angle) { return angle.is_constant(); });
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
    const std::array<Qubit, 2> pair = runs[*open[qubit]].qubits;
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
    if (!open[first] || open[first] != open[second] ||
        runs[*open[first]].places.size() >= kLongestRun) {
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

class Resynthesizer {
 public:
  Resynthesizer(const TwoQubitSynthesis& synthesis, const GateCost& weight, Exactness exactness,
                const std::function<bool()>& interrupted)
      : synthesis_(synthesis), weight_(weight), exactness_(exactness), interrupted_(interrupted) {}

  /// `chains_first`: a block then has to beat what the chains make of it.
  [[nodiscard]] BlockResynthesis run(std::span<const Operation> gates, std::uint32_t qubits,
                                     bool chains_first) {
    result_.gates.assign(gates.begin(), gates.end());
    if (chains_first) shorten_chains(qubits);
    replace_blocks(qubits);
    shorten_chains(qubits);
    return std::move(result_);
  }

 private:
  void replace_blocks(std::uint32_t qubits) {
    // Pieces of a run that was too long become short, and then one run.
    bool again = synthesis_.available();
    while (again) {
      std::vector<PlacedReplacement> blocks;
      bool pieces = false;
      for (const Run& block : two_qubit_runs(result_.gates, qubits)) {
        if (interrupted_()) break;
        pieces = pieces || block.places.size() >= kLongestRun;
        if (auto placed = replacement_of(block)) blocks.push_back(*std::move(placed));
      }
      again = pieces && !blocks.empty() && !interrupted_();
      make(std::move(blocks));
    }
  }

  void shorten_chains(std::uint32_t qubits) {
    if (!synthesis_.one_qubit().universal() || interrupted_()) return;
    make(shorten_one_qubit_chains(result_.gates, qubits, synthesis_.one_qubit(), weight_,
                                  exactness_));
  }

  void make(std::vector<PlacedReplacement> replacements) {
    result_.gates = replaced(std::move(result_.gates), replacements);
    for (PlacedReplacement& placed : replacements) {
      result_.phase.add_phase(placed.replacement.phase);
      result_.numeric = result_.numeric || placed.replacement.numeric;
      result_.replacements.push_back(std::move(placed.replacement));
    }
  }

  [[nodiscard]] std::optional<PlacedReplacement> replacement_of(const Run& run) const {
    BlockReplacement replacement;
    double cost = 0;
    for (const std::size_t place : run.places) {
      replacement.before.push_back(result_.gates[place]);
      cost += weight_(result_.gates[place]);
    }
    auto found = synthesis_.synthesize(
        two_qubit_unitary(replacement.before, run.qubits[0], run.qubits[1]), cost - kSmallestGain);
    if (!found) return std::nullopt;
    for (Operation& operation : found->gates) {
      for (Qubit& qubit : operation.qubits) qubit = run.qubits[qubit];
    }
    replacement.after = std::move(found->gates);
    replacement.phase = found->phase;
    mark_numeric(replacement);
    if (!is_allowed(replacement, exactness_)) return std::nullopt;
    std::vector<Operation> after = replacement.after;
    return PlacedReplacement{std::move(replacement), run.places, {{run.anchor, std::move(after)}}};
  }

  const TwoQubitSynthesis& synthesis_;
  const GateCost& weight_;
  Exactness exactness_;
  const std::function<bool()>& interrupted_;
  BlockResynthesis result_;
};

}  // namespace

BlockResynthesis resynthesize_two_qubit_blocks(std::span<const Operation> gates,
                                               std::uint32_t qubits,
                                               const TwoQubitSynthesis& synthesis,
                                               const GateCost& weight, Exactness exactness,
                                               const std::function<bool()>& interrupted) {
  // Neither order is better for all circuits.
  BlockResynthesis best;
  double least = std::numeric_limits<double>::infinity();
  for (const bool chains_first : {true, false}) {
    BlockResynthesis result =
        Resynthesizer(synthesis, weight, exactness, interrupted).run(gates, qubits, chains_first);
    double cost = 0;
    for (const Operation& operation : result.gates) cost += weight(operation);
    if (cost < least) {
      least = cost;
      best = std::move(result);
    }
  }
  return best;
}

BlockResynthesis resynthesize_two_qubit_blocks(std::span<const Operation> gates,
                                               std::uint32_t qubits, const GateSet& set,
                                               const GateCost& weight, Exactness exactness) {
  return resynthesize_two_qubit_blocks(gates, qubits, TwoQubitSynthesis(set, weight), weight,
                                       exactness, [] { return false; });
}

}  // namespace quartz
