#include "optimize/searches/controlled_paulis.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "optimize/resynthesis/block_replacement.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/network_synthesis.hpp"
#include "optimize/state/three_qubit_window.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kControlledPass{"controlled",
                                   "Pauli operators under the same two controls merged"};

/// A pair of controlled Pauli operators takes two groups of four rotations.
constexpr std::ptrdiff_t kMinRotations = 8;
/// Two Toffoli gates have twelve two-qubit gates; others may be among them.
constexpr std::size_t kMaxTwoQubitGates = 24;
/// Larger circuits take more than a second.
constexpr std::size_t kMaxOperations = 100'000;

/// Rewrites the windows of one list of gates.
class WindowRewriter : public SegmentRewriter {
 public:
  explicit WindowRewriter(const Problem& problem) : problem_(problem), synthesis_(problem) {}

  [[nodiscard]] circuit::PhasedGates rewrite(std::span<const Operation> gates,
                                             const Budget& budget) override {
    circuit::PhasedGates result{{gates.begin(), gates.end()}, {}, false};
    for (std::size_t start = 0; start < result.gates.size() && !budget.spent();) {
      // After a replacement, the window that begins here may have another pair.
      if (!replace_window(start, result, budget)) ++start;
    }
    return result;
  }

 private:
  bool replace_window(std::size_t start, circuit::PhasedGates& circuit, const Budget& budget) {
    if (circuit.gates[start].qubits.size() != 2) return false;
    const ThreeQubitWindow window =
        grow_three_qubit_window(circuit.gates, start, kMaxTwoQubitGates);
    BlockReplacement replacement;
    for (const std::size_t place : window.places) {
      replacement.before.push_back(circuit.gates[place]);
    }
    if (!has_enough_rotations(replacement.before)) return false;
    try {
      if (!find_replacement(replacement, budget)) return false;
    } catch (const InputError&) {
      return false;  // a gate set cannot express the gates of the other one
    } catch (const OverflowError&) {
      return false;  // the exact sums of some angles do not fit into 64 bits
    }
    make(window, std::move(replacement), circuit);
    return true;
  }

  [[nodiscard]] static bool has_enough_rotations(std::span<const Operation> gates) {
    return std::ranges::count_if(gates, [](const Operation& gate) {
             return gate.qubits.size() == 1 && gate.gate != GateKind::h;
           }) >= kMinRotations;
  }

  [[nodiscard]] bool find_replacement(BlockReplacement& replacement, const Budget& budget) const {
    if (synthesis_.merged_pairs(replacement.before, budget) == 0) return false;
    std::optional<circuit::PhasedGates> network = synthesis_.cheapest(replacement.before, budget);
    if (!network ||
        !(cost_of_gates(problem_, network->gates) < cost_of_gates(problem_, replacement.before))) {
      return false;
    }
    replacement.after = std::move(network->gates);
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
    if (problem_.record.history) {
      circuit.history =
          circuit::in_sequence(std::move(circuit.history), history_of(circuit.gates, placed));
    }
    circuit.gates = replaced(std::move(circuit.gates), placed);
    circuit.phase.add_phase(placed.front().replacement.phase);
    circuit.numeric = circuit.numeric || placed.front().replacement.numeric;
  }

  const Problem& problem_;
  NetworkSynthesis synthesis_;
};

class MergeControlledPaulis : public Search {
 public:
  explicit MergeControlledPaulis(const Problem& problem)
      : rewriting_(std::make_shared<WindowRewriter>(problem)) {}
  [[nodiscard]] bool applies(const Problem& problem) const override {
    return problem.coupling == nullptr && !problem.record.rules &&
           problem.circuit.operations.size() <= kMaxOperations;
  }
  Outcome run(SearchState& state, const Budget& budget) override {
    if (!applies(state.problem())) return Outcome::no_result;
    const Budget limits = budget.counts_ticks() ? budget.until_stopped() : budget;
    const Outcome outcome = rewriting_.run(state, limits);
    return state.join_segments() ? rewriting_.run(state, limits) : outcome;
  }

 private:
  RewriteSegments rewriting_;
};

}  // namespace

SearchPointer make_controlled_paulis(const Problem& problem) {
  return std::make_shared<Pass>(kControlledPass, std::make_shared<MergeControlledPaulis>(problem));
}

SearchPointer make_controlled_search(const Problem& problem) {
  return make_controlled_paulis(problem);
}

}  // namespace quartz::optimizer
