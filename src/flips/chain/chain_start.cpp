#include "flips/chain/chain_start.hpp"

#include "base/random.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::flips {

namespace {

/// Chains differ in their patience, from the least one on in powers of two: which one finds the
/// fewest products depends on the products.
constexpr std::uint32_t kLeastPatience = 2000;
constexpr std::uint32_t kPatiences = 6;

}  // namespace

ProductSet product_set(std::span<const WordProduct> products) {
  ensure(products.size() <= kMaxChainProducts, "a chain of flips has too many products");
  ProductSet set{};
  set.size = static_cast<std::uint32_t>(products.size());
  for (std::size_t i = 0; i < products.size(); ++i) {
    for (std::size_t slot = 0; slot < 3; ++slot) set.forms[slot][i] = products[i][slot];
  }
  return set;
}

std::vector<WordProduct> products_of(const ProductSet& set) {
  std::vector<WordProduct> products(set.size);
  for (std::size_t i = 0; i < products.size(); ++i) {
    for (std::size_t slot = 0; slot < 3; ++slot) products[i][slot] = set.forms[slot][i];
  }
  return products;
}

std::vector<ChainState> chain_states(std::uint64_t seed, std::uint32_t chains) {
  FastRandom random(seed);
  std::vector<ChainState> states(chains);
  for (std::uint32_t i = 0; i < chains; ++i) {
    states[i] = {random(), 0, 0, kLeastPatience << (i % kPatiences)};
  }
  return states;
}

std::uint64_t flips_of(std::span<const ChainState> states) {
  std::uint64_t sum = 0;
  for (const ChainState& state : states) sum += state.flips;
  return sum;
}

}  // namespace quartz::flips
