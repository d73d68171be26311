#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "optimize/pauli_network/pauli_cnot.hpp"
#include "optimize/pauli_network/pauli_string.hpp"

namespace quartz::optimizer {

/// A list of Pauli operators with their signs on any number of qubits, stored by qubits: for each
/// of them two strings of bits, x and z, with one bit for each operator. A gate then changes all
/// operators by a few instructions, where operator by operator takes a dozen for each.
class PauliColumns {
 public:
  /// Constructs identities.
  PauliColumns(std::size_t operators, std::uint32_t qubits);
  PauliColumns(std::span<const PauliString> operators, std::uint32_t qubits);

  [[nodiscard]] std::size_t size() const { return weights_.size(); }
  [[nodiscard]] std::uint32_t qubits() const { return qubits_; }
  [[nodiscard]] LocalAxis axis(std::size_t index, std::uint32_t qubit) const;
  /// Returns the number of qubits on which an operator is not the identity.
  [[nodiscard]] std::uint32_t weight(std::size_t index) const { return weights_[index]; }
  [[nodiscard]] bool is_negative(std::size_t index) const;
  /// Returns the qubits on which an operator is not the identity, in ascending order.
  [[nodiscard]] std::vector<std::uint32_t> support(std::size_t index) const;
  /// Returns which operators anticommute with one of them, as bits.
  [[nodiscard]] std::vector<std::uint64_t> anticommuting(std::size_t index) const;

  /// Changes what an operator, which is the identity on the qubit, is there.
  void set(std::size_t index, std::uint32_t qubit, LocalAxis axis);
  /// Replaces each operator P by G P G^dagger.
  void push(const CliffordGate& gate);
  /// Removes an operator; those behind it move up.
  void erase(std::size_t index);

  /// Returns by how much the sum of the weights of all operators changes.
  [[nodiscard]] int change(const PauliCnot& cnot) const;
  /// Returns by how much the weight of an operator changes.
  [[nodiscard]] int change(const PauliCnot& cnot, std::size_t index) const;
  /// Returns the sum over the first operators of the changes of their weights, each times a factor
  /// of its own. The sum is taken in the order of the operators.
  [[nodiscard]] double change(const PauliCnot& cnot, std::span<const double> factors) const;

 private:
  static constexpr std::size_t kBitsOfWord = 64;

  /// The bits of a word of operators that grow by a CNOT, and of those that become smaller.
  struct Change {
    std::uint64_t larger = 0;
    std::uint64_t smaller = 0;
  };
  /// The columns on which a CNOT acts, and masks that select those of its axes.
  class Columns;

  [[nodiscard]] const std::uint64_t* x(std::uint32_t qubit) const {
    return columns_.data() + 2 * std::size_t{qubit} * words_;
  }
  [[nodiscard]] const std::uint64_t* z(std::uint32_t qubit) const { return x(qubit) + words_; }
  [[nodiscard]] std::uint64_t* x(std::uint32_t qubit) {
    return columns_.data() + 2 * std::size_t{qubit} * words_;
  }
  [[nodiscard]] std::uint64_t* z(std::uint32_t qubit) { return x(qubit) + words_; }
  void update_weights(const CliffordGate& cx);

  std::uint32_t qubits_;
  std::size_t words_;                   ///< words of a column
  std::vector<std::uint64_t> columns_;  ///< x and z of each qubit
  std::vector<std::uint64_t> signs_;    ///< which operators have the sign -1
  std::vector<std::uint32_t> weights_;
};

/// Calls `visit` with each CNOT that makes an operator smaller.
template <typename Visit>
void for_each_reduction(const PauliColumns& operators, std::size_t index, const Visit& visit) {
  const std::vector<std::uint32_t> support = operators.support(index);
  std::vector<LocalAxis> axes;
  axes.reserve(support.size());
  for (const std::uint32_t qubit : support) axes.push_back(operators.axis(index, qubit));
  for (std::size_t i = 0; i < support.size(); ++i) {
    for (std::size_t j = i + 1; j < support.size(); ++j) {
      for (LocalAxis other = 1; other <= 3; ++other) {
        if (other != axes[i]) visit(PauliCnot{support[i], support[j], other, axes[j]});
        if (other != axes[j]) visit(PauliCnot{support[j], support[i], other, axes[i]});
      }
    }
  }
}

}  // namespace quartz::optimizer
