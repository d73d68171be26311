#include "optimize/window_device/chain_devices.hpp"

#include <algorithm>
#include <utility>

#include "base/device_error.hpp"
#include "optimize/window_device/chain_table.hpp"

namespace quartz::optimizer {

bool ChainDevices::is_available() {
  if (!is_available_) is_available_ = backend_ != nullptr && backend_->available();
  return *is_available_;
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
  std::unique_ptr<window_chains::ChainDevice> device;
  try {
    if (const auto contents = chain_table(table)) device = backend_->make(*contents);
  } catch (const DeviceError&) {
    // The table may be too large for the device, which may still have others.
  }
  loaded_.push_back({&table, std::move(device)});
  return loaded_.back().device.get();
}

void ChainDevices::give_up() {
  const std::lock_guard lock(mutex_);
  is_available_ = false;
}

}  // namespace quartz::optimizer
