#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "optimize/product_layers/quadratic_phase.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::optimizer {

/// A measured ancilla: the qubit after all others, its bit, and the register of this bit.
struct MeasuredAncilla {
  Qubit qubit = 0;
  std::uint32_t bit = 0;
  std::uint32_t bit_register = 0;
};

/// The qubits and bits that ancillas of a circuit have: they follow those of the circuit.
class AncillaPlaces {
 public:
  explicit AncillaPlaces(const Circuit& circuit);

  [[nodiscard]] MeasuredAncilla of(std::uint32_t ancilla) const {
    return {qubits_ + ancilla, bits_ + ancilla, registers_ + ancilla};
  }
  [[nodiscard]] std::uint32_t data_qubits() const { return qubits_; }
  /// Adds the registers of a number of ancillas to the circuit: one of qubits, and one of a bit for
  /// each ancilla, since OpenQASM 2 has conditions on whole registers only.
  void add_registers(Circuit& circuit, std::uint32_t ancillas) const;
  /// Adds a register of ancillas that are not measured. If the name is taken, others that end with
  /// `_` replace it.
  void add_qubits(Circuit& circuit, std::uint32_t ancillas, std::string name) const;

 private:
  std::uint32_t qubits_;
  std::uint32_t bits_;
  std::uint32_t registers_;
};

[[nodiscard]] Operation reset_of(Qubit qubit);

/// Appends CNOTs that add a form on the first qubits to a qubit.
void append_sum(const LinearForm& form, Qubit target, std::vector<Operation>& gates);

/// The product f g of two forms, each of them plus 1 if it is negated.
struct BitProduct {
  LinearForm f;
  LinearForm g;
  bool negates_f = false;
  bool negates_g = false;
};

/// Appends gates after which an ancilla that is in |0> carries a product: with four T gates
/// (C. Jones, arXiv 1212.5069; C. Gidney, arXiv 1709.06648). In |+>, the phases of the parities
/// a, a + f, a + g and a + f + g make it (-1)^{a f g} i^{-f g}, and H and S make it carry f g.
void append_bit_product(const BitProduct& product, Qubit ancilla, std::vector<Operation>& gates);

/// Appends the measurement of a qubit in the basis of X into the bit of an ancilla.
void append_measurement(Qubit qubit, const MeasuredAncilla& ancilla, std::vector<Operation>& gates);

/// Returns a gate under the condition that the outcome of an ancilla is 1.
[[nodiscard]] Operation if_measured(const MeasuredAncilla& ancilla, Operation gate);

/// Appends a quadratic phase on qubits under this condition.
void append_correction(const MeasuredAncilla& ancilla, const QuadraticPhase& correction,
                       std::span<const Qubit> qubits, std::vector<Operation>& gates);

/// Appends (-1)^{f g} for a product under this condition, up to a constant sign: by a CZ for each
/// pair of bits, or by CNOTs that sum up each form on a qubit and a CZ of these, whichever takes
/// fewer gates.
void append_correction(const MeasuredAncilla& ancilla, const BitProduct& product,
                       std::vector<Operation>& gates);

}  // namespace quartz::optimizer
