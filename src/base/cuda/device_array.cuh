#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/device_error.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::cuda {

/// Throws DeviceError if a CUDA call failed; `what` names the attempted action.
inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw DeviceError(std::string("CUDA: ") + what + ": " + cudaGetErrorString(status));
}

/// An array in the device's memory.
template <typename T>
class DeviceArray {
 public:
  DeviceArray() = default;
  /// Allocates the array without initializing it.
  explicit DeviceArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    void* memory = nullptr;
    check(cudaMalloc(&memory, size * sizeof(T)), "allocating device memory");
    memory_.reset(static_cast<T*>(memory));
  }
  explicit DeviceArray(std::span<const T> values) : DeviceArray(values.size()) { copy_in(values); }

  [[nodiscard]] T* data() const { return memory_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }

  void copy_in(std::span<const T> values) {
    ensure(values.size() <= size_, "values copied to the device fit into the array");
    if (values.empty()) return;
    check(cudaMemcpy(data(), values.data(), values.size_bytes(), cudaMemcpyHostToDevice),
          "copying to the device");
  }
  void copy_out(std::span<T> values) const {
    ensure(values.size() <= size_, "values copied from the device exist in the array");
    if (values.empty()) return;
    check(cudaMemcpy(values.data(), data(), values.size_bytes(), cudaMemcpyDeviceToHost),
          "copying from the device");
  }
  void fill_with_zeros() {
    if (size_ != 0) check(cudaMemset(data(), 0, size_ * sizeof(T)), "clearing device memory");
  }

 private:
  struct Free {
    void operator()(T* memory) const { static_cast<void>(cudaFree(memory)); }
  };
  std::unique_ptr<T, Free> memory_;
  std::size_t size_ = 0;
};

}  // namespace quartz::cuda
