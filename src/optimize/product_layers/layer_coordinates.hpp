#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "optimize/product_layers/pulled_rotations.hpp"
#include "optimize/product_layers/rotation_group.hpp"
#include "optimize/products/coordinates.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// A linear form that stands for a Pauli operator, up to its sign.
struct SignedForm {
  LinearForm form;
  bool is_negative = false;
};

/// Independent Pauli operators that commute, and of which the axes of a layer are products. They
/// are diagonal together: each operator is (-1)^bit for one bit, and an axis is (-1)^parity.
///
/// If all axes of the layer are the same Pauli operator on each qubit that they share, there is one
/// operator for each qubit, X, Y or Z on it alone. Otherwise they are axes of the layer.
class LayerCoordinates {
 public:
  LayerCoordinates(const PulledRotations& circuit, const RotationLayer& layer);

  [[nodiscard]] std::size_t dimension() const;
  /// Returns whether bit q is that of an operator on qubit q alone, for all qubits.
  [[nodiscard]] bool is_local() const { return is_local_; }
  /// Returns whether an operator is, up to its sign, a product of local operators.
  [[nodiscard]] bool contains(PauliRows::ConstRow axis) const;
  /// Returns the form that stands for a product of the operators, up to its sign.
  [[nodiscard]] SignedForm form_of(PauliRows::ConstRow axis) const;
  /// Returns the operator for which a form stands, with a positive sign.
  [[nodiscard]] std::vector<std::uint64_t> axis_of(const LinearForm& form) const;
  /// Returns Clifford gates after which the operator on each qubit is Z, for local coordinates.
  [[nodiscard]] std::vector<CliffordGate> gates_to_z() const;

 private:
  [[nodiscard]] PauliRows::ConstRow row_of(std::size_t index) const {
    return std::span(operators_).subspan(index * paulis_.row_words(), paulis_.row_words());
  }
  bool find_local_operators(const PulledRotations& circuit, const RotationLayer& layer);
  void use_axes(const PulledRotations& circuit, const RotationLayer& layer);

  PauliRows paulis_;
  std::uint32_t qubits_;
  bool is_local_ = false;
  std::vector<std::uint64_t> operators_;  ///< a row for each bit
  Coordinates coordinates_;  ///< coordinates of x and z bits, unless the operators are local
};

}  // namespace quartz::optimizer
