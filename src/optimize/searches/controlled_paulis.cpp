#include "optimize/searches/controlled_paulis.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "optimize/layer_rewriting/network_synthesis.hpp"
#include "optimize/resynthesis/block_replacement.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/if_expressible.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "optimize/windows/edited_gates.hpp"
#include "optimize/windows/narrow_window.hpp"
#include "quartz/circuit/cost.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kControlledPass{"controlled", "Pauli operators merged"};

/// A pair of controlled Pauli operators takes two groups of four rotations.
constexpr std::size_t kMinRotations = 8;
/// A controlled phase gate is three rotations.
constexpr std::size_t kRotationsOfTwoQubitGate = 3;
constexpr std::size_t kQubits = 3;
/// Two Toffoli gates have twelve two-qubit gates; others may be among them.
constexpr std::size_t kMaxTwoQubitGates = 24;
/// Random Toffoli gates on three qubits, the worst circuits, take two minutes at this size, also in
/// a budget of ticks; most others take seconds.
constexpr std::size_t kMaxOperationsOfMerging = 1'000'000;

/// Rewrites the windows of one list of gates.
class WindowRewriter : public SegmentRewriter {
 public:
  explicit WindowRewriter(const Problem& problem) : problem_(problem), synthesis_(problem) {}

 private:
  /// What the replacements of all windows have in common.
  struct Rewritten {
    Angle phase;
    bool is_numeric = false;
  };

  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override {
    EditedGates edited(gates);
    Rewritten rewritten;
    for (EditedGates::Index start = edited.first();
         start != EditedGates::kEnd && !budget.spent();) {
      // The window that begins at the same place afterwards may have another pair.
      const auto next = replaced_at(start, edited, rewritten, budget);
      start = next.value_or(edited.next(start));
    }
    std::vector<Operation> all = edited.gates();
    return {std::move(all), rewritten.phase,
            circuit::Derivation::by(std::move(edited).finish_history(), rewritten.is_numeric)};
  }
  /// Replaces the window that begins at a gate, and returns the gate that is in its place then;
  /// nothing if the window stays. Adds the phase to `rewritten`.
  [[nodiscard]] std::optional<EditedGates::Index> replaced_at(EditedGates::Index start,
                                                              EditedGates& gates,
                                                              Rewritten& rewritten,
                                                              const Budget& budget) const {
    if (gates[start].qubits.size() != 2) return std::nullopt;
    const NarrowWindow window = grow_narrow_window(gates, start, kMaxTwoQubitGates);
    const std::optional<BlockReplacement> replacement = replacement_of(window, gates, budget);
    if (!replacement) return std::nullopt;
    rewritten.phase.add_phase(replacement->phase);
    rewritten.is_numeric = rewritten.is_numeric || replacement->numeric;
    return gates.replace(window.gates, window.anchor, replacement->after);
  }

  [[nodiscard]] std::optional<BlockReplacement> replacement_of(const NarrowWindow& window,
                                                               const EditedGates& gates,
                                                               const Budget& budget) const {
    if (!has_enough_rotations(window, gates)) return std::nullopt;
    std::vector<Operation> before;
    for (const EditedGates::Index index : window.gates) before.push_back(gates[index]);
    return if_expressible([&] { return replacement_of(std::move(before), budget); });
  }

  /// Returns whether a window may have two groups of rotations by odd multiples of pi/4. This takes
  /// much less time than to find them, and most windows have too few.
  [[nodiscard]] static bool has_enough_rotations(const NarrowWindow& window,
                                                 const EditedGates& gates) {
    std::size_t rotations = 0;
    for (const EditedGates::Index index : window.gates) {
      const Operation& gate = gates[index];
      if (!std::ranges::all_of(gate.angles, is_eighth_turns)) continue;
      if (gate.qubits.size() == 2) {
        rotations += gate.angles.empty() ? 0 : kRotationsOfTwoQubitGate;
      } else if (counts_as_t(gate)) {
        rotations += std::max<std::size_t>(gate.angles.size(), 1);
      }
    }
    return rotations >= kMinRotations;
  }

  [[nodiscard]] std::optional<BlockReplacement> replacement_of(std::vector<Operation> before,
                                                               const Budget& budget) const {
    const QubitGroup group = split_by_qubits(before, kQubits).front();
    const std::optional<NetworkInput> input =
        synthesis_.input_of(group, ControlledPaulis::merged, budget);
    if (!input || input->merged_pairs == 0) return std::nullopt;
    std::optional<circuit::PhasedGates> network = synthesis_.cheapest(*input, {budget, budget});
    if (!network ||
        !(cost_of_gates(problem_, network->gates) < cost_of_gates(problem_, group.gates))) {
      return std::nullopt;
    }
    BlockReplacement replacement;
    replacement.before = std::move(before);
    append_group(group, std::move(network->gates), replacement.after);
    replacement.phase = network->phase;
    mark_numeric(replacement);
    if (!is_allowed(replacement, problem_.accuracy.exactness)) return std::nullopt;
    return replacement;
  }

  const Problem& problem_;
  NetworkSynthesis synthesis_;
};

class MergeControlledPaulis : public DividedThenJoined {
 public:
  explicit MergeControlledPaulis(const Problem& problem)
      : DividedThenJoined(
            std::make_shared<RewriteSegments>(std::make_shared<WindowRewriter>(problem))) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return obstacle_to_networks(problem, kMaxOperationsOfMerging);
  }
};

}  // namespace

SearchPointer make_controlled_paulis(const Problem& problem) {
  return std::make_shared<Pass>(kControlledPass, std::make_shared<MergeControlledPaulis>(problem));
}

SearchPointer make_controlled_search(const Problem& problem) {
  return make_controlled_paulis(problem);
}

}  // namespace quartz::optimizer
