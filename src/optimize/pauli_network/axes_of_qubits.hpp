#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "optimize/pauli_network/pauli_cnot.hpp"
#include "optimize/pauli_network/pauli_string.hpp"

namespace quartz::optimizer {

/// What Pauli operators are on each qubit, without their signs: for each qubit two strings of bits,
/// with one bit for each operator. A CNOT then changes all operators by a few instructions, where
/// operator by operator takes a dozen for each. Networks on 16 qubits, which end with thousands of
/// CNOTs to choose from, take a tenth of the time.
class AxesOfQubits {
 public:
  /// Most operators: an X and a Z for each qubit.
  static constexpr std::size_t kMaxOperators = 2 * std::size_t{kMaxQubitsOfPauliString};

  AxesOfQubits(std::span<const PauliString> operators, std::uint32_t qubits) : axes_(qubits) {
    for (std::size_t i = 0; i < operators.size(); ++i) {
      const std::uint64_t bit = std::uint64_t{1} << (i % kBitsOfWord);
      for (std::uint32_t qubit = 0; qubit < qubits; ++qubit) {
        const LocalAxis axis = axis_on(operators[i], qubit);
        if ((axis & 1U) != 0) axes_[qubit].x[i / kBitsOfWord] |= bit;
        if ((axis & 2U) != 0) axes_[qubit].z[i / kBitsOfWord] |= bit;
      }
    }
  }

  void push(const CliffordGate& gate) {
    Axes& first = axes_[gate.first];
    for (std::size_t word = 0; word < kWords; ++word) {
      switch (gate.kind) {
        case CliffordKind::h:
          std::swap(first.x[word], first.z[word]);
          break;
        case CliffordKind::s:
          if (gate.quarters % 2 != 0) first.z[word] ^= first.x[word];
          break;
        case CliffordKind::x:
          break;
        case CliffordKind::cx:
          axes_[gate.second].x[word] ^= first.x[word];
          first.z[word] ^= axes_[gate.second].z[word];
          break;
      }
    }
  }

  /// Returns by how much the sum of the weights of the operators changes.
  [[nodiscard]] int change(const PauliCnot& cnot) const {
    const Axes& a = axes_[cnot.control];
    const Axes& b = axes_[cnot.target];
    int sum = 0;
    for (std::size_t word = 0; word < kWords; ++word) {
      const std::uint64_t from_target = anticommuting(b, word, cnot.target_axis);
      const std::uint64_t from_control = anticommuting(a, word, cnot.control_axis);
      sum += change_on(a, word, cnot.control_axis, from_target);
      sum += change_on(b, word, cnot.target_axis, from_control);
    }
    return sum;
  }

 private:
  static constexpr std::size_t kBitsOfWord = 64;
  static constexpr std::size_t kWords = kMaxOperators / kBitsOfWord;
  struct Axes {
    std::array<std::uint64_t, kWords> x{};
    std::array<std::uint64_t, kWords> z{};
  };

  /// Returns the bits of the operators that anticommute with an axis on the qubit.
  [[nodiscard]] static std::uint64_t anticommuting(const Axes& axes, std::size_t word,
                                                   LocalAxis axis) {
    return ((axis & 1U) != 0 ? axes.z[word] : 0) ^ ((axis & 2U) != 0 ? axes.x[word] : 0);
  }
  /// Returns by how much the number of operators on the qubit changes if some are multiplied by an
  /// axis there.
  [[nodiscard]] static int change_on(const Axes& axes, std::size_t word, LocalAxis axis,
                                     std::uint64_t multiplied) {
    const std::uint64_t x = axes.x[word] ^ ((axis & 1U) != 0 ? multiplied : 0);
    const std::uint64_t z = axes.z[word] ^ ((axis & 2U) != 0 ? multiplied : 0);
    return std::popcount(x | z) - std::popcount(axes.x[word] | axes.z[word]);
  }

  std::vector<Axes> axes_;
};

}  // namespace quartz::optimizer
