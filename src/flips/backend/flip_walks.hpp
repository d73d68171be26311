#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "flips/chain/word_product.hpp"

namespace quartz::flips {

/// What the chains of a walk start from.
struct FlipWalkStart {
  std::vector<WordProduct> products;  ///< their forms are independent; at most kMaxChainProducts
  FlipKind kind = FlipKind::kGraded;
  std::uint64_t seed = 0;
};

/// Many chains of flips (flip_chain.hpp) on one device. The chains depend on the start, their
/// number and the draws only, and are the same on every device.
class FlipWalks {
 public:
  FlipWalks() = default;
  FlipWalks(const FlipWalks&) = delete;
  FlipWalks& operator=(const FlipWalks&) = delete;
  virtual ~FlipWalks() = default;

  [[nodiscard]] virtual std::uint32_t chains() const = 0;
  /// Begins `draws` draws of each chain. A chain ends early when its best set has `sufficient`
  /// products.
  virtual void begin(std::uint32_t draws, std::uint32_t sufficient) = 0;
  /// Waits until the draws are done, and returns the size of each chain's best set.
  [[nodiscard]] virtual std::vector<std::uint32_t> finish() = 0;
  /// Has each chain go on from the best set of the chain with the given number.
  virtual void continue_from(std::span<const std::uint32_t> chains) = 0;
  /// Returns the flips of all chains so far.
  [[nodiscard]] virtual std::uint64_t flips() const = 0;
  /// Returns the best set of a chain.
  [[nodiscard]] virtual std::vector<WordProduct> best_of(std::uint32_t chain) const = 0;
};

/// A kind of device that runs walks.
struct FlipBackend {
  std::string_view name;
  bool (*available)();
  /// Makes walks with the number of chains that suits the device; 0 < `most_chains` limits it.
  /// These and their functions throw DeviceError if the device fails.
  std::unique_ptr<FlipWalks> (*make)(const FlipWalkStart& start, std::uint32_t most_chains);
};

}  // namespace quartz::flips
