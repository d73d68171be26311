#include "optimize/search/starts.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "optimize/layer_rewriting/layer_rewriter.hpp"
#include "optimize/layer_rewriting/network_synthesis.hpp"
#include "optimize/product_layers/product_circuit.hpp"
#include "optimize/search/search_list.hpp"
#include "optimize/searches/simplify.hpp"

namespace quartz::optimizer {
namespace {

constexpr PassName kProductsPass{"products", "layers of Toffoli gates with fewer products"};

/// Makes circuits with fewer products.
class ProductRewriter : public LayerRewriter {
 public:
  explicit ProductRewriter(const Problem& problem)
      : LayerRewriter(problem), device_(problem.device) {}

  void report_to(SearchState::Figures& figures) override {
    const ProductCounts counts = std::exchange(counts_, {});
    if (counts.before == 0) return;
    if (!figures.products || counts.after < figures.products->after) figures.products = counts;
  }

 private:
  [[nodiscard]] std::vector<ProductCircuit> layers_instead_of(std::span<const Operation> gates,
                                                              std::uint32_t qubits,
                                                              const Budget& budget) override {
    const auto given = ProductCircuit::of(gates, qubits);
    if (!given) return {};
    std::vector<ProductCircuit> fewer = given->with_fewer_products(budget, random(), device_);
    counts_.before += given->products();
    counts_.after += fewer.empty() ? given->products() : fewer.front().products();
    return fewer;
  }
  /// Two Toffoli gates have more gates.
  [[nodiscard]] std::size_t least_gates() const override { return 8; }

  const flips::FlipBackend* device_;
  ProductCounts counts_;  ///< since the last report
};

/// Makes circuits of the same products that are less deep.
class ParallelRewriter : public LayerRewriter {
 public:
  explicit ParallelRewriter(const Problem& problem)
      : LayerRewriter(problem, {}, LayerSynthesis::parallel_products) {}

 private:
  [[nodiscard]] std::vector<ProductCircuit> layers_instead_of(std::span<const Operation> gates,
                                                              std::uint32_t qubits,
                                                              const Budget& /*budget*/) override {
    std::vector<ProductCircuit> result;
    if (auto given = ProductCircuit::of(gates, qubits)) result.push_back(*std::move(given));
    return result;
  }
  [[nodiscard]] std::size_t least_gates() const override { return 8; }
};

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
    const bool has_changed = rewrite_segments(state, kProductsPass, rewriter_, budget);
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

/// Continues with other products, whatever they cost.
template <typename Rewriter>
class ProductStart : public Search {
 public:
  ProductStart(const Problem& problem, SearchPointer simplify)
      : rewriter_(problem), simplify_(std::move(simplify)) {}
  [[nodiscard]] std::optional<std::string> obstacle(const Problem& problem) const override {
    return obstacle_to_networks(problem, kMaxOperationsOfLayers);
  }

 private:
  Outcome run_applicable(SearchState& state, const Budget& budget) override {
    if (!rewrite_segments(state, kProductsPass, rewriter_, budget)) return Outcome::no_result;
    (void)simplify_->run(state, budget);
    return Outcome::exhausted;
  }

  Rewriter rewriter_;
  SearchPointer simplify_;
};

}  // namespace

SearchPointer make_product_start(const Problem& problem, SearchPointer simplify) {
  return std::make_shared<ProductStart<ProductRewriter>>(problem, std::move(simplify));
}

SearchPointer make_parallel_start(const Problem& problem, SearchPointer simplify) {
  return std::make_shared<ProductStart<ParallelRewriter>>(problem, std::move(simplify));
}

SearchPointer make_products_search(const Problem& problem) {
  return std::make_shared<ProductSearch>(problem);
}

}  // namespace quartz::optimizer
