#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "classes/table/class_table.hpp"
#include "window_chains/backend/chain_device.hpp"

namespace quartz::optimizer {

/// The class tables of a search in the memory of devices, which work together as one. Thread-safe.
class ChainDevices {
 public:
  /// Uses at most `most` devices of a backend, which need not have any; null: there is none.
  explicit ChainDevices(const window_chains::ChainBackend* backend, unsigned most = ~0U)
      : backend_(backend), most_(most) {}

  /// Returns whether there is a device that can have a table, as far as is known before it is
  /// copied there.
  [[nodiscard]] bool is_available_for(const ClassTable& table);
  /// Returns the devices with a table in their memory, copied there by the first call, which takes
  /// time. Returns null if there is no device, if none can have the table, or if one has failed.
  /// The table must outlive the object.
  [[nodiscard]] window_chains::ChainDevice* with(const ClassTable& table);
  /// Has all later calls return null, because a device has failed.
  void give_up();

 private:
  struct Loaded {
    const ClassTable* table;
    std::unique_ptr<window_chains::ChainDevice> device;  ///< null if it cannot have the table
  };

  [[nodiscard]] bool is_available() { return count() != 0; }
  /// Returns the number of devices.
  [[nodiscard]] unsigned count();
  /// Copies a table to all devices, and returns those that can have it.
  [[nodiscard]] std::unique_ptr<window_chains::ChainDevice> loaded_with(const ClassTable& table);

  const window_chains::ChainBackend* const backend_;
  const unsigned most_;
  std::mutex mutex_;
  std::optional<unsigned> count_;  ///< nothing before the backend was asked
  std::vector<Loaded> loaded_;
};

}  // namespace quartz::optimizer
