#include "optimize/window_device/chain_devices.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/device_error.hpp"
#include "optimize/window_device/chain_table.hpp"
#include "quartz/base/parallel_for.hpp"
#include "window_chains/backend/device_group.hpp"

namespace quartz::optimizer {

unsigned ChainDevices::count() {
  if (!count_) count_ = backend_ == nullptr ? 0 : std::min(backend_->devices(), most_);
  return *count_;
}

std::unique_ptr<window_chains::ChainDevice> ChainDevices::loaded_with(const ClassTable& table) {
  const std::optional<window_chains::HostTable> contents = chain_table(table);
  if (!contents) return nullptr;
  std::vector<std::unique_ptr<window_chains::ChainDevice>> devices(count());
  on_threads(devices.size(), [&](std::size_t i) {
    try {
      devices[i] = backend_->make(*contents, static_cast<unsigned>(i));
    } catch (const DeviceError&) {
      // The table may be too large for the device, which may still have others.
    }
  });
  std::erase(devices, nullptr);
  if (devices.size() < 2) return devices.empty() ? nullptr : std::move(devices.front());
  return std::make_unique<window_chains::DeviceGroup>(std::move(devices));
}

bool ChainDevices::is_available_for(const ClassTable& table) {
  const std::lock_guard lock(mutex_);
  if (!is_available()) return false;
  const auto known = std::ranges::find(loaded_, &table, &Loaded::table);
  return known != loaded_.end() ? known->device != nullptr : chain_table(table).has_value();
}

window_chains::ChainDevice* ChainDevices::with(const ClassTable& table) {
  const std::lock_guard lock(mutex_);
  if (!is_available()) return nullptr;
  const auto known = std::ranges::find(loaded_, &table, &Loaded::table);
  if (known != loaded_.end()) return known->device.get();
  loaded_.push_back({&table, loaded_with(table)});
  return loaded_.back().device.get();
}

void ChainDevices::give_up() {
  const std::lock_guard lock(mutex_);
  count_ = 0;
}

}  // namespace quartz::optimizer
