#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cuda/device_array.cuh"
#include "quartz/base/errors.hpp"

namespace quartz::classes::cuda {

using quartz::cuda::check;
using quartz::cuda::DeviceArray;

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
