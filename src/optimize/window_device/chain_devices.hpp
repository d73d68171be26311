#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "classes/table/class_table.hpp"
#include "window_chains/backend/chain_device.hpp"

namespace quartz::optimizer {

/// The class tables of a search in the memory of devices. Thread-safe.
class ChainDevices {
 public:
  /// The backend need not have a device; null: there is none.
  explicit ChainDevices(const window_chains::ChainBackend* backend) : backend_(backend) {}

  /// Returns the number of devices that can have a table, as far as is known before it is copied
  /// there.
  [[nodiscard]] unsigned count_for(const ClassTable& table);
  /// Returns a device, by its number from 0, with a table in its memory. The first call for both
  /// copies the table, which takes time; calls for other devices do not wait for it. Returns null
  /// if there is no such device, if it cannot have the table, or if one has failed. The table must
  /// outlive the object.
  [[nodiscard]] window_chains::ChainDevice* with(const ClassTable& table, unsigned device);
  /// Has all later calls find no device, because one has failed.
  void give_up();

 private:
  struct Loaded {
    const ClassTable* table = nullptr;
    unsigned number = 0;
    std::once_flag is_copied;
    std::unique_ptr<window_chains::ChainDevice> device;  ///< null if it cannot have the table
    std::atomic<bool> is_refused = false;                ///< whether the device cannot have it
  };

  [[nodiscard]] unsigned count();
  /// Returns what is known of a device and a table, from a list that the mutex guards.
  [[nodiscard]] Loaded* find_or_add(const ClassTable& table, unsigned device);

  const window_chains::ChainBackend* const backend_;
  std::mutex mutex_;
  std::optional<unsigned> count_;  ///< nothing before the backend was asked
  std::vector<std::unique_ptr<Loaded>> loaded_;
};

}  // namespace quartz::optimizer
