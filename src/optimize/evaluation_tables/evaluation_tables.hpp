#pragma once

#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "optimize/algebras/algebra_structure.hpp"
#include "optimize/algebras/evaluation_maps.hpp"
#include "optimize/products/product_network.hpp"
#include "optimize/rank_reduction/rank_reduction.hpp"

namespace quartz::optimizer {

/// Draws tables with the cubic form of products that are a multiplication in an algebra F2[x] / f,
/// such as those of multipliers of finite fields: the products are computed from values in smaller
/// fields (evaluation_plan.hpp) that have tables of few parities themselves (field_tables.hpp). The
/// intermediate fields make these tables smaller than those of the fewest products: 117 parities
/// for the field of 256 elements, in three fields of 16 elements with 39 each, where 24 products
/// have 7 each.
class EvaluationTables {
 public:
  /// Looks for the structure of an algebra; returns nothing if there is none, or the forms span
  /// more than kMaxDimensionOfTable. A request to stop ends the searches in smaller fields, which
  /// take hundredths of a second.
  [[nodiscard]] static std::optional<EvaluationTables> of_products(
      std::span<const Product> products, const std::stop_token& stop, FastRandom& random);

  /// Returns a table of the plan with the fewest parities.
  [[nodiscard]] ParityTable smallest(FastRandom& random) const;
  /// Returns one of these tables, or one of another plan: a search may leave fewer of more
  /// parities.
  [[nodiscard]] ParityTable draw(FastRandom& random) const;

 private:
  explicit EvaluationTables(AlgebraStructure structure) : structure_(std::move(structure)) {}

  void plan(const std::stop_token& stop, FastRandom& random);
  [[nodiscard]] ParityTable table_of(const EvaluationPlan& plan, FastRandom& random) const;

  AlgebraStructure structure_;
  bool is_field_ = false;
  EvaluationPlan plan_;                    ///< the one with the fewest parities
  std::optional<EvaluationMap> to_field_;  ///< in place of the plan, for a field with an orbit
  std::map<unsigned, ParityTable> tables_;
};

}  // namespace quartz::optimizer
