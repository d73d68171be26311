#include "optimize/search/starts.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "optimize/clifford_synthesis/clifford_synthesis.hpp"
#include "optimize/gate_blocks/gate_blocks.hpp"
#include "optimize/layer_rewriting/network_synthesis.hpp"
#include "optimize/pauli/pauli_gate.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/if_expressible.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/simplify.hpp"
#include "optimize/state/direction.hpp"
#include "optimize/state/segments.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kCliffordPass{"cliffords", "Clifford blocks resynthesized from their tableaus"};

/// The gates of tableaus; other gate sets are translated into it and back.
constexpr std::string_view kTableauSet = "nam";

/// Larger circuits are not read.
constexpr std::size_t kMaxOperationsOfCliffords = 1'000'000;

/// Smaller blocks are left to other searches, which find the best ones.
constexpr std::size_t kMinQubits = 3;
/// Most qubits of a block. Its maps take 24 n^2 bits, 50 MB for this many, and each reduction takes
/// time by n^3.
constexpr std::size_t kMaxQubits = 4096;
constexpr std::size_t kMinTwoQubitGates = 3;

/// Time for dividing a circuit into blocks, in copies of it.
constexpr double kCopiesOfBlocks = 12;

/// Gates on several qubits in a large block, and the fraction of all such gates of a circuit that
/// must be in large blocks for a start to be made of them.
constexpr std::size_t kGatesOfLargeBlock = 20;
constexpr double kLargeBlocksShare = 0.25;

/// Circuits with more large blocks than this have a start only if those of a sample of this many
/// gates, in a fraction of the budget of the start, cost at most a fraction of what they did. The
/// ends of the sample cut blocks, which makes no difference if there are many.
constexpr std::size_t kMostBlocksWithoutSample = 24;
constexpr std::size_t kGatesOfCliffordSample = 4096;
constexpr double kShareOfCliffordSample = 0.1;
constexpr double kMaxRatioOfCliffordSample = 0.98;

/// Fraction of the budget of a start for simplifying the circuit first: routed circuits of tens of
/// thousands of gates would take all of it.
constexpr double kShareBeforeBlocks = 0.25;

bool is_on_several_qubits(const Operation& gate) {
  return !is_black_box(gate) && gate.qubits.size() > 1;
}

std::size_t gates_on_several_qubits(std::span<const Operation> gates, const GateBlock& block) {
  return static_cast<std::size_t>(std::ranges::count_if(
      block.gates, [&](std::uint32_t gate) { return is_on_several_qubits(gates[gate]); }));
}

/// Tells which operations are Clifford gates on one or two qubits.
class CliffordGates {
 public:
  [[nodiscard]] bool contains(const Operation& operation) {
    if (is_black_box(operation) || operation.qubits.size() > 2) return false;
    const auto [known, is_new] =
        known_.try_emplace(std::pair(operation.gate, key_of_quarter_turns(operation)));
    if (is_new) known->second = as_clifford(operation).has_value();
    return known->second;
  }
  [[nodiscard]] std::vector<GateBlock> blocks_of(std::span<const Operation> gates,
                                                 std::uint32_t wires) {
    std::vector<bool> is_clifford;
    for (const Operation& gate : gates) is_clifford.push_back(contains(gate));
    return divide_into_blocks(gates, wires, is_clifford);
  }

 private:
  std::map<std::pair<GateKind, std::uint64_t>, bool> known_;
};

/// Gates in {h, x, rz, cx} as the gates of a tableau.
struct TableauInput {
  std::vector<CliffordGate> gates;
  std::size_t cnots = 0;
  bool is_negated = false;  ///< whether the product of the gates is to be multiplied by -1
};

/// Returns nothing if there are other gates, or rotations by other angles than quarter turns.
std::optional<TableauInput> tableau_input(std::span<const Operation> gates) {
  TableauInput input;
  for (const Operation& gate : gates) {
    switch (gate.gate) {
      case GateKind::h:
        input.gates.push_back({CliffordKind::h, gate.qubits[0]});
        break;
      case GateKind::x:
        input.gates.push_back({CliffordKind::x, gate.qubits[0]});
        break;
      case GateKind::cx:
        input.gates.push_back({CliffordKind::cx, gate.qubits[0], gate.qubits[1]});
        ++input.cnots;
        break;
      case GateKind::rz: {
        const std::optional<unsigned> quarters = quarter_turns(gate.angles[0]);
        if (!quarters) return std::nullopt;
        // A full turn changes the sign.
        input.is_negated = input.is_negated != (*quarters >= 4);
        if (*quarters % 4 == 0) break;
        input.gates.push_back({CliffordKind::s, gate.qubits[0], 0, *quarters % 4});
        break;
      }
      default:
        return std::nullopt;
    }
  }
  return input;
}

Operation operation_of(const CliffordGate& gate) {
  switch (gate.kind) {
    case CliffordKind::h:
      return make_operation(GateKind::h, {gate.first});
    case CliffordKind::x:
      return make_operation(GateKind::x, {gate.first});
    case CliffordKind::cx:
      return make_operation(GateKind::cx, {gate.first, gate.second});
    case CliffordKind::s:
      break;
  }
  return make_operation(GateKind::rz, {gate.first},
                        {Angle::pi_times(Rational(static_cast<std::int64_t>(gate.quarters), 2))});
}

/// Returns the fraction of what is left that a number of gates is.
double fraction(std::size_t gates, std::size_t left) {
  return static_cast<double>(gates) / static_cast<double>(std::max(gates, left));
}

/// Returns whether gates are on coupled pairs and keep to their directions.
bool are_allowed(std::span<const Operation> gates, const CoupledPairs& pairs) {
  return std::ranges::all_of(gates, [&](const Operation& gate) {
    if (gate.qubits.size() < 2) return true;
    const bool has_targets = pairs.targets && has_direction(gate.gate);
    const Neighbours& allowed = has_targets ? *pairs.targets : pairs.neighbours;
    return std::ranges::count(allowed[gate.qubits[0]], gate.qubits[1]) > 0;
  });
}

/// Replaces Clifford blocks by cheaper ones.
class CliffordRewriter : public SegmentRewriter {
 public:
  explicit CliffordRewriter(const Problem& problem)
      : problem_(problem),
        set_(load_gate_set(kTableauSet)),
        wires_(problem.wires),
        simplification_(make_simplification(problem)),
        random_(problem.seed) {
    if (problem.coupling != nullptr && problem.coupling->directed()) {
      directions_.emplace(problem.set, *problem.coupling);
    }
  }

 private:
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override {
    std::vector<Operation> all;
    Angle phase;
    circuit::DerivedParts parts;
    bool has_changed = false;
    std::size_t left = gates.size();
    if (std::ranges::count_if(gates, is_on_several_qubits) <
        static_cast<std::ptrdiff_t>(kMinTwoQubitGates)) {
      return circuit::DerivedGates::unchanged(gates);
    }
    for (GateBlock& block : cliffords_.blocks_of(gates, wires_)) {
      const double share = fraction(block.gates.size(), left);
      left -= block.gates.size();
      std::optional<circuit::PhasedGates> found;
      if (block.has_kind && !budget.spent()) found = cheaper(gates, block, budget.share(share));
      if (!found) {
        for (const std::uint32_t gate : block.gates) all.push_back(gates[gate]);
        parts.add(std::move(block.gates), {}, circuit::Derivation::unchanged());
        continue;
      }
      has_changed = true;
      phase += found->phase;
      const auto qubits = static_cast<std::uint32_t>(block.qubits.size());
      circuit::Derivation derivation =
          circuit::Derivation::by_exchange(block.gates.size(), found->gates, qubits);
      for (Operation& gate : found->gates) {
        for (Qubit& qubit : gate.qubits) qubit = block.qubits[qubit];
        all.push_back(std::move(gate));
      }
      parts.add(std::move(block.gates), std::move(block.qubits), derivation);
    }
    if (!has_changed) return circuit::DerivedGates::unchanged(gates);
    return {std::move(all), phase, std::move(parts).finish()};
  }
  /// Returns cheaper gates for a block, on its qubits by their numbers in the block, or nothing.
  [[nodiscard]] std::optional<circuit::PhasedGates> cheaper(std::span<const Operation> gates,
                                                            const GateBlock& block,
                                                            const Budget& budget) {
    if (block.qubits.size() < kMinQubits || block.qubits.size() > kMaxQubits) return std::nullopt;
    if (gates_on_several_qubits(gates, block) < kMinTwoQubitGates) return std::nullopt;
    return if_expressible([&] { return cheaper(own_gates(gates, block), block.qubits, budget); });
  }
  /// Returns the gates of a block on its qubits by their numbers in the block.
  [[nodiscard]] static std::vector<Operation> own_gates(std::span<const Operation> gates,
                                                        const GateBlock& block) {
    std::vector<Operation> own;
    for (const std::uint32_t gate : block.gates) {
      Operation& operation = own.emplace_back(gates[gate]);
      for (Qubit& qubit : operation.qubits) {
        const auto place = std::ranges::lower_bound(block.qubits, qubit);
        qubit = static_cast<Qubit>(place - block.qubits.begin());
      }
    }
    return own;
  }
  /// Returns which pairs of some qubits are coupled, by their numbers in the list; nothing if all
  /// are.
  [[nodiscard]] std::optional<CoupledPairs> pairs_of(const std::vector<Qubit>& block) const {
    if (problem_.coupling == nullptr) return std::nullopt;
    CoupledPairs pairs{Neighbours(block.size()), {}};
    if (problem_.coupling->directed()) pairs.targets = Neighbours(block.size());
    for (std::uint32_t i = 0; i < block.size(); ++i) {
      for (std::uint32_t j = 0; j < block.size(); ++j) {
        if (i == j || !problem_.coupling->contains(block[i], block[j])) continue;
        pairs.neighbours[i].push_back(j);
        if (pairs.targets && problem_.coupling->allows(block[i], block[j]))
          (*pairs.targets)[i].push_back(j);
      }
    }
    return pairs;
  }
  [[nodiscard]] circuit::DerivedGates with_directions_fixed(circuit::DerivedGates gates) {
    if (!directions_) return gates;
    circuit::DerivedGates fixed = directions_->fix_gate_directions(gates.gates);
    fixed.phase.add_phase(gates.phase);
    return fixed;
  }
  /// Simplifies gates of a block, which the coupling map knows by the qubits of the circuit, and
  /// reverses those against its directions. Records no history.
  [[nodiscard]] circuit::DerivedGates simplified(std::vector<Operation> gates,
                                                 const std::vector<Qubit>& block,
                                                 const Budget& budget) {
    for (Operation& gate : gates) {
      for (Qubit& qubit : gate.qubits) qubit = block[qubit];
    }
    circuit::DerivedGates result =
        with_directions_fixed(simplification_->rewrite(gates, budget.until_stopped()));
    for (Operation& gate : result.gates) {
      for (Qubit& qubit : gate.qubits) {
        qubit = static_cast<Qubit>(std::ranges::lower_bound(block, qubit) - block.begin());
      }
    }
    return result;
  }
  [[nodiscard]] std::optional<circuit::PhasedGates> cheaper(std::vector<Operation> gates,
                                                            const std::vector<Qubit>& block,
                                                            const Budget& budget) {
    const auto qubits = static_cast<std::uint32_t>(block.size());
    const std::optional<CoupledPairs> pairs = pairs_of(block);
    const SearchCost cost_before = cost_of_gates(problem_, gates);
    const Circuit circuit = translate(make_circuit(qubits, std::move(gates)), set_, budget.stop);
    const std::optional<TableauInput> input = tableau_input(circuit.operations);
    if (!input) return std::nullopt;
    const std::optional<PhasedCliffordGates> found = resynthesized_clifford(
        input->gates, qubits, pairs ? &*pairs : nullptr, input->cnots, random_, budget);
    if (!found) return std::nullopt;
    std::vector<Operation> after;
    for (const CliffordGate& gate : found->gates) after.push_back(operation_of(gate));
    const Circuit back =
        translate(make_circuit(qubits, std::move(after)), problem_.set, budget.stop);
    circuit::DerivedGates shorter = simplified(back.operations, block, budget);
    if (!(cost_of_gates(problem_, shorter.gates) < cost_before)) return std::nullopt;
    if (pairs && !are_allowed(shorter.gates, *pairs)) return std::nullopt;
    Angle phase = circuit.global_phase + back.global_phase + shorter.phase;
    phase.add_phase(Angle::pi_times(Rational(found->eighths + (input->is_negated ? 4 : 0), 4)));
    return circuit::PhasedGates{std::move(shorter.gates), phase};
  }

  const Problem& problem_;
  GateSet set_;
  std::uint32_t wires_;
  SegmentRewriterPointer simplification_;
  std::optional<Directions> directions_;  ///< those of the coupling map if it is directed
  FastRandom random_;
  CliffordGates cliffords_;
};

/// Resynthesizes the blocks of all segments.
class CliffordBlocks {
 public:
  CliffordBlocks(const Problem& problem, SearchPointer simplify)
      : rewriter_(problem), simplify_(std::move(simplify)) {}

  /// Returns what the gates cost in the end, where they cost 1 as they are.
  [[nodiscard]] double ratio_for(const Problem& problem, std::span<const Operation> gates,
                                 const Budget& budget) {
    const SearchCost before = cost_of_gates(problem, gates);
    const SearchCost after = cost_of_gates(problem, rewriter_.rewrite(gates, budget).gates);
    for (std::size_t i = 0; i < before.objectives.units.size(); ++i) {
      const auto units = [&](const SearchCost& cost) {
        return static_cast<double>(cost.objectives.units[i]);
      };
      if (units(before) != units(after)) return units(after) / std::max(units(before), 1.0);
    }
    return 1;
  }

  /// Returns whether the gates have changed.
  bool resynthesize(SearchState& state, const Budget& budget) {
    bool has_changed = false;
    state.run_pass(kCliffordPass, [&] {
      std::size_t left = state.gate_count();
      for (std::size_t i = 0; i < state.segment_count() && !budget.spent(); ++i) {
        const std::span<const Operation> gates = state.segment(i).gates;
        if (gates.empty()) continue;
        const double share = fraction(gates.size(), left);
        left -= gates.size();
        circuit::DerivedGates rewritten = rewriter_.rewrite(gates, budget.share(share));
        if (rewritten.derivation.history() == nullptr) continue;
        state.replace(i, std::move(rewritten));
        has_changed = true;
      }
      if (!has_changed) return;
      (void)simplify_->run(state, budget);
      state.keep_best();
    });
    return has_changed;
  }

 private:
  CliffordRewriter rewriter_;
  SearchPointer simplify_;
};

std::optional<std::string> obstacle_to_cliffords(const Problem& problem) {
  return obstacle_to_synthesis(problem, kMaxOperationsOfCliffords);
}

/// Keeps what costs less.
class CliffordSearch : public Search {
 public:
  explicit CliffordSearch(const Problem& problem)
      : blocks_(problem, std::make_shared<Simplify>(problem)) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return obstacle_to_cliffords(problem);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    const Version before = state.now();
    const SearchCost cost_before = state.cost();
    (void)blocks_.resynthesize(state, budget);
    if (!(state.cost() < cost_before)) state.go_to(before);
    return Outcome::exhausted;
  }

  CliffordBlocks blocks_;
};

/// Begins with the resynthesized blocks of circuits that have large ones.
class CliffordStart : public Search {
 public:
  CliffordStart(const Problem& problem, SearchPointer simplification, SearchPointer simplify)
      : simplification_(std::move(simplification)), blocks_(problem, std::move(simplify)) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return obstacle_to_cliffords(problem);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    if (!state.has_time_for(budget, kCopiesOfBlocks)) return Outcome::no_result;
    const std::size_t blocks = count_large_blocks(state);
    if (blocks == 0) return Outcome::no_result;
    if (blocks > kMostBlocksWithoutSample && !pays(state.problem(), budget)) {
      return Outcome::no_result;
    }
    (void)simplification_->run(state, budget.share(kShareBeforeBlocks));
    return blocks_.resynthesize(state, budget) ? Outcome::exhausted : Outcome::no_result;
  }

  /// Returns whether a sample from the middle of the circuit, simplified, becomes cheaper, and not
  /// less than Pauli networks make it, if these pay.
  [[nodiscard]] bool pays(const Problem& problem, const Budget& budget) {
    const circuit::DerivedGates sample = make_simplification(problem)->rewrite(
        gates_in_the_middle(problem.circuit.operations, kGatesOfCliffordSample), budget);
    const double ratio =
        blocks_.ratio_for(problem, sample.gates, budget.share(kShareOfCliffordSample));
    return ratio <= kMaxRatioOfCliffordSample &&
           ratio <= problem.findings->ratio_of_networks.value_or(1);
  }

  /// Returns the number of large blocks of a circuit that consists of them for a good part, or 0.
  [[nodiscard]] std::size_t count_large_blocks(const SearchState& state) {
    std::size_t blocks = 0;
    std::size_t all = 0;
    std::size_t in_large_blocks = 0;
    for (std::size_t i = 0; i < state.segment_count(); ++i) {
      const std::span<const Operation> gates = state.segment(i).gates;
      const auto on_several = std::ranges::count_if(gates, is_on_several_qubits);
      all += static_cast<std::size_t>(on_several);
      // Finding the blocks of a short segment takes time by the number of all qubits.
      if (static_cast<std::size_t>(on_several) < kGatesOfLargeBlock) continue;
      for (const GateBlock& block : cliffords_.blocks_of(gates, state.wires())) {
        if (!block.has_kind) continue;
        const std::size_t number = gates_on_several_qubits(gates, block);
        if (number < kGatesOfLargeBlock) continue;
        in_large_blocks += number;
        ++blocks;
      }
    }
    const bool is_good_part =
        static_cast<double>(in_large_blocks) >= kLargeBlocksShare * static_cast<double>(all);
    return is_good_part ? blocks : 0;
  }

  SearchPointer simplification_;
  CliffordBlocks blocks_;
  CliffordGates cliffords_;
};

}  // namespace

SearchPointer make_clifford_start(const Problem& problem, SearchPointer simplification,
                                  SearchPointer simplify) {
  return std::make_shared<CliffordStart>(problem, std::move(simplification), std::move(simplify));
}

SearchPointer make_cliffords_search(const Problem& problem) {
  return std::make_shared<CliffordSearch>(problem);
}

}  // namespace quartz::optimizer
