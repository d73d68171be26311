#include "optimize/product_reduction/product_reduction.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/device_error.hpp"
#include "flips/chain/flip_chain.hpp"
#include "flips/parallel_flips.hpp"
#include "optimize/algebras/algebra_structure.hpp"
#include "optimize/product_reduction/algebra_products.hpp"
#include "optimize/product_reduction/evaluation_forms.hpp"
#include "optimize/product_reduction/flip_search.hpp"
#include "optimize/product_reduction/form_slots.hpp"
#include "optimize/product_reduction/recursive_forms.hpp"
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

/// Sets of products with the same sum of trivectors, the one with the fewest products first.
using ProductSets = std::vector<std::vector<Product>>;

/// Which sets a call returns.
enum class WantedSets { kFewest, kFewestAndSparse };

/// Largest degree of an algebra that is looked for: linear algebra takes a second there.
constexpr std::size_t kMaxAlgebraDegree = 512;
/// Equivalent sets of which the one with the sparsest forms is taken. There are many, so that each
/// call returns another one.
constexpr std::size_t kDraws = 24;

/// Returns the sets that the structure of an algebra gives; none if there is no such structure.
ProductSets sets_of_algebra(const ProductsInBasis& given, WantedSets wanted, const Budget& budget,
                            FastRandom& random) {
  // The multiplication in an algebra of degree n takes 2n - 1 products at least.
  const std::size_t degree = given.dimension() / 3;
  if (degree > kMaxAlgebraDegree || given.products.size() + 1 < 2 * degree) return {};
  const auto structure = algebra_structure_of(given.products, given.dimension(), random);
  if (!structure) return {};
  EvaluationForms forms(budget, random);
  const LinearForm& modulus = structure->modulus;
  const auto formula = formula_of_forms(modulus, forms.of_algebra(modulus));
  ProductSets sets{lightest_products(*structure, formula, kDraws, random)};
  if (!have_same_sum(sets[0], given.products)) return {};
  if (sets[0].size() > given.products.size()) sets[0] = given.products;
  if (wanted == WantedSets::kFewest) return sets;
  const auto recursive = formula_of_forms(modulus, recursive_forms(structure->degree()));
  auto sparse = products_of_formula(*structure, recursive);
  const bool is_between = sparse.size() > sets[0].size() && sparse.size() < given.products.size();
  if (is_between) sets.push_back(std::move(sparse));
  return sets;
}

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

/// How a search goes about its work.
struct Means {
  const Budget& budget;
  FastRandom& random;
  const flips::FlipBackend* device;  ///< null: flips are made on the host
};

/// Fewest products for which a device is used, and the least time: starting it takes a third of a
/// second, which would exceed a shorter time.
constexpr std::size_t kMinDeviceProducts = 24;
constexpr double kMinDeviceSeconds = 1;

bool suits_device(const std::vector<WordProduct>& products, const Means& means) {
  const Budget& budget = means.budget;
  return means.device != nullptr && products.size() >= kMinDeviceProducts &&
         products.size() <= flips::kMaxChainProducts &&
         (!budget.has_deadline() || budget.seconds_left() >= kMinDeviceSeconds) &&
         means.device->available();
}

/// Walks on the device, and keeps the fewest products. Returns whether the device did not fail.
bool walk_on_device(const std::vector<WordProduct>& from, FlipKind kind, std::size_t sufficient,
                    const Means& means, std::vector<WordProduct>& best) {
  try {
    keep_fewer(best, flips::flipped_in_parallel(*means.device, {from, kind, means.random()},
                                                sufficient, means.budget)
                         .products);
  } catch (const DeviceError&) {
    return false;
  }
  return true;
}

/// Walks on the device, or several times on the host from the same products, and keeps the fewest
/// products.
void walk(const std::vector<WordProduct>& from, FlipKind kind, std::size_t sufficient,
          const Means& means, std::vector<WordProduct>& best) {
  if (best.size() <= sufficient) return;
  if (suits_device(from, means) && walk_on_device(from, kind, sufficient, means, best)) return;
  const unsigned walks = kind == FlipKind::kGraded ? kGradedWalks : kUngradedWalks;
  for (unsigned done = 0; done < walks && best.size() > sufficient; ++done) {
    const Budget part = means.budget.share(1.0 / (walks - done));
    keep_fewer(best, flipped_products(from, kind, sufficient, part, means.random));
  }
}

/// Returns fewer products by searches that need no structure of an algebra.
std::vector<WordProduct> searched(const std::vector<WordProduct>& given, std::size_t sufficient,
                                  const Means& means) {
  const auto& [budget, random, device] = means;
  std::vector<WordProduct> best = given;
  if (const auto graded = in_slots(given)) {
    if (auto symmetric =
            symmetric_products(*graded, sufficient, budget.share(kSymmetricPart), random)) {
      keep_fewer(best, std::move(*symmetric));
    }
    const Budget part = budget.share(kGradedPart);
    walk(graded->products, FlipKind::kGraded, sufficient, {part, random, device}, best);
  }
  // The sum of trivectors does not know of slots, and may need fewer products without them: 21 in
  // place of 23 for the products of 3 x 3 matrices.
  if (given.size() <= kMaxUngraded || suits_device(given, means)) {
    walk(given, FlipKind::kUngraded, sufficient, means, best);
  }
  if (best.size() == given.size()) return best;
  return flipped_products(std::move(best), FlipKind::kUngraded, sufficient, budget, random);
}

std::vector<Product> searched(const ProductsInBasis& given, std::size_t sufficient,
                              const Means& means) {
  std::vector<WordProduct> words;
  for (const Product& product : given.products) words.push_back(in_words(product));
  std::vector<Product> result;
  for (const WordProduct& product : searched(words, sufficient, means)) {
    result.push_back(from_words(product, given.dimension()));
  }
  return result;
}

/// Returns sets of fewer products for a group that does not fall apart.
ProductSets sets_of_group(std::span<const Product> products, WantedSets wanted,
                          const Means& means) {
  const ProductsInBasis given = in_basis(products);
  const std::size_t sufficient = lower_bound_of_dimension(given.dimension());
  ProductSets sets;
  if (given.products.size() > sufficient) {
    sets = sets_of_algebra(given, wanted, means.budget, means.random);
    if (sets.empty() && given.dimension() <= kMaxWordDimension) {
      sets.push_back(searched(given, sufficient, means));
    }
  }
  if (sets.empty()) sets.push_back(given.products);
  for (std::vector<Product>& set : sets) set = on_wires({given.basis, std::move(set)});
  return sets;
}

/// Returns the sets of all groups together. A group with one set has it in all of them.
ProductSets reduced(std::span<const Product> products, WantedSets wanted, const Means& means) {
  const auto& [budget, random, device] = means;
  const ProductsInBasis all =
      in_basis(with_merged_products(with_frequent_forms(products, random), random));
  const std::vector<std::vector<Product>> groups = groups_of(all);
  std::vector<ProductSets> sets_of;
  std::size_t most = 1;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const Budget part = budget.share(1.0 / static_cast<double>(groups.size() - i));
    sets_of.push_back(sets_of_group(groups[i], wanted, {part, random, device}));
    most = std::max(most, sets_of.back().size());
  }
  ProductSets result;
  for (std::size_t i = 0; i < most; ++i) {
    ProductsInBasis set{all.basis, {}};
    for (const ProductSets& sets : sets_of) {
      const std::vector<Product>& of_group = sets[std::min(i, sets.size() - 1)];
      set.products.insert(set.products.end(), of_group.begin(), of_group.end());
    }
    result.push_back(on_wires(set));
    ensure(have_same_sum(products, result.back()),
           "the reduced products have another sum of trivectors");
  }
  return result;
}

}  // namespace

std::size_t lower_bound_of_products(std::span<const Product> products) {
  return lower_bound_of_dimension(in_basis(products).dimension());
}

std::vector<Product> with_fewer_products(std::span<const Product> products, const Budget& budget,
                                         FastRandom& random, const flips::FlipBackend* device) {
  return std::move(reduced(products, WantedSets::kFewest, {budget, random, device}).front());
}

std::vector<std::vector<Product>> sets_of_fewer_products(std::span<const Product> products,
                                                         const Budget& budget, FastRandom& random,
                                                         const flips::FlipBackend* device) {
  return reduced(products, WantedSets::kFewestAndSparse, {budget, random, device});
}

}  // namespace quartz::optimizer
