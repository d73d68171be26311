#pragma once

#include <cstdint>

#include "algebra/goldilocks.hpp"

/// What a chain of window moves reads, in the form in which it lies in the memory of a device:
/// plain structs, which the host fills in.
namespace quartz::window_chains {

using algebra::Goldilocks;

/// Number of amplitudes of a state of three qubits. As many lanes carry out a chain together.
inline constexpr unsigned kAmplitudes = 8;
/// Number of words of a line of a class table: one for each lane.
inline constexpr unsigned kWordsOfLine = 8;
inline constexpr unsigned kMostWires = 3;
/// Most letters of a class table.
inline constexpr unsigned kMostLetters = 40;
/// Exponents of sqrt(2) are between the negative of this number and the number itself.
inline constexpr int kMostRoot = 64;

/// Which of the entries of a letter's matrix have to be read.
enum class LetterForm : std::uint8_t {
  diagonal,     ///< each row has `first`, in its own column
  permutation,  ///< each row has a 1 in `second_column`
  signs,        ///< each row has 1 or -1 in its own column and 1 in `second_column`: Hadamard gates
  two_entries,
};

/// A matrix with at most two entries in each row, without the scalar sqrt(2)^root e^{i pi phase/8}.
struct LetterRows {
  Goldilocks first[kAmplitudes];            // NOLINT: an array of the device
  Goldilocks second[kAmplitudes];           // NOLINT
  std::uint8_t first_column[kAmplitudes];   // NOLINT
  std::uint8_t second_column[kAmplitudes];  // NOLINT
  LetterForm form;
  std::int8_t root;
  std::uint8_t phase;
};

struct ChainLetter {
  LetterRows forward;
  LetterRows inverse;
  std::uint8_t wires[kMostWires];  // NOLINT: local qubits of its operands
  std::uint8_t size;               ///< number of operands
  std::uint8_t weight;             ///< cost in the class table
};

/// The letters of a class table, and the constants from which keys are computed.
struct ChainAlphabet {
  ChainLetter letters[kMostLetters];  // NOLINT
  std::uint32_t letter_count;
  std::uint32_t wires;                    ///< those of the table: a window has no more
  std::uint64_t within[kMostWires + 1];   // NOLINT: the letters on the first wires, as sets of bits
  std::uint64_t symbolic;                 ///< letters with a free angle
  Goldilocks start[kAmplitudes];          // NOLINT: the state to which circuits are applied
  std::uint32_t functional[kAmplitudes];  // NOLINT
  Goldilocks first_inverse;               ///< inverse of the first amplitude of the start
  Goldilocks roots[2 * kMostRoot + 1];    // NOLINT: powers of sqrt(2), from the lowest one
  Goldilocks phases[16];                  // NOLINT: powers of e^{i pi/8}
};

/// The words of a class table (classes/table/class_table.hpp).
struct ClassWords {
  const std::uint64_t* words;
  std::uint64_t lines;
  std::uint32_t letters;
  std::uint32_t tag_bits;
  std::uint32_t slot_bits;
  std::uint32_t cost;  ///< largest cost of a class
};

/// What is known of a gate with its angles.
struct ChainLabel {
  /// Index of its letter on given local qubits, by operand 0 + 4 * operand 1 + 16 * operand 2; -1
  /// if there is none.
  std::int8_t letter[64];  // NOLINT
  std::uint64_t value;     ///< contribution to the cost that the search minimizes
  std::uint32_t symbol;    ///< number of the free angle of its letter; 0 for a constant letter
  std::uint8_t cost;       ///< in the class table
  // For a Z rotation by a multiple of pi/4, e^{i pi phase / 8} rz(turns * pi/4).
  std::int8_t turns;  ///< 0 for other gates
  std::uint8_t phase;
  // The effect of other gates on the values of their wires in the sum over paths.
  bool is_diagonal;                ///< the values do not change
  std::uint8_t terms[kMostWires];  // NOLINT: the operands whose parity is the new value, as bits
  bool complement[kMostWires];     // NOLINT; no terms: the new value is a new variable
};

/// Most gates of a Z rotation by a multiple of pi/4.
inline constexpr unsigned kMostTurnGates = 4;

/// The shortest product of gates that equals e^{i pi phase / 8} rz(turns * pi/4).
struct ChainTurns {
  std::uint16_t labels[kMostTurnGates];  // NOLINT
  std::uint8_t count;
  std::int8_t turns;
  std::uint8_t phase;
};

/// All that the chains read.
struct ChainTables {
  const ChainAlphabet* alphabet;
  ClassWords classes;
  const ChainLabel* labels;
  const std::uint16_t* label_of;  ///< labels by symbol and letter
  ChainTurns turns[8];            // NOLINT: by the number of turns modulo 8
  bool moves_rotations;           ///< whether `turns` is known
};

}  // namespace quartz::window_chains
