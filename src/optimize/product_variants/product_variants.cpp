#include "optimize/product_variants/product_variants.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "optimize/product_reduction/form_slots.hpp"
#include "optimize/product_reduction/product_reduction.hpp"

namespace quartz::optimizer {
namespace {

constexpr std::size_t kNoCost = std::numeric_limits<std::size_t>::max();
/// Products that a set may have beyond the fewest.
constexpr std::size_t kMoreProducts = 1;
/// Families that are kept, and one of how many draws begins another one.
constexpr std::size_t kFamilies = 6;
constexpr std::uint32_t kDrawsOfReduction = 16;
/// Budgets of another reduction, and of one set.
constexpr Budget::Amount kReductionAmount{1.0, 1'000'000};
constexpr Budget::Amount kDrawAmount{0.03, 30'000};
/// Sets after which the average cost of a family counts, and one of how many sets comes from any
/// family.
constexpr std::size_t kTrialDraws = 6;
constexpr std::uint32_t kDrawsOfAny = 4;
/// One of how many sets replaces the current one though it costs kMoreCost more, and refused sets
/// after which any replaces it.
constexpr std::size_t kAcceptedWorse = 20;
constexpr std::size_t kMoreCost = 2;
constexpr std::size_t kMaxRefused = 200;

}  // namespace

ProductVariants::ProductVariants(std::span<const Product> given, std::span<const Product> fewest)
    : given_products_(given.begin(), given.end()) {
  for (const Product& product : given) {
    for (const LinearForm& form : product.forms) (void)coordinates_.extend(form);
  }
  if (coordinates_.dimension() > kMaxWordDimension || fewest.size() < 2) return;
  const auto words = words_of(given);
  const auto fewest_words = words_of(fewest);
  if (!words || !fewest_words) return;
  const auto graded = in_slots(*words);
  const auto fewest_graded = in_slots(*fewest_words);
  const bool is_graded = graded && fewest_graded;
  kind_ = is_graded ? FlipKind::kGraded : FlipKind::kUngraded;
  given_ = is_graded ? graded->products : *words;
  most_ = fewest.size() + kMoreProducts;
  add_family(is_graded ? fewest_graded->products : *fewest_words);
}

std::optional<std::vector<Product>> ProductVariants::draw(const Budget& budget,
                                                          FastRandom& random) {
  if (families_.empty()) return std::nullopt;
  if (random.below(kDrawsOfReduction) == 0) {
    if (auto other = reduced_again(budget.limited_to(kReductionAmount), random)) {
      add_family(*std::move(other));
    }
  }
  drawn_family_ = chosen_family(random);
  const Family& family = families_[drawn_family_];
  const std::size_t most = std::max(family.current.size(), most_ - kMoreProducts);
  drawn_ = redrawn_products(family.current, kind_, most, budget.limited_to(kDrawAmount), random);
  if (drawn_.size() > most_) return std::nullopt;
  return products_of(drawn_);
}

void ProductVariants::learn(std::size_t cost) {
  Family& family = families_[drawn_family_];
  ++family.draws;
  family.sum += cost;
  const bool accepts_worse = family.draws % kAcceptedWorse == 0 && cost <= family.cost + kMoreCost;
  if (family.cost == kNoCost || cost <= family.cost || accepts_worse ||
      family.refused >= kMaxRefused) {
    family.current = drawn_;
    family.cost = cost;
    family.refused = 0;
  } else {
    ++family.refused;
  }
}

std::optional<ProductVariants::Words> ProductVariants::words_of(
    std::span<const Product> products) const {
  Words result;
  for (const Product& product : products) {
    WordProduct& words = result.emplace_back();
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto elements = coordinates_.of(product.forms.at(i));
      if (!elements) return std::nullopt;
      words.at(i) = elements->to_ulong();
    }
  }
  return result;
}

std::vector<Product> ProductVariants::products_of(const Words& words) const {
  std::vector<Product> result;
  for (const WordProduct& product : words) {
    Product& forms = result.emplace_back();
    for (std::size_t i = 0; i < product.size(); ++i) {
      LinearForm& form = forms.forms.at(i);
      form.resize(coordinates_.basis()[0].size());
      for (std::size_t element = 0; element < coordinates_.dimension(); ++element) {
        if ((product.at(i) >> element & 1U) != 0) form ^= coordinates_.basis()[element];
      }
    }
  }
  return result;
}

std::optional<ProductVariants::Words> ProductVariants::reduced_again(const Budget& budget,
                                                                     FastRandom& random) {
  Words result;
  if (reductions_++ % 2 == 0) {
    result = flipped_products(given_, kind_, most_, budget, random);
  } else {
    auto words = words_of(with_fewer_products(given_products_, budget, random));
    if (!words) return std::nullopt;
    if (kind_ == FlipKind::kGraded) {
      auto graded = in_slots(*words);
      if (!graded) return std::nullopt;
      words = std::move(graded->products);
    }
    result = *std::move(words);
  }
  if (result.size() > most_) return std::nullopt;
  return result;
}

void ProductVariants::add_family(Words products) {
  if (families_.size() == kFamilies) {
    const auto average = [](const Family& family) {
      return family.draws == 0
                 ? 0
                 : static_cast<double>(family.sum) / static_cast<double>(family.draws);
    };
    families_.erase(std::ranges::max_element(families_, {}, average));
  }
  families_.push_back({.current = std::move(products), .cost = kNoCost});
}

std::size_t ProductVariants::chosen_family(FastRandom& random) const {
  const auto untried = std::ranges::find_if(
      families_, [](const Family& family) { return family.draws < kTrialDraws; });
  if (untried != families_.end()) return static_cast<std::size_t>(untried - families_.begin());
  if (random.below(kDrawsOfAny) == 0) {
    return random.below(static_cast<std::uint32_t>(families_.size()));
  }
  const auto average = [](const Family& family) {
    return static_cast<double>(family.sum) / static_cast<double>(family.draws);
  };
  return static_cast<std::size_t>(std::ranges::min_element(families_, {}, average) -
                                  families_.begin());
}

}  // namespace quartz::optimizer
