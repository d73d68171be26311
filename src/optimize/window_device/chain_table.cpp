#include "optimize/window_device/chain_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace quartz::optimizer {

namespace {

using algebra::Goldilocks;
using classes::LetterOperator;
using window_chains::kAmplitudes;
using window_chains::LetterForm;
using window_chains::LetterRows;

const Goldilocks kOne(1);

using Matrix = std::array<std::array<Goldilocks, kAmplitudes>, kAmplitudes>;

/// Returns the matrix of an operator without its scalar, by rows.
Matrix matrix_of(const LetterOperator& letter) {
  Matrix matrix;
  for (unsigned column = 0; column < kAmplitudes; ++column) {
    classes::FieldState state;
    state.amplitudes.fill(Goldilocks());
    state.amplitudes[column] = kOne;
    letter.apply(state);
    for (unsigned row = 0; row < kAmplitudes; ++row) matrix[row][column] = state.amplitudes[row];
  }
  return matrix;
}

/// Returns the simplest form that the rows have; sets the columns so that it applies.
LetterForm form_of(LetterRows& rows) {
  bool is_diagonal = true;
  bool is_permutation = true;
  bool has_signs = true;
  for (std::uint8_t row = 0; row < kAmplitudes; ++row) {
    const bool is_single = rows.second[row].is_zero();
    is_diagonal = is_diagonal && is_single && rows.first_column[row] == row;
    is_permutation = is_permutation && is_single && rows.first[row] == kOne;
    if (is_single) {
      has_signs = false;
      continue;
    }
    if (rows.second_column[row] == row) {
      std::swap(rows.first[row], rows.second[row]);
      std::swap(rows.first_column[row], rows.second_column[row]);
    }
    has_signs = has_signs && rows.first_column[row] == row && rows.second[row] == kOne &&
                (rows.first[row] == kOne || rows.first[row] == -kOne);
  }
  if (is_diagonal) return LetterForm::diagonal;
  if (is_permutation) {
    std::ranges::copy(rows.first_column, rows.second_column);
    return LetterForm::permutation;
  }
  return has_signs ? LetterForm::signs : LetterForm::two_entries;
}

std::optional<LetterRows> rows_of(const LetterOperator& letter) {
  LetterRows rows{};
  const Matrix matrix = matrix_of(letter);
  for (std::uint8_t row = 0; row < kAmplitudes; ++row) {
    unsigned entries = 0;
    for (std::uint8_t column = 0; column < kAmplitudes; ++column) {
      const Goldilocks entry = matrix[row][column];
      if (entry.is_zero()) continue;
      if (entries == 2) return std::nullopt;
      (entries == 0 ? rows.first : rows.second)[row] = entry;
      (entries == 0 ? rows.first_column : rows.second_column)[row] = column;
      ++entries;
    }
  }
  rows.form = form_of(rows);
  rows.root = static_cast<std::int8_t>(letter.scalar().root);
  rows.phase = static_cast<std::uint8_t>(letter.scalar().phase);
  return rows;
}

void set_probe(const classes::TableProbe& probe, window_chains::ChainAlphabet& result) {
  std::ranges::copy(probe.start().amplitudes, result.start);
  std::ranges::copy(probe.functional(), result.functional);
  result.first_inverse = probe.start().amplitudes[0].inverse();
  const classes::UnitScalars scalars;
  for (int i = -window_chains::kMostRoot; i <= window_chains::kMostRoot; ++i) {
    result.roots[i + window_chains::kMostRoot] = scalars.root(i);
  }
  for (int i = 0; i < 16; ++i) result.phases[i] = scalars.phase(i);
}

}  // namespace

std::optional<window_chains::HostTable> chain_table(const ClassTable& table) {
  const classes::TableAlphabet& alphabet = table.alphabet();
  window_chains::HostTable result{};
  for (std::size_t i = 0; i < alphabet.letters.size(); ++i) {
    window_chains::ChainLetter& letter = result.alphabet.letters[i];
    const auto forward = rows_of(alphabet.operators[i]);
    const auto inverse = rows_of(alphabet.inverses[i]);
    if (!forward || !inverse) return std::nullopt;
    letter.forward = *forward;
    letter.inverse = *inverse;
    const auto& qubits = alphabet.letters[i].qubits;
    letter.size = static_cast<std::uint8_t>(qubits.size());
    letter.weight = static_cast<std::uint8_t>(alphabet.weights[i]);
    for (std::size_t k = 0; k < qubits.size(); ++k) {
      letter.wires[k] = static_cast<std::uint8_t>(qubits[k]);
      result.alphabet.wires = std::max(result.alphabet.wires, qubits[k] + 1);
    }
  }
  const auto letters = static_cast<std::uint32_t>(alphabet.letters.size());
  result.alphabet.letter_count = letters;
  std::ranges::copy(alphabet.within, result.alphabet.within);
  result.alphabet.symbolic = alphabet.symbolic;
  set_probe(table.probe(), result.alphabet);
  const std::span<const std::uint64_t> words = table.contents().words;
  const std::uint64_t lines = words.size() / ClassTable::kLine;
  result.classes = {.words = words.data(),
                    .lines = lines,
                    .letters = letters,
                    .tag_bits = 64 - ClassTable::kCostBits - letters,
                    .slot_bits = static_cast<std::uint32_t>(std::bit_width(lines)) - 1,
                    .cost = table.cost()};
  return result;
}

}  // namespace quartz::optimizer
