#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "classes/table/class_table.hpp"
#include "window_chains/backend/chain_device.hpp"

namespace quartz::optimizer {

/// The class tables of a search in the memory of a device. Thread-safe.
class ChainDevices {
 public:
  /// The backend need not be available; null: there is no device.
  explicit ChainDevices(const window_chains::ChainBackend* backend) : backend_(backend) {}

  /// Returns whether there is a device that can have a table, as far as is known before it is
  /// copied there.
  [[nodiscard]] bool is_available_for(const ClassTable& table);
  /// Returns the device with a table in its memory, copied there by the first call, which takes
  /// time. Returns null if there is no device, if it cannot have the table, or if it has failed.
  /// The table must outlive the object.
  [[nodiscard]] window_chains::ChainDevice* with(const ClassTable& table);
  /// Has all later calls return null, because a device has failed.
  void give_up();

 private:
  struct Loaded {
    const ClassTable* table;
    std::unique_ptr<window_chains::ChainDevice> device;  ///< null if it cannot have the table
  };

  [[nodiscard]] bool is_available();

  const window_chains::ChainBackend* const backend_;
  std::mutex mutex_;
  std::optional<bool> is_available_;  ///< nothing before the backend was asked
  std::vector<Loaded> loaded_;
};

}  // namespace quartz::optimizer
