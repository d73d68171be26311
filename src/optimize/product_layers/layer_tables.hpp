#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "optimize/evaluation_tables/evaluation_tables.hpp"
#include "optimize/product_layers/product_layer.hpp"
#include "optimize/product_variants/product_variants.hpp"
#include "optimize/rank_reduction/rank_reduction.hpp"

namespace quartz::optimizer {

/// Returns the parities of a layer whose phases are an odd number of eighths.
[[nodiscard]] std::vector<LinearForm> odd_parities(const ProductLayer& layer);

/// Draws tables of a layer: those of other sets of few products, and evaluated ones if its products
/// are a multiplication in an algebra. The kind of which the search leaves fewer parities is drawn
/// more often.
class LayerTables : public TableSource {
 public:
  /// The set of products `fewest` has the sum of those of the layer. The evaluations, null for
  /// none, have to outlive this object and its copies.
  LayerTables(const ProductLayer& layer, std::span<const Product> fewest,
              const EvaluationTables* evaluations);
  LayerTables(const LayerTables& other);
  LayerTables& operator=(const LayerTables&) = delete;

  [[nodiscard]] std::optional<ParityTable> draw(const Budget& budget, FastRandom& random) override;
  void learn(std::size_t parities) override;
  /// Returns the smallest evaluated table; there have to be evaluations.
  [[nodiscard]] ParityTable smallest(FastRandom& random) const;

 private:
  enum Kind : std::size_t { kVariant, kEvaluated };
  /// What the search has left of the tables of a kind.
  struct Record {
    std::size_t draws = 0;
    std::size_t sum = 0;

    [[nodiscard]] double average() const {
      return static_cast<double>(sum) / static_cast<double>(draws);
    }
  };

  [[nodiscard]] Kind chosen_kind(FastRandom& random) const;
  /// Returns a table for the products with the parities of the single rotations.
  [[nodiscard]] ParityTable with_phases(ParityTable table) const;

  ProductLayer layer_;              ///< with the phases of single rotations only
  std::vector<LinearForm> phases_;  ///< the odd ones of these
  ProductVariants variants_;
  const EvaluationTables* evaluations_;
  std::array<Record, 2> records_;
  std::size_t failures_ = 0;  ///< draws of other products without a result
  Kind drawn_ = kVariant;
};

}  // namespace quartz::optimizer
