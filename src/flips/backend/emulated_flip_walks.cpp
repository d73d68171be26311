#include "flips/backend/emulated_flip_walks.hpp"

#include "flips/chain/chain_start.hpp"
#include "flips/chain/flip_chain.hpp"

namespace quartz::flips {

namespace {

constexpr std::uint32_t kEmulatedChains = 64;

/// One thread in the place of all lanes.
struct HostLanes {
  template <typename Test>
  [[nodiscard]] std::uint32_t ballot(const Test& test) const {
    std::uint32_t passed = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
      if (test(lane)) passed |= std::uint32_t{1} << lane;
    }
    return passed;
  }
  template <typename Function>
  void for_each_below(std::uint32_t end, const Function& function) const {
    for (std::uint32_t i = 0; i < end; ++i) function(i);
  }
  void wait() const {}
};

class EmulatedFlipWalks final : public FlipWalks {
 public:
  EmulatedFlipWalks(const FlipWalkStart& start, std::uint32_t chains)
      : kind_(start.kind),
        current_(chains, product_set(start.products)),
        best_(current_),
        states_(chain_states(start.seed, chains)) {}

  [[nodiscard]] std::uint32_t chains() const override {
    return static_cast<std::uint32_t>(best_.size());
  }
  void begin(std::uint32_t draws, std::uint32_t sufficient) override {
    for (std::size_t i = 0; i < best_.size(); ++i) {
      FlipChain<HostLanes> chain({}, kind_, current_[i], best_[i], states_[i]);
      chain.run(draws, sufficient);
      states_[i] = chain.state();
    }
  }
  [[nodiscard]] std::vector<std::uint32_t> finish() override {
    std::vector<std::uint32_t> sizes;
    for (const ProductSet& set : best_) sizes.push_back(set.size);
    return sizes;
  }
  void continue_from(std::span<const std::uint32_t> chains) override {
    const std::vector<ProductSet> before = best_;
    for (std::size_t i = 0; i < best_.size(); ++i) {
      if (chains[i] != i) current_[i] = best_[i] = before[chains[i]];
    }
  }
  [[nodiscard]] std::uint64_t flips() const override { return flips_of(states_); }
  [[nodiscard]] std::vector<WordProduct> best_of(std::uint32_t chain) const override {
    return products_of(best_[chain]);
  }

 private:
  FlipKind kind_;
  std::vector<ProductSet> current_;
  std::vector<ProductSet> best_;
  std::vector<ChainState> states_;
};

}  // namespace

std::unique_ptr<FlipWalks> make_emulated_flip_walks(const FlipWalkStart& start,
                                                    std::uint32_t most_chains) {
  const std::uint32_t chains = most_chains == 0 ? kEmulatedChains : most_chains;
  return std::make_unique<EmulatedFlipWalks>(start, chains);
}

}  // namespace quartz::flips
