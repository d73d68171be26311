#include "optimize/search/starts.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "optimize/layer_rewriting/layer_rewriter.hpp"
#include "optimize/layer_rewriting/network_synthesis.hpp"
#include "optimize/product_layers/product_circuit.hpp"
#include "optimize/search/combinators.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/simplify.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kRanksPass{"ranks", "layers of rotations with fewer of them"};

/// Fractions of the budget for finding layers, and for making circuits of them.
constexpr LayerShares kShares{0.75, 0.2};

/// Makes circuits with fewer rotations by odd multiples of pi/4.
class RankRewriter : public LayerRewriter {
 public:
  explicit RankRewriter(const Problem& problem)
      : LayerRewriter(problem, kShares),
        threads_(problem.threads),
        device_(problem.parity_device) {}

 private:
  [[nodiscard]] std::vector<ProductCircuit> layers_instead_of(std::span<const Operation> gates,
                                                              std::uint32_t qubits,
                                                              const Budget& budget) override {
    const auto given = circuit_of(gates, qubits);
    if (!given) return {};
    const auto fewer = given->with_fewer_rotations(budget, threads_, random(), device_);
    if (!fewer) return {};
    return {*fewer};
  }
  /// A layer with fewer rotations has eight at least.
  [[nodiscard]] std::size_t least_gates() const override { return 8; }
  [[nodiscard]] virtual std::optional<ProductCircuit> circuit_of(std::span<const Operation> gates,
                                                                 std::uint32_t qubits) const {
    return ProductCircuit::with_rotations_of(gates, qubits);
  }

  unsigned threads_;
  const parity_chains::ParityBackend* device_;
};

/// Does the same for circuits with products of which there could be fewer. In other circuits, fewer
/// rotations are found after folding.
class ProductRankRewriter : public RankRewriter {
 public:
  using RankRewriter::RankRewriter;

 private:
  [[nodiscard]] std::optional<ProductCircuit> circuit_of(std::span<const Operation> gates,
                                                         std::uint32_t qubits) const override {
    return ProductCircuit::of(gates, qubits);
  }
};

/// A version of the circuit with its cost.
struct CostedVersion {
  Version version;
  SearchCost cost;
};

/// Makes circuits with fewer rotations of the given circuit and of what other searches have made of
/// it.
class RankCandidates {
 public:
  explicit RankCandidates(const Problem& problem)
      : rewriter_(problem), product_rewriter_(problem) {}

  /// Returns the cheapest of these circuits, simplified, or nothing if there is none. Each version
  /// gets half of an amount.
  [[nodiscard]] std::optional<CostedVersion> cheapest(SearchState& state, const Version& given,
                                                      const Version& simplified, Search& simplify,
                                                      const Budget& budget,
                                                      const Budget::Amount& amount) {
    std::optional<CostedVersion> best;
    const auto try_version = [&](const Version& start, LayerRewriter& rewriter) {
      state.go_to(start);
      const Budget part = budget.limited_to(amount.times(0.5));
      if (!rewrite_segments(state, kRanksPass, rewriter, part)) return;
      (void)simplify.run(state, budget);
      const SearchCost cost = state.cost();
      if (!best || cost < best->cost) best = CostedVersion{state.now(), cost};
    };
    try_version(simplified, rewriter_);
    try_version(given, product_rewriter_);
    return best;
  }

 private:
  RankRewriter rewriter_;
  ProductRankRewriter product_rewriter_;
};

/// Rewrites the segments with fewer rotations, as they are given and simplified, and continues with
/// the cheapest result.
class RankSearch : public Search {
 public:
  explicit RankSearch(const Problem& problem) : candidates_(problem), simplify_(problem) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return obstacle_to_networks(problem, kMaxOperationsOfLayers);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    const Version given = state.now();
    (void)simplify_.run(state, budget);
    const Version simplified = state.now();
    const SearchCost cost = state.cost();
    auto best = candidates_.cheapest(state, given, simplified, simplify_, budget, budget.left());
    state.go_to(best && best->cost < cost ? std::move(best->version) : simplified);
    state.keep_best();
    return Outcome::exhausted;
  }

  RankCandidates candidates_;
  Simplify simplify_;
};

/// Returns whether the first objective charges more for T than for S.
bool charges_for_t(const Problem& problem) {
  const auto rotation_by = [](std::int64_t eighths) {
    return make_circuit(
        1, {make_operation(GateKind::rz, {0}, {Angle::pi_times(Rational(eighths, 4))})});
  };
  const std::optional<std::uint64_t> t = first_units_of(problem, rotation_by(1));
  const std::optional<std::uint64_t> s = first_units_of(problem, rotation_by(2));
  return t && s && *t > *s;
}

/// Continues with fewer rotations, whatever they cost.
class RankStart : public Search {
 public:
  RankStart(std::unique_ptr<LayerRewriter> rewriter, SearchPointer simplify)
      : rewriter_(std::move(rewriter)), simplify_(std::move(simplify)) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    if (!charges_for_t(problem)) return "T costs no more than S";
    return obstacle_to_networks(problem, kMaxOperationsOfLayers);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    if (!rewrite_segments(state, kRanksPass, *rewriter_, budget)) return Outcome::no_result;
    (void)simplify_->run(state, budget);
    return Outcome::exhausted;
  }

  std::unique_ptr<LayerRewriter> rewriter_;
  SearchPointer simplify_;
};

}  // namespace

SearchPointer make_rank_start(const Problem& problem, SearchPointer simplify) {
  return std::make_shared<RankStart>(std::make_unique<RankRewriter>(problem), std::move(simplify));
}

SearchPointer make_product_rank_start(const Problem& problem, SearchPointer simplify) {
  return std::make_shared<RankStart>(std::make_unique<ProductRankRewriter>(problem),
                                     std::move(simplify));
}

SearchPointer make_ranks_search(const Problem& problem) {
  return std::make_shared<RankSearch>(problem);
}

}  // namespace quartz::optimizer
