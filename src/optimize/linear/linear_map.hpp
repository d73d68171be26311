#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quartz::optimizer {

/// A CNOT on two wires of a linear map.
struct LinearCnot {
  std::uint8_t control = 0;
  std::uint8_t target = 0;
  friend bool operator==(const LinearCnot&, const LinearCnot&) = default;
};

/// Maximum number of wires of a linear map: a parity fits 64 bits.
inline constexpr std::size_t kMaxLinearWires = 64;

/// The linear map over the integers modulo 2 that a circuit of CNOTs applies to basis states: for
/// each wire, the inputs whose exclusive or it has at the end (bit i for input i).
class LinearMap {
 public:
  /// The identity.
  explicit LinearMap(std::size_t wires);

  [[nodiscard]] std::size_t wires() const { return rows_.size(); }
  [[nodiscard]] std::uint64_t row(std::size_t wire) const { return rows_[wire]; }
  /// Appends a CNOT to the circuit.
  void append(LinearCnot cnot) { rows_[cnot.target] ^= rows_[cnot.control]; }
  [[nodiscard]] LinearMap transposed() const;
  [[nodiscard]] LinearMap inverse() const;
  friend bool operator==(const LinearMap&, const LinearMap&) = default;

 private:
  std::vector<std::uint64_t> rows_;
};

}  // namespace quartz::optimizer
