#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// A gate of a template, on the template's qubits; operand 0 is the least significant bit of an
/// index of the matrices.
struct TemplateGate {
  Eigen::Matrix4cd unitary;
  std::array<Qubit, 2> qubits{};
  /// A Hermitian matrix with eigenvalues 0, 1 and -1: the gate may be exp(i t generator) unitary
  /// for any t. Empty for a fixed gate.
  std::optional<Eigen::Matrix4cd> generator = {};
};

/// Returns the unitary of a gate with a chosen t, which is ignored without a generator.
[[nodiscard]] Eigen::Matrix4cd turned(const TemplateGate& gate, double t);

/// Whether a one-qubit gate is turned about x, y and z.
using FreeAxes = std::array<bool, 3>;
/// Returns about which axes the one-qubit gates after a two-qubit gate, on its operands 0 and 1,
/// have to be turned, before their own unitaries. A turn about any other axis can pass the
/// two-qubit gate, and is a turn of another one-qubit gate: Z on the control of a CNOT, X on its
/// target.
[[nodiscard]] std::array<FreeAxes, 2> free_axes_after(const TemplateGate& gate);
/// Returns the number of parameters that a two-qubit gate adds to a template.
[[nodiscard]] std::size_t parameters_of(const TemplateGate& gate);

/// A circuit of two-qubit gates with one-qubit gates, still to be chosen, between them.
///
/// The one-qubit gates are numbered: first one for each qubit, before all other gates, then two
/// after each two-qubit gate, for its operands 0 and 1.
struct CircuitTemplate {
  std::uint32_t qubits = 0;  ///< at least 2
  std::vector<TemplateGate> gates;

  [[nodiscard]] std::size_t one_qubit_gates() const { return qubits + 2 * gates.size(); }
};

/// What is chosen for a template.
struct TemplateChoice {
  /// Unitaries of the one-qubit gates, up to their phases, in the order of their numbers.
  std::vector<Eigen::Quaterniond> one_qubit_gates;
  /// The number t of each two-qubit gate, which is 0 for those without a generator.
  std::vector<double> turns;
};

}  // namespace quartz::optimizer
