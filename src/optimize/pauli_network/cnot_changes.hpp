#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "optimize/pauli_network/pauli_cnot.hpp"
#include "optimize/pauli_network/pauli_columns.hpp"

namespace quartz::optimizer {

/// The CNOTs between two qubits of a circuit, numbered by pairs of qubits: each is one of nine
/// products of a Pauli operator on one qubit and one on the other. Which one is the control makes
/// no difference to the operators.
class CnotNumbers {
 public:
  static constexpr std::size_t kOfPair = 9;

  explicit CnotNumbers(std::uint32_t qubits) : qubits_(qubits) {}

  [[nodiscard]] std::size_t pairs() const { return std::size_t{qubits_} * (qubits_ - 1) / 2; }
  /// Returns the number of a pair.
  [[nodiscard]] static std::size_t pair_of(std::uint32_t a, std::uint32_t b) {
    if (a > b) std::swap(a, b);
    return std::size_t{b} * (b - 1) / 2 + a;
  }
  [[nodiscard]] static std::size_t of(const PauliCnot& cnot) {
    const bool is_ascending = cnot.control < cnot.target;
    const LocalAxis first = is_ascending ? cnot.control_axis : cnot.target_axis;
    const LocalAxis second = is_ascending ? cnot.target_axis : cnot.control_axis;
    return kOfPair * pair_of(cnot.control, cnot.target) + 3 * (first - 1) + (second - 1);
  }

 private:
  std::uint32_t qubits_;
};

/// By how much each CNOT between any two qubits changes the sum of the weights of some operators. A
/// CNOT leaves all numbers as they were but those of pairs with one of its qubits.
class CnotChanges {
 public:
  explicit CnotChanges(const PauliColumns& operators);

  /// Returns the number of CNOTs.
  [[nodiscard]] std::size_t size() const { return changes_.size(); }
  /// Considers that the operators have changed on two qubits. Returns the number of CNOTs that this
  /// concerns.
  std::size_t update(const PauliColumns& operators, std::uint32_t a, std::uint32_t b);
  /// Returns the CNOT after which the weights are smallest, or nothing if none makes them smaller.
  /// If several do, it is the first one of for_each_reduction() for the first operator that has
  /// one.
  [[nodiscard]] std::optional<PauliCnot> best(const PauliColumns& operators) const;

 private:
  void update_pair(const PauliColumns& operators, std::uint32_t a, std::uint32_t b);

  std::vector<std::int16_t> changes_;         ///< by CnotNumbers
  std::vector<std::int16_t> least_of_pairs_;  ///< the least change of a CNOT of each pair
};

}  // namespace quartz::optimizer
