#include "optimize/layer_rewriting/layer_rewriter.hpp"

#include <array>
#include <numeric>
#include <string_view>
#include <utility>

#include "optimize/pauli_network/pauli_network.hpp"
#include "optimize/pauli_network/rotation_columns.hpp"
#include "optimize/product_layers/rotation_gates.hpp"
#include "optimize/product_synthesis/product_synthesis.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/if_expressible.hpp"
#include "optimize/state/group_rewriting.hpp"
#include "optimize/state/segments.hpp"

namespace quartz::optimizer {
namespace {

/// The gates from which layers are read; other gate sets are translated into it and back.
constexpr std::string_view kLayerSet = "nam";

/// Reaches of Pauli networks (pauli_network.hpp) that are tried.
constexpr std::array kReachesOfLayers{0.9, 3.5, 12.0};

/// Returns the derivation in which the gates of each layer are replaced.
circuit::Derivation exchange_of(const LayerStep& step, std::uint32_t qubits) {
  circuit::DerivedParts parts;
  std::uint32_t first = 0;
  for (std::size_t layer = 0; layer < step.before.size(); ++layer) {
    const std::vector<Operation>& before = step.before[layer];
    const std::vector<Operation>& after = step.after[layer];
    std::vector<std::uint32_t> places(before.size());
    std::iota(places.begin(), places.end(), first);
    first += static_cast<std::uint32_t>(before.size());
    parts.add(std::move(places), {},
              before == after ? circuit::Derivation::unchanged()
                              : circuit::Derivation::by_exchange(before.size(), after, qubits));
  }
  return std::move(parts).finish();
}

std::vector<Operation> all_gates(const LayerGates& layers) {
  std::vector<Operation> result;
  for (const std::vector<Operation>& gates : layers) {
    result.insert(result.end(), gates.begin(), gates.end());
  }
  return result;
}

/// Returns the derivation of gates from a number of others by the steps of a circuit.
circuit::Derivation derivation_by(std::size_t size, std::span<const LayerStep> steps,
                                  std::span<const Operation> gates, std::uint32_t qubits) {
  circuit::Derivation result = circuit::Derivation::unchanged();
  for (const LayerStep& step : steps) {
    result = result.then(circuit::Derivation::by_exchange(size, all_gates(step.before), qubits));
    result = result.then(exchange_of(step, qubits));
    size = all_gates(step.after).size();
  }
  return result.then(circuit::Derivation::by_exchange(size, gates, qubits));
}

}  // namespace

LayerRewriter::LayerRewriter(const Problem& problem, const LayerShares& shares,
                             LayerSynthesis synthesis)
    : problem_(problem),
      shares_(shares),
      synthesis_(synthesis),
      set_(load_gate_set(kLayerSet)),
      random_(problem.seed) {}

void LayerRewriter::report_to(SearchState::Figures& /*figures*/) {}

circuit::DerivedGates LayerRewriter::try_rewrite(std::span<const Operation> gates,
                                                 const Budget& budget) {
  const std::uint32_t wires = problem_.wires;
  bool has_changed = false;
  circuit::DerivedGates result = rewrite_groups(gates, wires, wires, [&](const QubitGroup& group) {
    std::optional<circuit::DerivedGates> other = other_gates_for(group, budget);
    if (!other) return circuit::DerivedGates::unchanged(group.gates);
    has_changed = true;
    return *std::move(other);
  });
  return has_changed ? std::move(result) : circuit::DerivedGates::unchanged(gates);
}

std::optional<circuit::DerivedGates> LayerRewriter::other_gates_for(const QubitGroup& group,
                                                                    const Budget& budget) {
  if (group.gates.size() < least_gates()) return std::nullopt;
  return if_expressible([&] { return cheapest_for(group, budget); });
}

std::optional<circuit::DerivedGates> LayerRewriter::cheapest_for(const QubitGroup& group,
                                                                 const Budget& budget) {
  const auto qubits = static_cast<Qubit>(group.qubits.size());
  const Circuit circuit = translate(make_circuit(qubits, group.gates), set_, budget.stop);
  const Budget::Amount whole = budget.left();
  const std::vector<ProductCircuit> others =
      layers_instead_of(circuit.operations, qubits, budget.limited_to(whole.times(shares_.layers)));
  if (others.empty()) return std::nullopt;
  const Budget for_synthesis = budget.limited_to(whole.times(shares_.synthesis));
  std::optional<circuit::PhasedGates> best;
  std::span<const LayerStep> steps;
  SearchCost best_cost;
  // Layers with sparse forms are the last ones, and their synthesis takes the least time.
  for (std::size_t left = others.size(); left-- > 0;) {
    const ProductCircuit& layers = others[left];
    const Budget for_one = for_synthesis.share(1.0 / static_cast<double>(left + 1));
    for (circuit::PhasedGates& gates : circuits_of(layers, for_one)) {
      const Circuit back =
          translate(make_circuit(qubits, std::move(gates.gates)), problem_.set, budget.stop);
      const SearchCost cost = cost_of_gates(problem_, back.operations);
      if (best && !(cost < best_cost)) continue;
      best_cost = cost;
      if (problem_.record.history) steps = layers.steps();
      best = circuit::PhasedGates{back.operations,
                                  gates.phase + back.global_phase + circuit.global_phase};
    }
  }
  if (!best) return std::nullopt;
  circuit::Derivation derivation = derivation_by(group.gates.size(), steps, best->gates, qubits);
  return circuit::DerivedGates{std::move(best->gates), best->phase, std::move(derivation)};
}

std::vector<circuit::PhasedGates> LayerRewriter::circuits_of(const ProductCircuit& layers,
                                                             const Budget& budget) {
  std::vector<circuit::PhasedGates> result;
  if (const std::optional<FramedNetwork> framed = layers.as_network()) {
    const std::vector<Operation> before = gates_of(framed->before);
    const std::vector<Operation> after = gates_of(framed->after);
    std::optional<circuit::PhasedGates> made =
        synthesis_ == LayerSynthesis::few_gates
            ? synthesize_product_network(framed->network, budget, random_)
            : synthesize_parallel_products(framed->network, budget, random_);
    if (made) {
      made->gates.insert(made->gates.begin(), before.begin(), before.end());
      made->gates.insert(made->gates.end(), after.begin(), after.end());
      made->phase += framed->phase;
      result.push_back(*std::move(made));
    }
  }
  if (synthesis_ == LayerSynthesis::parallel_products) return result;
  const std::optional<PhasedSequence> rotations = layers.as_rotations();
  if (!rotations) return result;
  const RotationColumns columns = rotation_columns(rotations->sequence);
  for (const double reach : kReachesOfLayers) {
    std::optional<circuit::PhasedGates> network = pauli_network(columns, reach, budget);
    if (!network) break;
    network->phase += rotations->phase;
    result.push_back(*std::move(network));
  }
  return result;
}

bool rewrite_segments(SearchState& state, PassName pass, LayerRewriter& rewriter,
                      const Budget& budget) {
  bool has_changed = false;
  state.run_pass(pass, [&] { has_changed = replace_segments(state, rewriter, budget); });
  rewriter.report_to(state.figures);
  return has_changed;
}

}  // namespace quartz::optimizer
