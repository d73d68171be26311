#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/product_reduction/flip_search.hpp"
#include "optimize/products/coordinates.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Draws sets of few products that all have the sum of trivectors of given ones. The caller says
/// what each set costs, and later sets are drawn near those that cost least.
///
/// Flips lead from one set to others, but not to all: sets that two reductions find may have no
/// path of as few products between them, and cost very different amounts. Reductions are repeated
/// now and then, and each begins a family of sets.
class ProductVariants {
 public:
  /// Both sets have the same sum, and the second one has as few products as were found.
  ProductVariants(std::span<const Product> given, std::span<const Product> fewest);

  /// Returns a set, or nothing if none was found or the forms are too many for this method.
  [[nodiscard]] std::optional<std::vector<Product>> draw(const Budget& budget, FastRandom& random);
  /// Says what the last set costs that was drawn.
  void learn(std::size_t cost);

 private:
  using Words = std::vector<WordProduct>;

  struct Family {
    Words current;            ///< what the next set is drawn from
    std::size_t cost;         ///< what the current set costs
    std::size_t draws = 0;    ///< sets that were drawn
    std::size_t sum = 0;      ///< what these sets cost together
    std::size_t refused = 0;  ///< sets since the current one that cost more
  };

  [[nodiscard]] std::optional<Words> words_of(std::span<const Product> products) const;
  [[nodiscard]] std::vector<Product> products_of(const Words& words) const;
  /// Returns the result of another reduction, or nothing if it has too many products.
  [[nodiscard]] std::optional<Words> reduced_again(const Budget& budget, FastRandom& random);
  void add_family(Words products);
  [[nodiscard]] std::size_t chosen_family(FastRandom& random) const;

  Coordinates coordinates_;
  FlipKind kind_ = FlipKind::kGraded;
  std::vector<Product> given_products_;
  Words given_;
  std::size_t most_ = 0;  ///< products of a set
  std::vector<Family> families_;
  std::size_t reductions_ = 0;
  std::size_t drawn_family_ = 0;
  Words drawn_;
};

}  // namespace quartz::optimizer
