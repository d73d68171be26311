#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "parity_chains/chain/chain_start.hpp"

namespace quartz::parity_chains {

/// Many chains of walks through tables (parity_chain.hpp) on one kind of device. The chains depend
/// on the start, their number and the batches only, and are the same on every device.
class ParityWalks {
 public:
  ParityWalks() = default;
  ParityWalks(const ParityWalks&) = delete;
  ParityWalks& operator=(const ParityWalks&) = delete;
  virtual ~ParityWalks() = default;

  [[nodiscard]] virtual std::uint32_t chains() const = 0;
  /// Begins walks of each chain until it has tested `batches` batches of candidates.
  virtual void begin(std::uint32_t batches) = 0;
  /// Waits until the walks are done, and returns the number of points of each chain's table.
  [[nodiscard]] virtual std::vector<std::uint32_t> finish() = 0;
  /// Has each chain go on from the table of the chain with the given number.
  virtual void continue_from(std::span<const std::uint32_t> chains) = 0;
  /// Has a chain go on from another table, of at most as many points as the largest start.
  virtual void restart(std::uint32_t chain, const Points& table) = 0;
  [[nodiscard]] virtual Points table_of(std::uint32_t chain) const = 0;
  /// Returns the candidates that all chains have tested so far.
  [[nodiscard]] virtual std::uint64_t candidates() const = 0;
};

/// A kind of device that runs walks.
struct ParityBackend {
  std::string_view name;
  bool (*available)();
  /// Makes walks with the number of chains that suits the device; 0 < `most_chains` limits it.
  /// These and their functions throw DeviceError if the device fails.
  std::unique_ptr<ParityWalks> (*make)(const ParityWalkStart& start, std::uint32_t most_chains);
};

}  // namespace quartz::parity_chains
