#include "optimize/searches/products.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "optimize/pauli_network/pauli_network.hpp"
#include "optimize/product_layers/product_circuit.hpp"
#include "optimize/product_synthesis/product_synthesis.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/network_synthesis.hpp"
#include "optimize/searches/simplify.hpp"
#include "optimize/state/qubit_groups.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kProductsPass{"products", "layers of Toffoli gates with fewer products"};

/// The gates from which layers are read; other gate sets are translated into it and back.
constexpr std::string_view kLayerSet = "nam";

constexpr std::size_t kMaxOperationsOfLayers = 1'000'000;
/// Two Toffoli gates have more gates.
constexpr std::size_t kMinGatesOfProducts = 8;
/// Fraction of the budget in which products are reduced.
constexpr double kReductionShare = 0.3;
/// Fraction of the budget in which circuits are made of them.
constexpr double kSynthesisShare = 0.3;
/// Reaches of Pauli networks (pauli_network.hpp) that are tried.
constexpr std::array kReachesOfProducts{0.9, 3.5, 12.0};

std::vector<Operation> gates_of(std::span<const CliffordGate> gates) {
  std::vector<Operation> result;
  for (const CliffordGate& gate : gates) {
    switch (gate.kind) {
      case CliffordKind::h:
        result.push_back(make_operation(GateKind::h, {gate.first}));
        break;
      case CliffordKind::s:
        result.push_back(make_operation(
            GateKind::rz, {gate.first},
            {Angle::pi_times(Rational(static_cast<std::int64_t>(gate.quarters), 2))}));
        break;
      case CliffordKind::x:
        result.push_back(make_operation(GateKind::x, {gate.first}));
        break;
      case CliffordKind::cx:
        result.push_back(make_operation(GateKind::cx, {gate.first, gate.second}));
        break;
    }
  }
  return result;
}

/// Makes circuits with fewer products of the gates of a segment, whatever they cost.
class ProductRewriter : public SegmentRewriter {
 public:
  explicit ProductRewriter(const Problem& problem)
      : problem_(problem), set_(load_gate_set(kLayerSet)), random_(problem.seed) {}

  /// Rewrites the gates between black boxes. Returns the same gates in the same order if there are
  /// no fewer products.
  [[nodiscard]] circuit::DerivedGates rewrite(std::span<const Operation> gates,
                                              const Budget& budget) override {
    has_rewritten_ = false;
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
    if (!has_rewritten_) return circuit::DerivedGates::unchanged(gates);
    return {std::move(all), phase, std::move(parts).finish()};
  }

 private:
  /// Rewrites the gates of qubits that gates connect.
  [[nodiscard]] circuit::DerivedGates rewritten(std::span<const Operation> gates,
                                                const Budget& budget) {
    std::vector<Operation> all;
    Angle phase;
    circuit::DerivedParts parts;
    for (QubitGroup& group : split_by_qubits(gates, segment_wires(problem_.circuit))) {
      circuit::DerivedGates part = rewritten(group, budget);
      append_group(group, std::move(part.gates), all);
      phase += part.phase;
      parts.add(std::move(group.places), std::move(group.qubits), part.derivation);
    }
    return {std::move(all), phase, std::move(parts).finish()};
  }

  [[nodiscard]] circuit::DerivedGates rewritten(const QubitGroup& group, const Budget& budget) {
    if (group.gates.size() < kMinGatesOfProducts)
      return circuit::DerivedGates::unchanged(group.gates);
    try {
      if (std::optional<circuit::PhasedGates> gates = with_fewer_products_of(group, budget)) {
        has_rewritten_ = true;
        circuit::Derivation derivation = derivation_of(group, gates->gates);
        return {std::move(gates->gates), gates->phase, std::move(derivation)};
      }
    } catch (const InputError&) {
      // A gate set cannot express the gates of the other one.
    } catch (const OverflowError&) {
      // The exact sums of some angles do not fit into 64 bits.
    }
    return circuit::DerivedGates::unchanged(group.gates);
  }

  /// Returns gates of the set of the problem, or nothing if there are no fewer products.
  [[nodiscard]] std::optional<circuit::PhasedGates> with_fewer_products_of(const QubitGroup& group,
                                                                           const Budget& budget) {
    const auto qubits = static_cast<Qubit>(group.qubits.size());
    const Circuit circuit = translate(make_circuit(qubits, group.gates), set_, budget.stop);
    const std::optional<ProductCircuit> given = ProductCircuit::of(circuit.operations, qubits);
    if (!given) return std::nullopt;
    const Budget::Amount whole = budget.left();
    const std::vector<ProductCircuit> with_fewer =
        given->with_fewer_products(budget.limited_to(whole.times(kReductionShare)), random_);
    const Budget::Amount of_each =
        whole.times(kSynthesisShare / static_cast<double>(with_fewer.size()));
    std::optional<circuit::PhasedGates> best;
    SearchCost best_cost;
    for (const ProductCircuit& products : with_fewer) {
      for (circuit::PhasedGates& gates : circuits_of(products, budget.limited_to(of_each))) {
        const Circuit back =
            translate(make_circuit(qubits, std::move(gates.gates)), problem_.set, budget.stop);
        const SearchCost cost = cost_of_gates(problem_, back.operations);
        if (best && !(cost < best_cost)) continue;
        best_cost = cost;
        best = circuit::PhasedGates{back.operations,
                                    gates.phase + back.global_phase + circuit.global_phase};
      }
    }
    return best;
  }

  /// Returns circuits of the layers in {h, x, rz, cx}.
  [[nodiscard]] std::vector<circuit::PhasedGates> circuits_of(const ProductCircuit& products,
                                                              const Budget& budget) {
    std::vector<circuit::PhasedGates> result;
    if (const std::optional<FramedNetwork> framed = products.as_network()) {
      const std::vector<Operation> before = gates_of(framed->before);
      const std::vector<Operation> after = gates_of(framed->after);
      for (circuit::PhasedGates& network :
           synthesize_product_network(framed->network, {}, 1, budget, random_)) {
        network.gates.insert(network.gates.begin(), before.begin(), before.end());
        network.gates.insert(network.gates.end(), after.begin(), after.end());
        network.phase += framed->phase;
        result.push_back(std::move(network));
      }
    }
    const std::optional<PhasedSequence> rotations = products.as_rotations();
    if (!rotations) return result;
    for (const double reach : kReachesOfProducts) {
      std::optional<circuit::PhasedGates> network =
          pauli_network(rotations->sequence, reach, budget);
      if (!network) break;
      network->phase += rotations->phase;
      result.push_back(*std::move(network));
    }
    return result;
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
  GateSet set_;
  FastRandom random_;
  bool has_rewritten_ = false;  ///< whether this call of rewrite() has changed any gates
};

/// Rewrites the segments of the current version with fewer products, whatever they cost; returns
/// whether that changed any.
bool rewrite_segments(SearchState& state, ProductRewriter& rewriter, const Budget& budget) {
  bool has_changed = false;
  state.run_pass(kProductsPass, [&] {
    for (std::size_t i = 0; i < state.segment_count() && !budget.spent(); ++i) {
      const std::vector<Operation>& gates = state.segment(i).gates;
      if (gates.empty()) continue;
      circuit::DerivedGates rewritten = rewriter.rewrite(gates, budget);
      if (rewritten.derivation.history() == nullptr) continue;
      state.replace(i, std::move(rewritten));
      has_changed = true;
    }
  });
  return has_changed;
}

/// Rewrites the segments with fewer products, and continues with the result, simplified, if that
/// costs less than the simplified circuit.
class ProductSearch : public Search {
 public:
  explicit ProductSearch(const Problem& problem) : rewriter_(problem), simplify_(problem) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return obstacle_to_networks(problem, kMaxOperationsOfLayers);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    const Version before = state.now();
    (void)simplify_.run(state, budget);
    const Version simplified = state.now();
    const SearchCost cost = state.cost();
    state.go_to(before);
    const bool has_changed = rewrite_segments(state, rewriter_, budget);
    if (has_changed) (void)simplify_.run(state, budget);
    if (has_changed && state.cost() < cost) {
      state.keep_best();
    } else {
      state.go_to(simplified);
    }
    return Outcome::exhausted;
  }

  ProductRewriter rewriter_;
  Simplify simplify_;
};

/// Continues with fewer products, whatever they cost.
class ProductStart : public Search {
 public:
  ProductStart(const Problem& problem, SearchPointer simplify)
      : rewriter_(problem), simplify_(std::move(simplify)) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return obstacle_to_networks(problem, kMaxOperationsOfLayers);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    if (!rewrite_segments(state, rewriter_, budget)) return Outcome::no_result;
    (void)simplify_->run(state, budget);
    return Outcome::exhausted;
  }

  ProductRewriter rewriter_;
  SearchPointer simplify_;
};

}  // namespace

SearchPointer make_product_start(const Problem& problem, SearchPointer simplify) {
  return std::make_shared<ProductStart>(problem, std::move(simplify));
}

SearchPointer make_products_search(const Problem& problem) {
  return std::make_shared<ProductSearch>(problem);
}

}  // namespace quartz::optimizer
