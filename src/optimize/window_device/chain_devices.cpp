#include "optimize/window_device/chain_devices.hpp"

#include <algorithm>

#include "base/device_error.hpp"
#include "optimize/window_device/chain_table.hpp"

namespace quartz::optimizer {

unsigned ChainDevices::count() {
  if (!count_) count_ = backend_ == nullptr ? 0 : backend_->devices();
  return *count_;
}

unsigned ChainDevices::count_for(const ClassTable& table) {
  const std::lock_guard lock(mutex_);
  const bool is_refused = std::ranges::any_of(loaded_, [&](const std::unique_ptr<Loaded>& each) {
    return each->table == &table && each->is_refused;
  });
  return count() != 0 && !is_refused && chain_table(table).has_value() ? count() : 0;
}

ChainDevices::Loaded* ChainDevices::find_or_add(const ClassTable& table, unsigned device) {
  const std::lock_guard lock(mutex_);
  if (device >= count()) return nullptr;
  const auto known = std::ranges::find_if(loaded_, [&](const std::unique_ptr<Loaded>& each) {
    return each->table == &table && each->number == device;
  });
  if (known != loaded_.end()) return known->get();
  Loaded& added = *loaded_.emplace_back(std::make_unique<Loaded>());
  added.table = &table;
  added.number = device;
  return &added;
}

window_chains::ChainDevice* ChainDevices::with(const ClassTable& table, unsigned device) {
  Loaded* const loaded = find_or_add(table, device);
  if (loaded == nullptr) return nullptr;
  std::call_once(loaded->is_copied, [&] {
    try {
      if (const auto contents = chain_table(table)) {
        loaded->device = backend_->make(*contents, device);
      }
    } catch (const DeviceError&) {
      // The table may be too large for the device, which may still have others.
    }
    loaded->is_refused = loaded->device == nullptr;
  });
  return loaded->device.get();
}

void ChainDevices::give_up() {
  const std::lock_guard lock(mutex_);
  count_ = 0;
}

}  // namespace quartz::optimizer
