#include "optimize/searches/pauli_network.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "optimize/pauli_network/pauli_string.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/network_synthesis.hpp"
#include "optimize/searches/simplify.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kNetworkPass{"pauli", "Pauli rotations resynthesized as a network of CNOTs"};

class NetworkRewriter : public SegmentRewriter {
 public:
  explicit NetworkRewriter(const Problem& problem) : problem_(problem), synthesis_(problem) {}

  /// Rewrites the gates between black boxes.
  [[nodiscard]] circuit::DerivedGates rewrite(std::span<const Operation> gates,
                                              const Budget& budget) override {
    std::vector<Operation> all;
    Angle phase;
    circuit::DerivedParts parts;
    std::vector<SegmentPlaces> places;
    std::vector<Segment> segments =
        split_into_segments(gates, segment_wires(problem_.circuit), Segments::divided, &places);
    for (std::size_t i = 0; i < segments.size(); ++i) {
      circuit::DerivedGates part = rewritten(segments[i].gates, budget);
      phase += part.phase;
      parts.add(std::move(places[i].gates), {}, part.derivation);
      if (places[i].boundary) {
        parts.add({*places[i].boundary}, {}, circuit::Derivation::unchanged());
      }
      segments[i].gates = std::move(part.gates);
      append_segment(std::move(segments[i]), all);
    }
    return {std::move(all), phase, std::move(parts).finish()};
  }

 private:
  static constexpr std::size_t kMinGates = 8;

  /// Makes networks of groups of qubits that are small enough.
  [[nodiscard]] circuit::DerivedGates rewritten(std::span<const Operation> gates,
                                                const Budget& budget) const {
    std::vector<Operation> all;
    Angle phase;
    circuit::DerivedParts parts;
    for (QubitGroup& group : split_by_qubits(gates, kMaxQubitsOfPauliString)) {
      circuit::DerivedGates part = rewritten(group, budget);
      append_group(group, std::move(part.gates), all);
      phase += part.phase;
      parts.add(std::move(group.places), std::move(group.qubits), part.derivation);
    }
    return {std::move(all), phase, std::move(parts).finish()};
  }
  [[nodiscard]] circuit::DerivedGates rewritten(const QubitGroup& group,
                                                const Budget& budget) const {
    try {
      std::optional<NetworkInput> input;
      if (group.gates.size() >= kMinGates) input = synthesis_.input_of(group, budget);
      std::optional<circuit::PhasedGates> network;
      if (input) network = synthesis_.cheapest(*input, budget);
      if (network) {
        circuit::Derivation derivation = derivation_of(group, network->gates);
        return {std::move(network->gates), network->phase, std::move(derivation)};
      }
    } catch (const InputError&) {
      // A gate set cannot express the gates of the other one.
    } catch (const OverflowError&) {
      // The exact sums of some angles do not fit into 64 bits.
    }
    return circuit::DerivedGates::unchanged(group.gates);
  }

  /// All gates are replaced at once.
  [[nodiscard]] static circuit::Derivation derivation_of(const QubitGroup& group,
                                                         std::span<const Operation> gates) {
    std::vector<const Operation*> after;
    for (const Operation& gate : gates) after.push_back(&gate);
    const std::vector<std::uint32_t> origins(after.size(), circuit::kNewGate);
    return circuit::Derivation::by(circuit::exchange_history(
        group.gates.size(), after, origins, static_cast<std::uint32_t>(group.qubits.size())));
  }

  const Problem& problem_;
  NetworkSynthesis synthesis_;
};

/// Larger circuits have no network in time.
constexpr std::size_t kMaxOperationsOfNetworks = 10'000;

/// Makes networks of the segments of the current version, whatever they cost.
class PauliNetworks {
 public:
  PauliNetworks(const Problem& problem, SearchPointer simplify)
      : rewriter_(problem), simplify_(std::move(simplify)) {}

  static std::optional<std::string> obstacle(const Problem& problem) {
    return obstacle_to_networks(problem, kMaxOperationsOfNetworks);
  }
  void make(SearchState& state, const Budget& budget) {
    state.run_pass(kNetworkPass, [&] {
      const Budget limits = budget.counts_ticks() ? budget.until_stopped() : budget;
      for (std::size_t i = 0; i < state.segment_count() && !limits.spent(); ++i) {
        const std::vector<Operation>& gates = state.segment(i).gates;
        if (!gates.empty()) state.replace(i, rewriter_.rewrite(gates, limits));
      }
      (void)simplify_->run(state, budget);
      state.keep_best();
    });
  }

 private:
  NetworkRewriter rewriter_;
  SearchPointer simplify_;
};

/// Makes networks, and keeps them if they cost less.
class NetworkSearch : public Search {
 public:
  explicit NetworkSearch(const Problem& problem)
      : networks_(problem, std::make_shared<Simplify>(problem)) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return PauliNetworks::obstacle(problem);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    const Version before = state.now();
    const SearchCost cost_before = state.cost();
    networks_.make(state, budget);
    if (!(state.cost() < cost_before)) state.go_to(before);
    return Outcome::exhausted;
  }

  PauliNetworks networks_;
};

/// A network is tried as a start if its first objective that differs is at most this fraction.
constexpr double kMaxFractionOfStart = 0.85;
/// Fraction of the budget for one of the two networks, and for the trial of each start.
constexpr double kNetworkShare = 0.1;
constexpr double kTrialShare = 0.4;

bool is_much_cheaper(const SearchCost& network, const SearchCost& other) {
  for (std::size_t i = 0; i < network.objectives.units.size(); ++i) {
    const auto left = static_cast<double>(network.objectives.units[i]);
    const auto right = static_cast<double>(other.objectives.units[i]);
    if (left != right) return left <= kMaxFractionOfStart * right;
  }
  return false;
}

/// Simplifies, makes networks of the circuit before and after that, and chooses between the
/// simplified circuit and the better network.
class NetworkOrSimplified : public Search {
 public:
  NetworkOrSimplified(const Problem& problem, NetworkStartParts parts)
      : simplification_(std::move(parts.simplification)),
        trial_(std::move(parts.trial)),
        networks_(problem, std::move(parts.simplify)) {}

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    const Budget::Amount whole = budget.left();
    const Version before = state.now();
    (void)simplification_->run(state, budget);
    const Version simplified = state.now();
    const std::optional<Version> network =
        best_network(state, {&before, &simplified}, budget, whole.times(kNetworkShare));
    state.go_to(simplified);
    if (!network) return Outcome::exhausted;
    const Budget::Amount of_trial = whole.times(kTrialShare);
    (void)trial_->run(state, budget.limited_to(of_trial));
    const Version from_simplified = state.now();
    const SearchCost cost_from_simplified = state.cost();
    state.go_to(*network);
    (void)trial_->run(state, budget.limited_to(of_trial));
    if (cost_from_simplified < state.cost()) state.go_to(from_simplified);
    return Outcome::exhausted;
  }

  /// Returns the cheapest network of some versions, unless the last one of them, which is the
  /// current version, costs nearly as little.
  [[nodiscard]] std::optional<Version> best_network(SearchState& state,
                                                    std::array<const Version*, 2> origins,
                                                    const Budget& budget,
                                                    const Budget::Amount& amount) {
    const SearchCost limit = state.cost();
    std::optional<Version> best;
    SearchCost best_cost;
    for (const Version* const origin : origins) {
      state.go_to(*origin);
      networks_.make(state, budget.limited_to(amount));
      const SearchCost cost = state.cost();
      if (!is_much_cheaper(cost, limit) || (best && best_cost <= cost)) continue;
      best = state.now();
      best_cost = cost;
    }
    return best;
  }

  SearchPointer simplification_;
  SearchPointer trial_;
  PauliNetworks networks_;
};

}  // namespace

SearchPointer make_network_start(const Problem& problem, NetworkStartParts parts) {
  if (PauliNetworks::obstacle(problem)) return parts.simplification;
  return std::make_shared<NetworkOrSimplified>(problem, std::move(parts));
}

SearchPointer make_pauli_search(const Problem& problem) {
  return std::make_shared<NetworkSearch>(problem);
}

}  // namespace quartz::optimizer
