#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "enumerate/letter_operator.hpp"
#include "quartz/enumerate/class_table.hpp"

namespace quartz {

/// A set of letters: bit i is letter i of the alphabet.
using LetterMask = std::uint64_t;

/// The entry of a class in a class table.
struct ClassEntry {
  static constexpr unsigned kUnknown = 255;
  unsigned cost = kUnknown;
  /// The letters that end a cheapest circuit of the class. Such a circuit without its last letter
  /// costs less by the letter's weight.
  LetterMask last_letters = 0;
};

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

/// A hash table with one word for each class: tag, cost, last letters. Lines have eight words, one
/// cache line each. A key belongs into the line selected by its top bits, or if that is full, into
/// the next line that is not.
class ClassTable {
 public:
  static constexpr unsigned kCostBits = 5;
  static constexpr unsigned kMostLetters = 40;
  static constexpr std::size_t kLine = 8;

  struct Contents {
    unsigned qubits = 0;
    unsigned cost = 0;
    unsigned two_qubit_weight = 1;
    bool symbolic = false;
    std::string digest;
    std::string gate_set;
    TableAlphabet alphabet;
    std::vector<std::uint64_t> classes;
    std::span<const std::uint64_t> words;
    std::shared_ptr<const void> owner;  ///< keeps the memory of the words
  };
  ClassTable(Contents contents, std::uint64_t seed);

  [[nodiscard]] const TableAlphabet& alphabet() const { return contents_.alphabet; }
  [[nodiscard]] const TableProbe& probe() const { return probe_; }
  [[nodiscard]] const Contents& contents() const { return contents_; }
  [[nodiscard]] unsigned cost() const { return contents_.cost; }

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&words_[home(key)]); }
  [[nodiscard]] ClassEntry find(std::uint64_t key) const {
    std::size_t line = home(key);
    const std::uint64_t tag = key << slot_bits_ >> (64 - tag_bits_);
    for (;;) {
      // The word is selected without a branch, which would be mispredicted more often than not.
      std::uint64_t word = 0;
      for (std::size_t i = kLine; i-- > 0;) {
        const std::uint64_t other = words_[line + i];
        word = other >> (64 - tag_bits_) == tag ? other : word;
      }
      if (word != 0) {
        return {static_cast<unsigned>(word >> letters_ & ((1U << kCostBits) - 1)) - 1,
                word & ((LetterMask{1} << letters_) - 1)};
      }
      if (words_[line + kLine - 1] == 0) return {};  // lines are filled from their first word
      line += kLine;
      if (line == words_.size()) line = 0;
    }
  }

  /// Returns the word of a class. Its cost field is the cost plus 1, so that no word is 0.
  [[nodiscard]] static std::uint64_t word(std::uint64_t key, unsigned slot_bits, unsigned letters,
                                          unsigned cost, LetterMask last_letters) {
    const unsigned tag_bits = 64 - kCostBits - letters;
    return (key << slot_bits >> (64 - tag_bits)) << (64 - tag_bits) |
           std::uint64_t{cost + 1} << letters | last_letters;
  }
  /// Returns the index of the first word of a key's line in a table of `words` words.
  [[nodiscard]] static std::size_t home(std::uint64_t key, std::size_t words) {
    __extension__ typedef unsigned __int128 Wide;
    return static_cast<std::size_t>(static_cast<Wide>(key) * (words / kLine) >> 64U) * kLine;
  }

 private:
  [[nodiscard]] std::size_t home(std::uint64_t key) const { return home(key, words_.size()); }

  Contents contents_;
  TableProbe probe_;
  std::span<const std::uint64_t> words_;
  unsigned letters_ = 0;
  unsigned tag_bits_ = 0;
  unsigned slot_bits_ = 0;  ///< leading bits of a key that its line determines
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

}  // namespace quartz
