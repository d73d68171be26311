#include "optimize/resynthesis/two_qubit_blocks.hpp"

#include <boost/functional/hash.hpp>
#include <optional>
#include <utility>

#include "optimize/resynthesis/block_unitary.hpp"
#include "optimize/resynthesis/one_qubit_chains.hpp"
#include "optimize/resynthesis/two_qubit_runs.hpp"

namespace quartz::optimizer {
namespace {

std::size_t hash_of(const TwoQubitRun& run, std::span<const Operation> gates) {
  std::size_t seed = 0;
  for (const std::size_t place : run.places) {
    const Operation& operation = gates[place];
    boost::hash_combine(seed, static_cast<std::size_t>(operation.gate));
    boost::hash_combine(seed, operation.qubits.front() == run.qubits[0]);
    for (const Angle& angle : operation.angles) boost::hash_combine(seed, angle.hash());
  }
  return seed;
}

}  // namespace

class TwoQubitBlocks::Pass {
 public:
  Pass(TwoQubitBlocks& blocks, std::span<const Operation> gates, const Budget& budget)
      : blocks_(blocks), budget_(budget), result_(circuit::DerivedGates::unchanged(gates)) {}

  /// With `chains_first`, a block has to be cheaper than after the shortening of its chains.
  [[nodiscard]] circuit::DerivedGates run(std::uint32_t qubits, bool chains_first) && {
    if (chains_first) shorten_chains(qubits);
    replace_blocks(qubits, OuterGates::full);
    shorten_chains(qubits);
    return std::move(result_);
  }

  /// Replaces blocks again for the gates inside of them: the one-qubit gates around a block merge
  /// with those of the blocks beside it, and mostly take as many gates whatever they are.
  [[nodiscard]] circuit::DerivedGates run_twice(std::uint32_t qubits) && {
    replace_blocks(qubits, OuterGates::full);
    replace_blocks(qubits, OuterGates::little);
    shorten_chains(qubits);
    return std::move(result_);
  }

 private:
  using OuterGates = TwoQubitSynthesis::OuterGates;

  void replace_blocks(std::uint32_t qubits, OuterGates outer) {
    // The pieces of a run that was too long may become short enough to form one run.
    bool again = blocks_.synthesis_.available();
    while (again) {
      std::vector<PlacedReplacement> blocks;
      bool pieces = false;
      for (const TwoQubitRun& block : two_qubit_runs(result_.gates, qubits)) {
        if (budget_.spent()) break;
        pieces = pieces || block.places.size() >= kMaxRunGates;
        if (auto placed = replacement_of(block, outer)) blocks.push_back(*std::move(placed));
      }
      again = pieces && !blocks.empty() && !budget_.spent();
      make(std::move(blocks));
    }
  }

  void shorten_chains(std::uint32_t qubits) {
    if (!blocks_.synthesis_.one_qubit().universal() || budget_.spent()) return;
    make(shorten_one_qubit_chains(result_.gates, qubits, blocks_.synthesis_.one_qubit(),
                                  blocks_.cost_, blocks_.exactness_, budget_));
  }

  void make(std::vector<PlacedReplacement> replacements) {
    make_replacements(result_, replacements);
  }

  [[nodiscard]] std::optional<PlacedReplacement> replacement_of(const TwoQubitRun& run,
                                                                OuterGates outer) {
    std::size_t hash = hash_of(run, result_.gates);
    boost::hash_combine(hash, static_cast<std::size_t>(outer));
    if (blocks_.cheapest_.contains(hash)) return std::nullopt;
    auto placed = cheaper_than(run, outer);
    if (!placed) blocks_.cheapest_.insert(hash);
    return placed;
  }

  [[nodiscard]] std::optional<PlacedReplacement> cheaper_than(const TwoQubitRun& run,
                                                              OuterGates outer) const {
    BlockReplacement replacement;
    for (const std::size_t place : run.places) replacement.before.push_back(result_.gates[place]);
    auto found = blocks_.synthesis_.synthesize(
        two_qubit_unitary(replacement.before, run.qubits[0], run.qubits[1]),
        blocks_.synthesis_.cost_of(replacement.before, outer), outer);
    if (!found) return std::nullopt;
    for (Operation& operation : found->gates) {
      for (Qubit& qubit : operation.qubits) qubit = run.qubits[qubit];
    }
    replacement.after = std::move(found->gates);
    replacement.phase = found->phase;
    mark_numeric(replacement);
    if (!is_allowed(replacement, blocks_.exactness_)) return std::nullopt;
    std::vector<Operation> after = replacement.after;
    return PlacedReplacement{
        std::move(replacement), run.places, {{run.anchor, std::move(after)}}, {}, {}};
  }

  TwoQubitBlocks& blocks_;
  const Budget& budget_;
  circuit::DerivedGates result_;
};

TwoQubitBlocks::TwoQubitBlocks(const GateSet& set, ScalarGateCost cost, Exactness exactness)
    : cost_(std::move(cost)), exactness_(exactness), synthesis_(set, cost_) {}

circuit::DerivedGates TwoQubitBlocks::resynthesize(std::span<const Operation> gates,
                                                   std::uint32_t qubits, const Budget& budget) {
  // None of these is best for all circuits.
  circuit::DerivedGates best = resynthesize_once(gates, qubits, budget);
  const auto consider = [&](circuit::DerivedGates other) {
    if (sum_of_costs(other.gates, cost_) < sum_of_costs(best.gates, cost_)) best = std::move(other);
  };
  if (!budget.spent()) consider(Pass(*this, gates, budget).run(qubits, false));
  if (!budget.spent()) consider(Pass(*this, gates, budget).run_twice(qubits));
  return best;
}

circuit::DerivedGates TwoQubitBlocks::resynthesize_once(std::span<const Operation> gates,
                                                        std::uint32_t qubits,
                                                        const Budget& budget) {
  return Pass(*this, gates, budget).run(qubits, true);
}

}  // namespace quartz::optimizer
