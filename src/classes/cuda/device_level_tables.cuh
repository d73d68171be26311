#pragma once

#include <cstdint>
#include <span>

#include "classes/backend/identity_key.hpp"
#include "classes/cuda/device_memory.cuh"
#include "classes/cuda/level_kernels.cuh"

namespace quartz::classes::cuda {

/// The tables of an enumeration by levels in the memory of the current device.
class DeviceLevelTables {
 public:
  explicit DeviceLevelTables(const LevelTables& tables)
      : rows_(tables.fingerprints),
        functionals_(std::span<const algebra::Goldilocks>(tables.fingerprints.functionals)),
        followers_(std::span<const std::uint64_t>(tables.followers.masks)),
        start_(std::span<const algebra::Goldilocks>(tables.fingerprints.probe.state)),
        letters_(static_cast<std::uint32_t>(tables.fingerprints.letters.size())),
        window_(tables.followers.window) {}

  [[nodiscard]] KernelTables view() const {
    return {rows_.view(), functionals_.data(), followers_.data(), letters_, window_};
  }
  /// Returns tables with other functionals and with only one letter, which follows all others.
  [[nodiscard]] KernelTables with_one_letter(const algebra::Goldilocks* functionals,
                                             const std::uint64_t* followers) const {
    return {rows_.view(), functionals, followers, letters_, 0};
  }
  /// Returns the state of the empty circuit.
  [[nodiscard]] const algebra::Goldilocks* start() const { return start_.data(); }
  [[nodiscard]] std::uint32_t letters() const { return letters_; }
  /// Returns the shared memory that a kernel needs for the functionals.
  [[nodiscard]] std::size_t functionals_bytes() const {
    return functionals_.size() * sizeof(algebra::Goldilocks);
  }

 private:
  DeviceLetterRows rows_;
  DeviceArray<algebra::Goldilocks> functionals_;
  DeviceArray<std::uint64_t> followers_;
  DeviceArray<algebra::Goldilocks> start_;
  std::uint32_t letters_;
  unsigned window_;
};

}  // namespace quartz::classes::cuda
