#include "optimize/product_reduction/product_reduction.hpp"

#include <numeric>
#include <utility>

#include "optimize/product_reduction/algebra_products.hpp"
#include "optimize/product_reduction/algebra_structure.hpp"
#include "optimize/product_reduction/evaluation_forms.hpp"
#include "optimize/product_reduction/flip_search.hpp"
#include "optimize/product_reduction/form_slots.hpp"
#include "optimize/product_reduction/symmetric_products.hpp"
#include "optimize/products/merging.hpp"
#include "optimize/products/trivector.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {

namespace {

std::size_t lower_bound_of_dimension(std::size_t dimension) { return (dimension + 2) / 3; }

/// Returns the products in groups that have no element of the basis in common.
std::vector<std::vector<Product>> groups_of(const ProductsInBasis& given) {
  std::vector<std::size_t> parent(given.dimension());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::size_t element) {
    while (parent[element] != element) element = parent[element] = parent[parent[element]];
    return element;
  };
  for (const auto& [forms] : given.products) {
    const std::size_t first = forms[0].find_first();
    const LinearForm elements = forms[0] | forms[1] | forms[2];
    for (std::size_t i = elements.find_first(); i != LinearForm::npos; i = elements.find_next(i)) {
      parent[root(i)] = root(first);
    }
  }
  std::vector<std::vector<Product>> groups(given.dimension());
  for (const Product& product : given.products) {
    groups[root(product.forms[0].find_first())].push_back(product);
  }
  std::erase_if(groups, [](const auto& group) { return group.empty(); });
  return groups;
}

/// Replaces the products by those that the structure of an algebra gives, if they are fewer.
/// Returns whether there is such a structure.
bool use_algebra(ProductsInBasis& given, const Budget& budget, FastRandom& random) {
  const auto structure = algebra_structure_of(given.products, given.dimension(), random);
  if (!structure) return false;
  EvaluationForms forms(budget, random);
  std::vector<Product> products =
      products_of_forms(*structure, forms.of_algebra(structure->modulus));
  if (!have_same_sum(products, given.products)) return false;
  if (products.size() < given.products.size()) given.products = std::move(products);
  return true;
}

/// Most elements of a basis whose forms are words.
constexpr std::size_t kMaxWordDimension = 64;
/// Most products from which ungraded flips start; they get stuck with more.
constexpr std::size_t kMaxUngraded = 48;
/// Walks of flips from the given products: where a walk ends depends on its first flips.
constexpr unsigned kGradedWalks = 4;
constexpr unsigned kUngradedWalks = 8;
/// Part of the budget for the symmetric search, and of what is then left for graded flips.
constexpr double kSymmetricPart = 0.3;
constexpr double kGradedPart = 0.5;

WordProduct in_words(const Product& product) {
  return {product.forms[0].to_ulong(), product.forms[1].to_ulong(), product.forms[2].to_ulong()};
}

Product from_words(const WordProduct& product, std::size_t dimension) {
  return {{LinearForm(dimension, product[0]), LinearForm(dimension, product[1]),
           LinearForm(dimension, product[2])}};
}

void keep_fewer(std::vector<WordProduct>& best, std::vector<WordProduct> other) {
  if (other.size() < best.size()) best = std::move(other);
}

/// Walks several times from the same products, and keeps the fewest products.
void walk(const std::vector<WordProduct>& from, FlipKind kind, std::size_t sufficient,
          const Budget& budget, FastRandom& random, std::vector<WordProduct>& best) {
  const unsigned walks = kind == FlipKind::kGraded ? kGradedWalks : kUngradedWalks;
  for (unsigned done = 0; done < walks && best.size() > sufficient; ++done) {
    const Budget part = budget.share(1.0 / (walks - done));
    keep_fewer(best, flipped_products(from, kind, sufficient, part, random));
  }
}

/// Returns fewer products by searches that need no structure of an algebra.
std::vector<WordProduct> searched(const std::vector<WordProduct>& given, std::size_t sufficient,
                                  const Budget& budget, FastRandom& random) {
  std::vector<WordProduct> best = given;
  if (const auto graded = in_slots(given)) {
    if (auto symmetric =
            symmetric_products(*graded, sufficient, budget.share(kSymmetricPart), random)) {
      keep_fewer(best, std::move(*symmetric));
    }
    walk(graded->products, FlipKind::kGraded, sufficient, budget.share(kGradedPart), random, best);
  }
  // The sum of trivectors does not know of slots, and may need fewer products without them: 21 in
  // place of 23 for the products of 3 x 3 matrices.
  if (given.size() <= kMaxUngraded) {
    walk(given, FlipKind::kUngraded, sufficient, budget, random, best);
  }
  if (best.size() == given.size()) return best;
  return flipped_products(std::move(best), FlipKind::kUngraded, sufficient, budget, random);
}

void use_searches(ProductsInBasis& given, std::size_t sufficient, const Budget& budget,
                  FastRandom& random) {
  std::vector<WordProduct> words;
  for (const Product& product : given.products) words.push_back(in_words(product));
  given.products.clear();
  for (const WordProduct& product : searched(words, sufficient, budget, random)) {
    given.products.push_back(from_words(product, given.dimension()));
  }
}

/// Returns fewer products for a group that does not fall apart.
std::vector<Product> reduced_group(std::span<const Product> products, const Budget& budget,
                                   FastRandom& random) {
  ProductsInBasis given = in_basis(products);
  const std::size_t sufficient = lower_bound_of_dimension(given.dimension());
  if (given.products.size() <= sufficient) return on_wires(given);
  if (!use_algebra(given, budget, random) && given.dimension() <= kMaxWordDimension) {
    use_searches(given, sufficient, budget, random);
  }
  return on_wires(given);
}

}  // namespace

std::size_t lower_bound_of_products(std::span<const Product> products) {
  return lower_bound_of_dimension(in_basis(products).dimension());
}

std::vector<Product> with_fewer_products(std::span<const Product> products, const Budget& budget,
                                         FastRandom& random) {
  ProductsInBasis all =
      in_basis(with_merged_products(with_frequent_forms(products, random), random));
  const std::vector<std::vector<Product>> groups = groups_of(all);
  all.products.clear();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Budget part = budget.share(1.0 / static_cast<double>(groups.size() - i));
    for (Product& product : reduced_group(groups[i], part, random)) {
      all.products.push_back(std::move(product));
    }
  }
  const std::vector<Product> result = on_wires(all);
  ensure(have_same_sum(products, result), "the reduced products have another sum of trivectors");
  return result;
}

}  // namespace quartz::optimizer
