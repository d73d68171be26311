#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "window_chains/backend/chain_device.hpp"

namespace quartz::window_chains {

/// Several devices with the same class table as one: each runs a part of the chains of a round, at
/// the same time. What comes of a chain does not depend on the devices.
class DeviceGroup final : public ChainDevice {
 public:
  /// There must be at least one device.
  explicit DeviceGroup(std::vector<std::unique_ptr<ChainDevice>> devices)
      : devices_(std::move(devices)) {}

  [[nodiscard]] std::uint32_t chains() const override;
  [[nodiscard]] std::uint32_t devices() const override {
    return static_cast<std::uint32_t>(devices_.size());
  }
  using ChainDevice::run;
  [[nodiscard]] std::vector<ChainEnd> run(const ChainRound& round, ChainRange range,
                                          const ChainLabels& labels) override;

 private:
  std::vector<std::unique_ptr<ChainDevice>> devices_;
};

}  // namespace quartz::window_chains
