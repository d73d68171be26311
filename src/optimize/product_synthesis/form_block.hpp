#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimize/product_synthesis/linear_reduction.hpp"
#include "optimize/product_synthesis/network_cnot.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// Bits of up to 64 * kWords wires.
template <std::size_t kWords>
using WireBits = std::array<std::uint64_t, kWords>;

template <std::size_t kWords>
[[nodiscard]] bool has_wire(const WireBits<kWords>& bits, std::uint32_t wire) {
  return (bits[wire / 64] >> (wire % 64) & 1U) != 0;
}
template <std::size_t kWords>
void flip_wire(WireBits<kWords>& bits, std::uint32_t wire) {
  bits[wire / 64] ^= std::uint64_t{1} << (wire % 64);
}
template <std::size_t kWords>
[[nodiscard]] WireBits<kWords> wire_bits(const LinearForm& form) {
  WireBits<kWords> bits{};
  boost::to_block_range(form, bits.begin());
  return bits;
}
template <std::size_t kWords>
[[nodiscard]] int count_wires(const WireBits<kWords>& bits) {
  int count = 0;
  for (const std::uint64_t word : bits) count += __builtin_popcountll(word);
  return count;
}
template <std::size_t kWords>
void add_bits(WireBits<kWords>& bits, const WireBits<kWords>& other) {
  for (std::size_t i = 0; i < kWords; ++i) bits[i] ^= other[i];
}

/// The forms of a product, or the form of a single phase. CNOTs bring each form onto a wire of its
/// own.
template <std::size_t kWords>
struct FormBlock {
  /// What the forms are in what the wires carry; the second and third are zero for a single phase.
  std::array<WireBits<kWords>, 3> forms{};

  /// Expresses the forms in what the wires carry after a CNOT.
  void append(NetworkCnot cnot) {
    for (WireBits<kWords>& form : forms) {
      if (has_wire(form, cnot.target)) flip_wire(form, cnot.control);
    }
  }
  /// Returns which of the three forms contain a wire: bit i for form i.
  [[nodiscard]] unsigned class_of(std::uint32_t wire) const {
    return static_cast<unsigned>(has_wire(forms[0], wire)) |
           static_cast<unsigned>(has_wire(forms[1], wire)) << 1U |
           static_cast<unsigned>(has_wire(forms[2], wire)) << 2U;
  }
};

/// The linear map that is left, and its weight, which the choice of CNOTs keeps low.
template <std::size_t kWords>
class MapLeft {
 public:
  explicit MapLeft(const std::vector<LinearForm>& outputs) {
    const std::size_t wires = outputs.size();
    columns_.resize(wires);
    for (std::uint32_t row = 0; row < wires; ++row) {
      for (auto i = outputs[row].find_first(); i != LinearForm::npos;
           i = outputs[row].find_next(i)) {
        flip_wire(columns_[i], row);
      }
    }
    for (const LinearForm& row : inverse_of(outputs)) inverse_.push_back(wire_bits<kWords>(row));
    for (std::size_t i = 0; i < wires; ++i) {
      weight_ += count_wires(columns_[i]) + count_wires(inverse_[i]) - 2;
    }
  }

  /// Returns the number of ones beyond those of the identity, in the map and in its inverse.
  [[nodiscard]] int weight() const { return weight_; }
  [[nodiscard]] bool is_identity() const {
    for (std::uint32_t i = 0; i < columns_.size(); ++i) {
      WireBits<kWords> expected{};
      flip_wire(expected, i);
      if (columns_[i] != expected) return false;
    }
    return true;
  }
  void append(NetworkCnot cnot) {
    WireBits<kWords>& column = columns_[cnot.control];
    WireBits<kWords>& row = inverse_[cnot.target];
    weight_ -= count_wires(column) + count_wires(row);
    add_bits(column, columns_[cnot.target]);
    add_bits(row, inverse_[cnot.control]);
    weight_ += count_wires(column) + count_wires(row);
  }
  /// Returns the rows of the map.
  [[nodiscard]] std::vector<LinearForm> rows() const {
    const std::size_t wires = columns_.size();
    std::vector<LinearForm> rows(wires, LinearForm(wires));
    for (std::size_t column = 0; column < wires; ++column) {
      for (std::uint32_t row = 0; row < wires; ++row) {
        if (has_wire(columns_[column], row)) rows[row].set(column);
      }
    }
    return rows;
  }

 private:
  std::vector<WireBits<kWords>> columns_;
  std::vector<WireBits<kWords>> inverse_;
  int weight_ = 0;
};

}  // namespace quartz::optimizer
