#include "optimize/searches/controlled_paulis.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "optimize/resynthesis/block_replacement.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/network_synthesis.hpp"
#include "optimize/state/numeric_angle.hpp"
#include "optimize/state/three_qubit_window.hpp"
#include "quartz/base/errors.hpp"
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
/// Toffoli gates on a few qubits take two seconds at this size, also in a budget of ticks.
constexpr std::size_t kMaxOperationsOfMerging = 100'000;

/// Rewrites the windows of one list of gates.
class WindowRewriter : public SegmentRewriter {
 public:
  explicit WindowRewriter(const Problem& problem) : problem_(problem), synthesis_(problem) {}

  [[nodiscard]] circuit::PhasedGates rewrite(std::span<const Operation> gates,
                                             const Budget& budget) override {
    circuit::PhasedGates result{{gates.begin(), gates.end()}, {}, false};
    ThreeQubitWindows windows(result.gates);
    for (std::size_t start = 0; start < result.gates.size() && !budget.spent();) {
      if (result.gates[start].qubits.size() == 2) {
        const ThreeQubitWindow window = windows.grow(start, kMaxTwoQubitGates);
        if (auto replacement = replacement_of(window, result.gates, budget)) {
          make(window, *std::move(replacement), result);
          windows = ThreeQubitWindows(result.gates);
          continue;  // the window that begins here now may have another pair
        }
      }
      ++start;
    }
    return result;
  }

 private:
  [[nodiscard]] std::optional<BlockReplacement> replacement_of(const ThreeQubitWindow& window,
                                                               std::span<const Operation> gates,
                                                               const Budget& budget) const {
    if (!has_enough_rotations(window, gates)) return std::nullopt;
    BlockReplacement replacement;
    for (const std::size_t place : window.places) replacement.before.push_back(gates[place]);
    try {
      if (find_replacement(replacement, budget)) return replacement;
    } catch (const InputError&) {
      // A gate set cannot express the gates of the other one.
    } catch (const OverflowError&) {
      // The exact sums of some angles do not fit into 64 bits.
    }
    return std::nullopt;
  }

  /// Returns whether a window may have two groups of rotations by odd multiples of pi/4. This takes
  /// much less time than to find them, and most windows have too few.
  [[nodiscard]] static bool has_enough_rotations(const ThreeQubitWindow& window,
                                                 std::span<const Operation> gates) {
    std::size_t rotations = 0;
    for (const std::size_t place : window.places) {
      const Operation& gate = gates[place];
      if (!std::ranges::all_of(gate.angles, is_eighth_turns)) continue;
      if (gate.qubits.size() == 2) {
        rotations += gate.angles.empty() ? 0 : kRotationsOfTwoQubitGate;
      } else if (counts_as_t(gate)) {
        rotations += std::max<std::size_t>(gate.angles.size(), 1);
      }
    }
    return rotations >= kMinRotations;
  }

  [[nodiscard]] bool find_replacement(BlockReplacement& replacement, const Budget& budget) const {
    const QubitGroup group = split_by_qubits(replacement.before, kQubits).front();
    const std::optional<NetworkInput> input = synthesis_.input_of(group, budget);
    if (!input || input->merged_pairs == 0) return false;
    std::optional<circuit::PhasedGates> network = synthesis_.cheapest(*input, budget);
    if (!network ||
        !(cost_of_gates(problem_, network->gates) < cost_of_gates(problem_, group.gates))) {
      return false;
    }
    append_group(group, std::move(network->gates), replacement.after);
    replacement.phase = network->phase;
    mark_numeric(replacement);
    return is_allowed(replacement, problem_.accuracy.exactness);
  }

  void make(const ThreeQubitWindow& window, BlockReplacement replacement,
            circuit::PhasedGates& circuit) const {
    std::vector<Operation> after = replacement.after;
    std::vector<PlacedReplacement> placed;
    placed.push_back(
        {std::move(replacement), window.places, {{window.anchor, std::move(after)}}, {}, {}});
    make_replacements(circuit, placed, problem_.record.history);
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
