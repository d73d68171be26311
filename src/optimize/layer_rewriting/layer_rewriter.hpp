#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "circuit/phased_gates.hpp"
#include "optimize/product_layers/product_circuit.hpp"
#include "optimize/search/search.hpp"
#include "optimize/state/problem.hpp"
#include "optimize/state/qubit_groups.hpp"

namespace quartz::optimizer {

/// Circuits with more operations are not read as layers.
inline constexpr std::size_t kMaxOperationsOfLayers = 1'000'000;

/// Fractions of the budget in which layers are found, and in which circuits are made of them.
struct LayerShares {
  double layers = 0.3;
  double synthesis = 0.3;
};

/// Which circuits are made of layers.
enum class LayerSynthesis : std::uint8_t {
  few_gates,
  parallel_products,  ///< products beside each other (parallel_synthesis.hpp), of one layer alone
};

/// Makes circuits of layers of commuting rotations (product_layers) out of the gates of a segment,
/// whatever they cost. Subclasses say which layers.
class LayerRewriter : public SegmentRewriter {
 public:
  explicit LayerRewriter(const Problem& problem, const LayerShares& shares = {},
                         LayerSynthesis synthesis = LayerSynthesis::few_gates);

  /// Adds what was found in the segments since the last report.
  virtual void report_to(SearchState::Figures& figures);

 protected:
  [[nodiscard]] FastRandom& random() { return random_; }

 private:
  /// Rewrites the gates between black boxes. Returns the same gates in the same order if there are
  /// no other layers.
  [[nodiscard]] circuit::DerivedGates try_rewrite(std::span<const Operation> gates,
                                                  const Budget& budget) override;

  /// Returns layers of circuits that equal gates in {h, x, rz, cx}. The cheapest circuit that is
  /// made of one of them replaces the gates, if there are any.
  [[nodiscard]] virtual std::vector<ProductCircuit> layers_instead_of(
      std::span<const Operation> gates, std::uint32_t qubits, const Budget& budget) = 0;
  /// Returns the fewest gates that are worth reading.
  [[nodiscard]] virtual std::size_t least_gates() const = 0;

  /// Returns gates that replace those of a group, or nothing if there are none.
  [[nodiscard]] std::optional<circuit::DerivedGates> other_gates_for(const QubitGroup& group,
                                                                     const Budget& budget);
  [[nodiscard]] std::optional<circuit::DerivedGates> cheapest_for(const QubitGroup& group,
                                                                  const Budget& budget);
  [[nodiscard]] std::vector<circuit::PhasedGates> circuits_of(const ProductCircuit& layers,
                                                              const Budget& budget);

  const Problem& problem_;
  LayerShares shares_;
  LayerSynthesis synthesis_;
  GateSet set_;
  FastRandom random_;
};

/// Rewrites the segments of the current version, whatever that costs, as a pass of the reports;
/// returns whether that changed any.
[[nodiscard]] bool rewrite_segments(SearchState& state, PassName pass, LayerRewriter& rewriter,
                                    const Budget& budget);

}  // namespace quartz::optimizer
