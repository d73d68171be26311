#include "classes/letters/letter_operator.hpp"

#include <algorithm>
#include <numeric>

#include "fingerprint/field_gate.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::classes {
namespace {

constexpr std::size_t kDimension = std::size_t{1} << kTableQubits;
const Goldilocks kOne(1);

std::vector<Goldilocks> dense(const fingerprint::FieldGate& gate) {
  std::vector<Goldilocks> matrix(kDimension * kDimension);
  for (std::size_t row = 0; row < kDimension; ++row) {
    for (std::uint32_t i = gate.row_begin[row]; i < gate.row_begin[row + 1]; ++i) {
      matrix[row * kDimension + gate.columns[i]] = gate.entries[i];
    }
  }
  return matrix;
}

std::vector<Goldilocks> product(std::span<const Goldilocks> a, std::span<const Goldilocks> b) {
  std::vector<Goldilocks> result(kDimension * kDimension);
  for (std::size_t row = 0; row < kDimension; ++row) {
    for (std::size_t column = 0; column < kDimension; ++column) {
      Goldilocks& sum = result[row * kDimension + column];
      for (std::size_t k = 0; k < kDimension; ++k) {
        sum += a[row * kDimension + k] * b[k * kDimension + column];
      }
    }
  }
  return result;
}

}  // namespace

UnitScalars::UnitScalars() {
  const Goldilocks root2 = Goldilocks::sqrt2();
  const Goldilocks half_root = root2.inverse();
  roots_[kMaxRoot] = kOne;
  for (int i = 1; i <= kMaxRoot; ++i) {
    roots_[static_cast<std::size_t>(kMaxRoot + i)] = root(i - 1) * root2;
    roots_[static_cast<std::size_t>(kMaxRoot - i)] = root(1 - i) * half_root;
  }
  const Goldilocks sixteenth = Goldilocks::root_of_unity(16);
  phases_[0] = kOne;
  for (std::size_t i = 1; i < 16; ++i) phases_[i] = phases_[i - 1] * sixteenth;
}

LetterOperator::LetterOperator(std::span<const Goldilocks> matrix, const UnitScalars& scalars) {
  std::vector<Goldilocks> normalized(matrix.begin(), matrix.end());
  Goldilocks first;
  for (const Goldilocks entry : matrix) {
    if (!entry.is_zero()) {
      first = entry;
      break;
    }
  }
  for (int root = -8; root <= 8; ++root) {
    const int phase = scalars.phase_of(first * scalars.root(-root));
    if (phase < 0) continue;
    scalar_ = {root, phase};
    const Goldilocks inverse = scalars.value(scalar_.inverse());
    for (Goldilocks& entry : normalized) entry *= inverse;
    break;
  }
  if (set_diagonal(normalized) || set_permutation(normalized) || set_one_qubit(normalized)) return;
  form_ = Form::general;
  matrix_ = std::move(normalized);
}

bool LetterOperator::set_diagonal(std::span<const Goldilocks> matrix) {
  form_ = Form::diagonal;
  count_ = 0;
  for (std::size_t row = 0; row < kDimension; ++row) {
    for (std::size_t column = 0; column < kDimension; ++column) {
      const Goldilocks entry = matrix[row * kDimension + column];
      if (row != column && !entry.is_zero()) return false;
      if (row != column || entry == kOne) continue;
      index_[count_] = static_cast<std::uint8_t>(row);
      factor_[count_] = entry;
      ++count_;
    }
  }
  return true;
}

bool LetterOperator::set_permutation(std::span<const Goldilocks> matrix) {
  form_ = Form::permutation;
  std::array<std::size_t, kDimension> taken{};  // the column of each row's entry
  for (std::size_t row = 0; row < kDimension; ++row) {
    unsigned entries = 0;
    for (std::size_t column = 0; column < kDimension; ++column) {
      const Goldilocks entry = matrix[row * kDimension + column];
      if (entry.is_zero()) continue;
      if (entry != kOne) return false;
      ++entries;
      taken[row] = column;
    }
    if (entries != 1) return false;
  }
  std::array<std::size_t, kDimension> held{};  // the original row now in each place
  std::iota(held.begin(), held.end(), std::size_t{0});
  count_ = 0;
  for (std::size_t row = 0; row < kDimension; ++row) {
    const auto place =
        static_cast<std::size_t>(std::find(held.begin(), held.end(), taken[row]) - held.begin());
    if (place == row) continue;
    if (place == held.size()) return false;  // two rows have the same column: not a permutation
    std::swap(held[row], held[place]);
    index_[2U * count_] = static_cast<std::uint8_t>(row);
    index_[2U * count_ + 1] = static_cast<std::uint8_t>(place);
    ++count_;
  }
  return true;
}

bool LetterOperator::set_one_qubit(std::span<const Goldilocks> matrix) {
  for (std::size_t bit = 1; bit < kDimension; bit <<= 1U) {
    const std::array<Goldilocks, 4> block{matrix[0], matrix[bit], matrix[bit * kDimension],
                                          matrix[bit * kDimension + bit]};
    if (block[0] != kOne) return false;
    bool matches = true;
    for (std::size_t row = 0; row < kDimension && matches; ++row) {
      for (std::size_t column = 0; column < kDimension && matches; ++column) {
        const bool together = (row & ~bit) == (column & ~bit);
        const std::size_t local = ((row & bit) != 0 ? 2U : 0U) + ((column & bit) != 0 ? 1U : 0U);
        matches = matrix[row * kDimension + column] == (together ? block[local] : Goldilocks());
      }
    }
    if (!matches) continue;
    form_ = block[1] == kOne && block[2] == kOne && block[3] == -kOne ? Form::hadamard
                                                                      : Form::one_qubit;
    factor_ = {block[1], block[2], block[3]};
    std::size_t next = 0;
    for (std::size_t i = 0; i < kDimension; ++i) {
      if ((i & bit) != 0) continue;
      index_[next++] = static_cast<std::uint8_t>(i);
      index_[next++] = static_cast<std::uint8_t>(i | bit);
    }
    return true;
  }
  return false;
}

void LetterOperator::apply_general(FieldState& state) const {
  const FieldState before = state;
  for (std::size_t row = 0; row < kDimension; ++row) {
    algebra::GoldilocksSum sum;
    for (std::size_t column = 0; column < kDimension; ++column) {
      sum.add_product(matrix_[row * kDimension + column], before.amplitudes[column]);
    }
    state.amplitudes[row] = sum.value();
  }
}

std::vector<Goldilocks> letter_matrix(const Operation& letter,
                                      const fingerprint::FieldPoint& point) {
  return dense(fingerprint::field_gate(letter, kTableQubits, point));
}

std::vector<Goldilocks> inverse_letter_matrix(const Operation& letter,
                                              const fingerprint::FieldPoint& point) {
  const Decomposition inverse = inverse_of(letter);
  std::vector<Goldilocks> matrix(kDimension * kDimension);
  for (std::size_t i = 0; i < kDimension; ++i)
    matrix[i * kDimension + i] = point.phase(inverse.phase);
  for (const Operation& operation : inverse.operations) {
    matrix = product(letter_matrix(operation, point), matrix);
  }
  return matrix;
}

}  // namespace quartz::classes
