#include "optimize/pauli_network/pauli_columns.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace quartz::optimizer {
namespace {

/// Returns bits without one of them; those above it move down.
std::uint64_t without_bit(std::uint64_t bits, std::size_t bit) {
  const std::uint64_t below = (std::uint64_t{1} << bit) - 1;
  return (bits & below) | (bits >> 1U & ~below);
}

}  // namespace

class PauliColumns::Columns {
 public:
  Columns(const PauliColumns& operators, const PauliCnot& cnot)
      : a_x_(operators.x(cnot.control)),
        a_z_(operators.z(cnot.control)),
        b_x_(operators.x(cnot.target)),
        b_z_(operators.z(cnot.target)),
        axis_a_x_(if_set(cnot.control_axis, 1)),
        axis_a_z_(if_set(cnot.control_axis, 2)),
        axis_b_x_(if_set(cnot.target_axis, 1)),
        axis_b_z_(if_set(cnot.target_axis, 2)) {}

  [[nodiscard]] Change change_of_word(std::size_t word) const {
    const std::uint64_t a_x = a_x_[word];
    const std::uint64_t a_z = a_z_[word];
    const std::uint64_t b_x = b_x_[word];
    const std::uint64_t b_z = b_z_[word];
    // What anticommutes on one qubit is multiplied on the other one. If an operator anticommutes on
    // both, it is neither the identity nor the axis on any of them, and keeps its weight.
    const std::uint64_t on_a = (a_z & axis_a_x_) ^ (a_x & axis_a_z_);
    const std::uint64_t on_b = (b_z & axis_b_x_) ^ (b_x & axis_b_z_);
    const std::uint64_t only_a = on_a & ~on_b;
    const std::uint64_t only_b = on_b & ~on_a;
    // What commutes with the axis is the axis or the identity.
    const std::uint64_t has_a = a_x | a_z;
    const std::uint64_t has_b = b_x | b_z;
    return {(only_a & ~has_b) | (only_b & ~has_a), (only_a & has_b) | (only_b & has_a)};
  }

 private:
  [[nodiscard]] static std::uint64_t if_set(LocalAxis axis, unsigned bit) {
    return (axis & bit) != 0 ? ~std::uint64_t{0} : 0;
  }

  const std::uint64_t* a_x_;
  const std::uint64_t* a_z_;
  const std::uint64_t* b_x_;
  const std::uint64_t* b_z_;
  std::uint64_t axis_a_x_;
  std::uint64_t axis_a_z_;
  std::uint64_t axis_b_x_;
  std::uint64_t axis_b_z_;
};

PauliColumns::PauliColumns(std::size_t operators, std::uint32_t qubits)
    : qubits_(qubits),
      words_((operators + kBitsOfWord - 1) / kBitsOfWord),
      columns_(2 * std::size_t{qubits} * words_),
      signs_(words_),
      weights_(operators) {}

PauliColumns::PauliColumns(std::span<const PauliString> operators, std::uint32_t qubits)
    : PauliColumns(operators.size(), qubits) {
  for (std::size_t i = 0; i < operators.size(); ++i) {
    for (std::uint64_t left = operators[i].support(); left != 0; left &= left - 1) {
      const auto qubit = static_cast<std::uint32_t>(std::countr_zero(left));
      set(i, qubit, axis_on(operators[i], qubit));
    }
    if (optimizer::is_negative(operators[i])) {
      signs_[i / kBitsOfWord] |= std::uint64_t{1} << (i % kBitsOfWord);
    }
  }
}

LocalAxis PauliColumns::axis(std::size_t index, std::uint32_t qubit) const {
  const std::size_t word = index / kBitsOfWord;
  const std::size_t bit = index % kBitsOfWord;
  return static_cast<LocalAxis>(x(qubit)[word] >> bit & 1U) |
         static_cast<LocalAxis>(z(qubit)[word] >> bit & 1U) << 1U;
}

bool PauliColumns::is_negative(std::size_t index) const {
  return (signs_[index / kBitsOfWord] >> (index % kBitsOfWord) & 1U) != 0;
}

std::vector<std::uint32_t> PauliColumns::support(std::size_t index) const {
  std::vector<std::uint32_t> result;
  result.reserve(weights_[index]);
  for (std::uint32_t qubit = 0; result.size() < weights_[index]; ++qubit) {
    if (axis(index, qubit) != 0) result.push_back(qubit);
  }
  return result;
}

std::vector<std::uint64_t> PauliColumns::anticommuting(std::size_t index) const {
  std::vector<std::uint64_t> result(words_);
  for (const std::uint32_t qubit : support(index)) {
    const LocalAxis own = axis(index, qubit);
    for (std::size_t word = 0; word < words_; ++word) {
      if ((own & 1U) != 0) result[word] ^= z(qubit)[word];
      if ((own & 2U) != 0) result[word] ^= x(qubit)[word];
    }
  }
  return result;
}

void PauliColumns::set(std::size_t index, std::uint32_t qubit, LocalAxis axis) {
  const std::uint64_t bit = std::uint64_t{1} << (index % kBitsOfWord);
  if ((axis & 1U) != 0) x(qubit)[index / kBitsOfWord] |= bit;
  if ((axis & 2U) != 0) z(qubit)[index / kBitsOfWord] |= bit;
  weights_[index] += static_cast<std::uint32_t>(axis != 0);
}

void PauliColumns::push(const CliffordGate& gate) {
  std::uint64_t* const first_x = x(gate.first);
  std::uint64_t* const first_z = z(gate.first);
  switch (gate.kind) {
    case CliffordKind::h:
      for (std::size_t word = 0; word < words_; ++word) {
        signs_[word] ^= first_x[word] & first_z[word];
        std::swap(first_x[word], first_z[word]);
      }
      break;
    case CliffordKind::s:
      // One quarter turn makes X Y and Y -X, two make both negative, and three are both together.
      for (std::size_t word = 0; word < words_; ++word) {
        if (gate.quarters >= 2) signs_[word] ^= first_x[word];
        if (gate.quarters % 2 == 0) continue;
        signs_[word] ^= first_x[word] & first_z[word];
        first_z[word] ^= first_x[word];
      }
      break;
    case CliffordKind::x:
      for (std::size_t word = 0; word < words_; ++word) signs_[word] ^= first_z[word];
      break;
    case CliffordKind::cx: {
      update_weights(gate);
      std::uint64_t* const second_x = x(gate.second);
      std::uint64_t* const second_z = z(gate.second);
      for (std::size_t word = 0; word < words_; ++word) {
        signs_[word] ^= first_x[word] & second_z[word] & ~(first_z[word] ^ second_x[word]);
        second_x[word] ^= first_x[word];
        first_z[word] ^= second_z[word];
      }
      break;
    }
  }
}

void PauliColumns::update_weights(const CliffordGate& cx) {
  const Columns columns(*this, {cx.first, cx.second, 2, 1});
  for (std::size_t word = 0; word < words_; ++word) {
    auto [larger, smaller] = columns.change_of_word(word);
    std::uint32_t* const weights = weights_.data() + word * kBitsOfWord;
    for (; larger != 0; larger &= larger - 1) ++weights[std::countr_zero(larger)];
    for (; smaller != 0; smaller &= smaller - 1) --weights[std::countr_zero(smaller)];
  }
}

void PauliColumns::erase(std::size_t index) {
  const std::size_t first = index / kBitsOfWord;
  const auto erase_from = [&](std::uint64_t* column) {
    column[first] = without_bit(column[first], index % kBitsOfWord);
    for (std::size_t word = first + 1; word < words_; ++word) {
      column[word - 1] |= column[word] << (kBitsOfWord - 1);
      column[word] >>= 1U;
    }
  };
  for (std::uint32_t qubit = 0; qubit < qubits_; ++qubit) {
    erase_from(x(qubit));
    erase_from(z(qubit));
  }
  erase_from(signs_.data());
  weights_.erase(weights_.begin() + static_cast<std::ptrdiff_t>(index));
}

int PauliColumns::change(const PauliCnot& cnot) const {
  const Columns columns(*this, cnot);
  int sum = 0;
  for (std::size_t word = 0; word < words_; ++word) {
    const auto [larger, smaller] = columns.change_of_word(word);
    sum += std::popcount(larger) - std::popcount(smaller);
  }
  return sum;
}

int PauliColumns::change(const PauliCnot& cnot, std::size_t index) const {
  return cnot.change(axis(index, cnot.control), axis(index, cnot.target));
}

double PauliColumns::change(const PauliCnot& cnot, std::span<const double> factors) const {
  const Columns columns(*this, cnot);
  double sum = 0;
  for (std::size_t first = 0; first < factors.size(); first += kBitsOfWord) {
    const auto [larger, smaller] = columns.change_of_word(first / kBitsOfWord);
    const std::size_t count = factors.size() - first;
    const std::uint64_t mask =
        count >= kBitsOfWord ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    const double* const of_word = factors.data() + first;
    for (std::uint64_t left = (larger | smaller) & mask; left != 0; left &= left - 1) {
      const auto bit = static_cast<unsigned>(std::countr_zero(left));
      // A branch would be mispredicted half of the time.
      const std::uint64_t sign = (smaller >> bit & 1U) << (kBitsOfWord - 1);
      sum += std::bit_cast<double>(std::bit_cast<std::uint64_t>(of_word[bit]) ^ sign);
    }
  }
  return sum;
}

}  // namespace quartz::optimizer
