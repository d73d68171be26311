#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "classes/letters/letter_operator.hpp"
#include "quartz/classes/class_table.hpp"

namespace quartz::classes {

/// Largest number of letters of a class table, so that tag, cost and last letters fit one word.
inline constexpr unsigned kMaxTableLetters = 40;

/// A set of letters: bit i is letter i of the alphabet.
using LetterMask = std::uint64_t;

/// The letters of a class table and the operators that apply them.
struct TableAlphabet {
  std::vector<Operation> letters;  ///< gates on qubits 0 to 2 with normalized angles
  std::vector<unsigned> weights;
  std::vector<LetterOperator> operators;
  std::vector<LetterOperator> inverses;
  /// The letters by the highest qubit they touch, cumulatively: within[k] are the letters on the
  /// first k qubits.
  std::array<LetterMask, kTableQubits + 1> within{};
  LetterMask symbolic = 0;  ///< letters with the free angle p0 or its negative
};

/// The start state and the functional from which states and keys are computed.
///
/// A key is a power of one linear functional of U v that is invariant under every global phase: for
/// gates whose matrices have entries in Q(e^{i pi/8}), phases between equal circuits are sixteenth
/// roots of unity, so the sixteenth power is invariant. (Determinants show the same for
/// rotations by a free angle, as long as they have determinant 1.) Two different unitaries share
/// a key with probability about 16 / 2^64.
class TableProbe {
 public:
  explicit TableProbe(std::uint64_t seed);

  [[nodiscard]] const FieldState& start() const { return start_; }
  [[nodiscard]] std::span<const std::uint32_t> functional() const { return functional_; }
  /// Returns the key of the class of a state that still has to be multiplied by sqrt(2)^root.
  [[nodiscard]] std::uint64_t key(const FieldState& state, int root) const {
    __extension__ typedef unsigned __int128 Wide;
    Wide sum = 0;
    // Entries of the functional have 32 bits, so that the sum of eight products fits 128 bits.
    for (std::size_t i = 0; i < functional_.size(); ++i) {
      sum += static_cast<Wide>(state.amplitudes[i].value()) * functional_[i];
    }
    Goldilocks value =
        Goldilocks::reduce(static_cast<std::uint64_t>(sum), static_cast<std::uint64_t>(sum >> 64U));
    value *= scalars_.root(root);
    value *= value;
    value *= value;
    value *= value;
    value *= value;
    return value.value();
  }
  /// If state = scalar * start for a scalar of modulus sqrt(2)^root, returns the phase of the
  /// scalar in units of pi/8; otherwise -1.
  [[nodiscard]] int phase_at_start(const FieldState& state, int root) const {
    const Goldilocks factor = state.amplitudes[0] * first_inverse_;
    for (std::size_t i = 1; i < state.amplitudes.size(); ++i) {
      if (factor * start_.amplitudes[i] != state.amplitudes[i]) return -1;
    }
    return scalars_.phase_of(factor * scalars_.root(-root));
  }

 private:
  FieldState start_;
  Goldilocks first_inverse_;
  std::array<std::uint32_t, 1U << kTableQubits> functional_{};
  UnitScalars scalars_;
};

/// Returns the letters of the table that the options describe, no two with the same unitary.
[[nodiscard]] std::vector<Operation> table_letters(const GateSet& set,
                                                   const ClassTableOptions& options);
/// Returns whether a class table takes that many letters.
[[nodiscard]] bool fits_class_table(const GateSet& set, const ClassTableOptions& options);
/// Returns the letters of a table and the operators that apply them. Throws UsageError for an
/// unsupported number of qubits or too many letters.
[[nodiscard]] TableAlphabet table_alphabet(const GateSet& set, const ClassTableOptions& options);
/// Seed of every table: only keys from tables of the same gate set are compared with each other.
inline constexpr std::uint64_t kTableSeed = 0;

}  // namespace quartz::classes
