#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "quartz/base/errors.hpp"

namespace quartz {

/// Returns how many chains each device runs: as many as it can, and no more than `most` in all,
/// unless that is 0. `resident(device)` returns how many a device can run at a time.
template <typename Resident>
[[nodiscard]] std::vector<std::uint32_t> chains_by_device(int devices, std::uint32_t most,
                                                          const Resident& resident) {
  std::vector<std::uint32_t> counts;
  std::uint32_t left = most == 0 ? ~std::uint32_t{0} : most;
  for (int device = 0; device < devices && left > 0; ++device) {
    counts.push_back(std::min(left, resident(device)));
    left -= counts.back();
  }
  return counts;
}

/// The chains of several devices, numbered through.
///
/// A `Device` has chains(), the number of its chains; append_sizes(sizes), which appends the size
/// of the set of each; continue_from(from), by which each goes on from the set of another one or
/// its own; set_of(chain) and set(chain, set).
template <typename Device>
class ChainsOfDevices {
 public:
  void add(std::unique_ptr<Device> device) {
    chains_ += device->chains();
    devices_.push_back(std::move(device));
  }

  [[nodiscard]] std::uint32_t chains() const { return chains_; }
  [[nodiscard]] std::span<const std::unique_ptr<Device>> devices() const { return devices_; }

  [[nodiscard]] std::vector<std::uint32_t> sizes() const {
    std::vector<std::uint32_t> sizes;
    for (const auto& device : devices_) device->append_sizes(sizes);
    return sizes;
  }
  [[nodiscard]] auto set_of(std::uint32_t chain) const {
    const auto [device, index] = place_of(chain);
    return device->set_of(index);
  }
  template <typename Set>
  void set(std::uint32_t chain, const Set& set) {
    const auto [device, index] = place_of(chain);
    device->set(index, set);
  }

  /// Has each chain go on from the set of the chain with the given number, which goes on from its
  /// own. Sets of other devices come through the host.
  void continue_from(std::span<const std::uint32_t> chains) {
    using Set = decltype(set_of(0));
    std::vector<std::pair<std::uint32_t, Set>> from_elsewhere;
    std::uint32_t first = 0;
    for (const auto& device : devices_) {
      std::vector<std::uint32_t> from(device->chains());
      for (std::uint32_t i = 0; i < from.size(); ++i) {
        const std::uint32_t source = chains[first + i];
        const bool is_here = source >= first && source < first + device->chains();
        from[i] = is_here ? source - first : i;
        if (!is_here) from_elsewhere.emplace_back(first + i, set_of(source));
      }
      device->continue_from(from);
      first += device->chains();
    }
    for (const auto& [chain, other] : from_elsewhere) set(chain, other);
  }

 private:
  [[nodiscard]] std::pair<Device*, std::uint32_t> place_of(std::uint32_t chain) const {
    for (const auto& device : devices_) {
      if (chain < device->chains()) return {device.get(), chain};
      chain -= device->chains();
    }
    throw InternalError("there is no chain with this number");
  }

  std::uint32_t chains_ = 0;
  std::vector<std::unique_ptr<Device>> devices_;
};

}  // namespace quartz
