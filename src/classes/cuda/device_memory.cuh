#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "quartz/base/errors.hpp"

namespace quartz::classes::cuda {

/// Throws Error if a CUDA call failed; `what` names the attempted action.
inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw Error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(status));
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

/// The rows of the matrices of all letters, each padded with zeros to the same number of entries,
/// so that threads take the same steps for all letters. The identity follows the last letter.
struct LetterRows {
  const algebra::Goldilocks* entries = nullptr;  ///< [letter][row][entry]
  const std::uint16_t* columns = nullptr;        ///< [letter][row][entry]
  std::uint32_t row_entries = 1;
};

class DeviceLetterRows {
 public:
  explicit DeviceLetterRows(const fingerprint::FingerprintTables& tables) {
    const std::size_t dimension = tables.dimension();
    for (const fingerprint::FieldGate& gate : tables.letters) {
      for (std::size_t row = 0; row < dimension; ++row) {
        row_entries_ = std::max(row_entries_, gate.row_begin[row + 1] - gate.row_begin[row]);
      }
    }
    ensure(dimension <= 65536, "a column fits 16 bits");
    std::vector<algebra::Goldilocks> entries;
    std::vector<std::uint16_t> columns;
    const auto append_row = [&](std::span<const algebra::Goldilocks> values,
                                std::span<const std::uint32_t> where) {
      for (std::uint32_t i = 0; i < row_entries_; ++i) {
        entries.push_back(i < values.size() ? values[i] : algebra::Goldilocks());
        columns.push_back(static_cast<std::uint16_t>(i < where.size() ? where[i] : 0));
      }
    };
    for (const fingerprint::FieldGate& gate : tables.letters) {
      for (std::size_t row = 0; row < dimension; ++row) {
        const std::size_t begin = gate.row_begin[row];
        const std::size_t size = gate.row_begin[row + 1] - begin;
        append_row(std::span(gate.entries).subspan(begin, size),
                   std::span(gate.columns).subspan(begin, size));
      }
    }
    for (std::uint32_t row = 0; row < dimension; ++row) {
      append_row(std::vector<algebra::Goldilocks>{algebra::Goldilocks(1)},
                 std::vector<std::uint32_t>{row});
    }
    entries_ = DeviceArray<algebra::Goldilocks>(std::span<const algebra::Goldilocks>(entries));
    columns_ = DeviceArray<std::uint16_t>(std::span<const std::uint16_t>(columns));
  }
  [[nodiscard]] LetterRows view() const { return {entries_.data(), columns_.data(), row_entries_}; }

 private:
  std::uint32_t row_entries_ = 1;
  DeviceArray<algebra::Goldilocks> entries_;
  DeviceArray<std::uint16_t> columns_;
};

/// Multiplies row `row` of a letter's matrix by a state in memory.
__device__ inline algebra::Goldilocks row_times_state(const LetterRows& rows, std::size_t dimension,
                                                      std::uint32_t letter, std::uint32_t row,
                                                      const algebra::Goldilocks* state) {
  const std::size_t begin = (letter * dimension + row) * rows.row_entries;
  algebra::GoldilocksSum sum;
  for (std::uint32_t i = 0; i < rows.row_entries; ++i) {
    sum.add_product(rows.entries[begin + i], state[rows.columns[begin + i]]);
  }
  return sum.value();
}

}  // namespace quartz::classes::cuda
