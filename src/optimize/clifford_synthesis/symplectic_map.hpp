#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimize/clifford_synthesis/clifford_tableau.hpp"

namespace quartz::optimizer {

/// The Pauli operators of one qubit, in the order of their bits.
enum class SymplecticAxis : std::uint8_t { x, z, y };
inline constexpr std::array kSymplecticAxes{SymplecticAxis::x, SymplecticAxis::z,
                                            SymplecticAxis::y};

/// Returns an axis as two bits: bit 0 if it contains X, bit 1 if it contains Z.
[[nodiscard]] constexpr unsigned bits_of(SymplecticAxis axis) {
  return static_cast<unsigned>(axis) + 1U;
}
/// Returns the axis with these bits, which are not zero.
[[nodiscard]] constexpr SymplecticAxis axis_of(unsigned bits) {
  return static_cast<SymplecticAxis>(bits - 1U);
}
/// Returns an axis other than this one.
[[nodiscard]] constexpr SymplecticAxis next_to(SymplecticAxis axis) {
  return static_cast<SymplecticAxis>((static_cast<unsigned>(axis) + 1U) % 3U);
}

/// A controlled Pauli operator: a CNOT up to Clifford gates on its qubits. It applies the axis of
/// the second qubit where the axis of the first one is -1; both qubits play the same part. With
/// the axes Z and X it is a CNOT.
struct ControlledPauli {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  SymplecticAxis first_axis = SymplecticAxis::z;
  SymplecticAxis second_axis = SymplecticAxis::x;
  friend bool operator==(const ControlledPauli&, const ControlledPauli&) = default;
};

/// Where gates are put: before the circuit of a map, or behind it.
enum class MapEnd : std::uint8_t { start, end };
[[nodiscard]] constexpr MapEnd opposite(MapEnd end) {
  return end == MapEnd::start ? MapEnd::end : MapEnd::start;
}

/// A Clifford operator U up to Pauli operators: the images of X, Y and Z of each qubit under U, and
/// those under its inverse, without signs. Takes 12 n^2 bits for n qubits.
class SymplecticMap {
 public:
  explicit SymplecticMap(const CliffordTableau& tableau);

  [[nodiscard]] std::uint32_t qubits() const { return qubits_; }
  [[nodiscard]] std::size_t words() const { return words_; }
  /// Returns the bits of x of the image of an axis, and those of z behind them. The images under U
  /// are those at the start of its circuit, which gates at the start multiply with each other; the
  /// images under the inverse are those at the end.
  [[nodiscard]] const std::uint64_t* image(MapEnd end, std::uint32_t qubit,
                                           SymplecticAxis axis) const {
    return &side(end).images[row_of(qubit, axis) * 2 * words_];
  }
  /// Returns on how many qubits an image is not the identity.
  [[nodiscard]] std::uint32_t weight(MapEnd end, std::uint32_t qubit, SymplecticAxis axis) const {
    return side(end).weights[row_of(qubit, axis)];
  }
  /// Returns the operator that the image of an axis has on a qubit, as bits_of does, or 0.
  [[nodiscard]] unsigned operator_at(MapEnd end, std::uint32_t qubit, SymplecticAxis axis,
                                     std::uint32_t at) const {
    const std::uint64_t* bits = image(end, qubit, axis);
    const auto x = static_cast<unsigned>(bits[at / 64] >> (at % 64) & 1U);
    const auto z = static_cast<unsigned>(bits[words_ + at / 64] >> (at % 64) & 1U);
    return x | z << 1U;
  }
  /// Returns whether each image is on one qubit: the operator exchanges qubits, up to gates on
  /// single qubits.
  [[nodiscard]] bool is_permutation() const;

  /// Puts a gate at an end of the circuit.
  void put(MapEnd end, const ControlledPauli& gate);

  friend bool operator==(const SymplecticMap& a, const SymplecticMap& b) {
    return a.sides_[0].images == b.sides_[0].images;
  }

 private:
  /// The images under U or its inverse.
  struct Side {
    std::vector<std::uint64_t> images;
    std::vector<std::uint32_t> weights;
  };

  [[nodiscard]] static std::size_t row_of(std::uint32_t qubit, SymplecticAxis axis) {
    return 3 * std::size_t{qubit} + static_cast<std::size_t>(axis);
  }
  [[nodiscard]] const Side& side(MapEnd end) const { return sides_[static_cast<std::size_t>(end)]; }
  [[nodiscard]] Side& side(MapEnd end) { return sides_[static_cast<std::size_t>(end)]; }
  void multiply(Side& side, std::size_t row, std::size_t by) const;
  void count(Side& side, std::size_t row) const;
  /// Applies a gate to the images themselves.
  void push(Side& side, const ControlledPauli& gate) const;
  void fill_inverse();

  std::uint32_t qubits_;
  std::size_t words_;
  std::array<Side, 2> sides_;
};

}  // namespace quartz::optimizer
