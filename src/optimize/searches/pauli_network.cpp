#include "optimize/search/starts.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "optimize/layer_rewriting/network_synthesis.hpp"
#include "optimize/pauli_network/rotation_columns.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/if_expressible.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/simplify.hpp"
#include "optimize/state/group_rewriting.hpp"
#include "optimize/state/qubit_groups.hpp"
#include "optimize/state/segments.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

/// Returns the name of the pass that makes networks.
PassName pass_of(NetworkChoice choice) {
  if (choice == NetworkChoice::layered) {
    return {"layers", "commuting Pauli rotations resynthesized beside each other"};
  }
  return {"pauli", "Pauli rotations resynthesized as a network of CNOTs"};
}

/// Networks are tried on a sample of this many gates, and pay if they cost at most this fraction of
/// the simplified gates.
constexpr std::size_t kGatesOfNetworkSample = 4096;
constexpr double kMaxRatioOfNetworkSample = 0.9;
constexpr std::size_t kLeastRotationsOfSample = 10;  ///< fewer say nothing about the others
constexpr double kShareOfNetworkSample = 0.05;       ///< fraction of the time for that

class NetworkRewriter : public SegmentRewriter {
 public:
  NetworkRewriter(const Problem& problem, NetworkChoice choice)
      : problem_(problem), synthesis_(problem), random_(problem.seed), choice_(choice) {}

 private:
  static constexpr std::size_t kMinGates = 8;
  /// Rotations of the stretches of a group with too many of them. Those of a stretch may be twice
  /// as many: the last one is longer, and rotations are not spread evenly.
  static constexpr std::size_t kRotationsOfStretch = kMaxRotations / 2;
  /// Fraction of the time for the best of several networks of each stretch, and of a whole group if
  /// a sample has told the best reach: the first network has most of the gain, and annealing finds
  /// as much behind it in the rest.
  static constexpr double kShareOfOthers = 0.25;
  /// Stretches that are tried if none of them costs less as a network.
  static constexpr std::size_t kStretchesToPay = 3;

  /// Rewrites the gates between black boxes.
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override {
    return rewrite_groups(gates, problem_.wires, kMaxQubitsOfNetwork,
                          [&](const QubitGroup& group) { return rewritten(group, budget); });
  }
  [[nodiscard]] circuit::DerivedGates rewritten(const QubitGroup& group, const Budget& budget) {
    if (group.gates.size() < kMinGates) return circuit::DerivedGates::unchanged(group.gates);
    if (auto replaced = with_network(group, {budget, budget_of_others(budget)})) {
      return *std::move(replaced);
    }
    const std::optional<std::size_t> rotations =
        if_expressible([&] { return std::optional(synthesis_.rotations_of(group, budget)); });
    if (rotations && *rotations > kMaxRotations) return with_networks(group, *rotations, budget);
    return circuit::DerivedGates::unchanged(group.gates);
  }
  [[nodiscard]] Budget budget_of_others(const Budget& budget) const {
    const double ratio = problem_.findings->ratio_of_networks.value_or(1);
    return ratio <= kMaxRatioOfNetworkSample ? budget.share(kShareOfOthers) : budget;
  }
  /// Replaces a group by a network, whatever that costs, if it has one.
  [[nodiscard]] std::optional<circuit::DerivedGates> with_network(const QubitGroup& group,
                                                                  const NetworkBudget& budget) {
    std::optional<circuit::PhasedGates> network =
        if_expressible([&] { return network_of(group, budget); });
    if (!network) return std::nullopt;
    circuit::Derivation derivation = circuit::Derivation::by_exchange(
        group.gates.size(), network->gates, static_cast<std::uint32_t>(group.qubits.size()));
    return circuit::DerivedGates{std::move(network->gates), network->phase, std::move(derivation)};
  }
  /// Replaces stretches of a group that has too many rotations for one network by networks that
  /// cost less, in time that is linear in its size. Ends if the first ones cost more.
  [[nodiscard]] circuit::DerivedGates with_networks(const QubitGroup& group, std::size_t rotations,
                                                    const Budget& budget) {
    const std::size_t size =
        std::max<std::size_t>(group.gates.size() * kRotationsOfStretch / rotations, 1);
    std::size_t left = group.gates.size();
    std::size_t tried = 0;
    std::size_t replaced = 0;
    return rewrite_stretches(group.gates, size, budget, [&](std::span<const Operation> stretch) {
      const double share = static_cast<double>(stretch.size()) / static_cast<double>(left);
      left -= stretch.size();
      if (tried == kStretchesToPay && replaced == 0) {
        return circuit::DerivedGates::unchanged(stretch);
      }
      ++tried;
      std::optional<circuit::DerivedGates> network =
          with_network({group.qubits, {stretch.begin(), stretch.end()}, {}},
                       {budget, budget.share(kShareOfOthers * share)});
      if (!network ||
          !(cost_of_gates(problem_, network->gates) < cost_of_gates(problem_, stretch))) {
        return circuit::DerivedGates::unchanged(stretch);
      }
      ++replaced;
      return *std::move(network);
    });
  }
  /// Makes a network of a group, if it has one.
  [[nodiscard]] std::optional<circuit::PhasedGates> network_of(const QubitGroup& group,
                                                               const NetworkBudget& budget) {
    const ControlledPaulis paulis =
        choice_ == NetworkChoice::layered ? ControlledPaulis::kept : ControlledPaulis::merged;
    const std::optional<NetworkInput> input = synthesis_.input_of(group, paulis, budget.first);
    if (!input) return std::nullopt;
    switch (choice_) {
      case NetworkChoice::cheapest:
        return synthesis_.cheapest(*input, budget);
      case NetworkChoice::random:
        return synthesis_.cheapest_random(*input, random_, budget);
      case NetworkChoice::layered:
        return synthesis_.cheapest_layered(*input, budget);
    }
    throw InternalError("unknown choice of a network");
  }

  const Problem& problem_;
  NetworkSynthesis synthesis_;
  FastRandom random_;
  NetworkChoice choice_;
};

/// Larger circuits have no network in time.
constexpr std::size_t kMaxOperationsOfNetworks = 2'000'000;

/// Makes networks of the segments of the current version, whatever they cost.
class PauliNetworks {
 public:
  PauliNetworks(const Problem& problem, SearchPointer simplify, NetworkChoice choice)
      : pass_(pass_of(choice)), rewriter_(problem, choice), simplify_(std::move(simplify)) {}

  static std::optional<std::string> obstacle(const Problem& problem) {
    return obstacle_to_networks(problem, kMaxOperationsOfNetworks);
  }
  /// Returns whether the gates have changed.
  bool make(SearchState& state, const Budget& budget) {
    bool has_changed = false;
    state.run_pass(pass_, [&] {
      const Budget limits = budget.counts_ticks() ? budget.until_stopped() : budget;
      has_changed = replace_segments(state, rewriter_, limits);
      (void)simplify_->run(state, budget);
      state.keep_best();
    });
    return has_changed;
  }

 private:
  PassName pass_;
  NetworkRewriter rewriter_;
  SearchPointer simplify_;
};

/// Makes networks, and keeps them if they cost less.
class NetworkSearch : public Search {
 public:
  NetworkSearch(const Problem& problem, NetworkChoice choice)
      : networks_(problem, std::make_shared<Simplify>(problem), choice) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return PauliNetworks::obstacle(problem);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    const Version before = state.now();
    const SearchCost cost_before = state.cost();
    (void)networks_.make(state, budget);
    if (!(state.cost() < cost_before)) state.go_to(before);
    return Outcome::exhausted;
  }

  PauliNetworks networks_;
};

/// Continues with networks, whatever they cost.
class NetworkStart : public Search {
 public:
  NetworkStart(const Problem& problem, SearchPointer simplify, NetworkChoice choice)
      : networks_(problem, std::move(simplify), choice) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return PauliNetworks::obstacle(problem);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    return networks_.make(state, budget) ? Outcome::exhausted : Outcome::no_result;
  }

  PauliNetworks networks_;
};

/// A sample of a circuit from its middle, of which networks are made.
class NetworkSample {
 public:
  explicit NetworkSample(const Problem& problem)
      : problem_(problem),
        synthesis_(problem),
        simplification_(make_simplification(problem)),
        gates_(gates_in_the_middle(problem.circuit.operations, kGatesOfNetworkSample)) {}

  /// Finds out what networks of the circuit cost, as far as the sample tells in the budget.
  void find(CircuitFindings& findings, const Budget& budget) {
    findings.ratio_of_networks = kNotCheaper;
    const SearchCost of_gates = simplified_cost(gates_, budget);
    // Gates that were not simplified for want of time say nothing.
    if (budget.spent() || !read(budget) || rotations_ < kLeastRotationsOfSample) return;
    std::optional<Networks> best;
    for (const std::size_t reach : kReachesOfSample) {
      std::optional<Networks> networks = networks_with(reach, budget);
      if (!networks) break;
      if (best && best->of_circuit <= networks->of_circuit) continue;
      best = std::move(networks);
      findings.best_reach = reach;
    }
    if (best) findings.ratio_of_networks = ratio_of(*best, of_gates, budget);
  }

 private:
  static constexpr double kNotCheaper = 1;

  /// Networks of the sample, as they are made, and estimates of each objective.
  struct Networks {
    std::vector<std::vector<Operation>> gates;  ///< one network for each input
    std::vector<double> of_sample;
    std::vector<double> of_circuit;
  };

  /// Returns false if not all gates have a network.
  [[nodiscard]] bool read(const Budget& budget) {
    for (const QubitGroup& group : split_by_qubits(gates_, kMaxQubitsOfNetwork)) {
      std::optional<NetworkInput> input = if_expressible(
          [&] { return synthesis_.input_of(group, ControlledPaulis::merged, budget); });
      if (!input) return false;
      rotations_ += input->sequence.axes.size();
      inputs_.push_back(*std::move(input));
    }
    return true;
  }
  /// Returns nothing if there is no time for that. A network of the circuit has its end once for
  /// all rotations, or once for each stretch of them.
  [[nodiscard]] std::optional<Networks> networks_with(std::size_t reach,
                                                      const Budget& budget) const {
    const double ends = std::max(
        1.0, samples() * static_cast<double>(rotations_) / static_cast<double>(kMaxRotations));
    Networks networks;
    SearchCost all;
    SearchCost of_ends;
    for (const NetworkInput& input : inputs_) {
      std::optional<EndedNetwork> made =
          if_expressible([&] { return synthesis_.with_reach(input, reach, budget); });
      if (!made) return std::nullopt;
      std::vector<Operation>& gates = made->network.gates;
      all += cost_of_gates(problem_, gates);
      of_ends += cost_of_gates(problem_, std::span(gates).subspan(made->end));
      networks.gates.push_back(std::move(gates));
    }
    for (std::size_t i = 0; i < all.objectives.units.size(); ++i) {
      const double of_sample = units_of(all, i);
      const double of_sample_ends = units_of(of_ends, i);
      networks.of_sample.push_back(of_sample);
      networks.of_circuit.push_back(samples() * (of_sample - of_sample_ends) +
                                    ends * of_sample_ends);
    }
    return networks;
  }
  /// Returns what networks of the circuit cost, simplified, where its gates cost 1.
  [[nodiscard]] double ratio_of(const Networks& networks, const SearchCost& of_gates,
                                const Budget& budget) const {
    SearchCost simplified;
    for (const std::vector<Operation>& gates : networks.gates) {
      simplified += simplified_cost(gates, budget);
    }
    for (std::size_t i = 0; i < networks.of_sample.size(); ++i) {
      const double left =
          networks.of_sample[i] == 0 ? 1 : units_of(simplified, i) / networks.of_sample[i];
      const double of_network = left * networks.of_circuit[i];
      const double of_circuit = samples() * units_of(of_gates, i);
      if (of_network != of_circuit) return of_network / std::max(of_circuit, 1.0);
    }
    return kNotCheaper;
  }

  /// Returns how many such samples the circuit has.
  [[nodiscard]] double samples() const {
    return static_cast<double>(problem_.circuit.operations.size()) /
           static_cast<double>(gates_.size());
  }
  [[nodiscard]] SearchCost simplified_cost(std::span<const Operation> gates,
                                           const Budget& budget) const {
    return cost_of_gates(problem_, simplification_->rewrite(gates, budget).gates);
  }
  [[nodiscard]] static double units_of(const SearchCost& cost, std::size_t objective) {
    return static_cast<double>(cost.objectives.units[objective]);
  }

  const Problem& problem_;
  NetworkSynthesis synthesis_;
  SegmentRewriterPointer simplification_;
  std::span<const Operation> gates_;
  std::vector<NetworkInput> inputs_;
  std::size_t rotations_ = 0;
};

}  // namespace

SearchPointer make_network_start(const Problem& problem, SearchPointer simplify,
                                 NetworkChoice choice) {
  return std::make_shared<NetworkStart>(problem, std::move(simplify), choice);
}

bool networks_pay(const Problem& problem) {
  if (PauliNetworks::obstacle(problem)) return false;
  CircuitFindings& findings = *problem.findings;
  if (!findings.ratio_of_networks) {
    NetworkSample(problem).find(findings, problem.budget.counts_ticks()
                                              ? problem.budget.until_stopped()
                                              : problem.budget.share(kShareOfNetworkSample));
  }
  return *findings.ratio_of_networks <= kMaxRatioOfNetworkSample;
}

SearchPointer make_pauli_search(const Problem& problem) {
  return std::make_shared<NetworkSearch>(problem, NetworkChoice::cheapest);
}

SearchPointer make_layers_search(const Problem& problem) {
  return std::make_shared<NetworkSearch>(problem, NetworkChoice::layered);
}

}  // namespace quartz::optimizer
