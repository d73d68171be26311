#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "enumerate/letter_operator.hpp"
#include "quartz/enumerate/class_table.hpp"

namespace quartz {

/// Bit i is letter i of the alphabet.
using LetterMask = std::uint64_t;

/// What the table knows of a class.
struct ClassEntry {
  static constexpr unsigned kUnknown = 255;
  unsigned cost = kUnknown;
  /// The letters that end a cheapest circuit of the class: without such a last letter the rest
  /// costs less by the letter's weight.
  LetterMask last_letters = 0;
};

/// The letters of a class table, and how they act.
struct TableAlphabet {
  std::vector<Operation> letters;  ///< on qubits 0 to 2, angles normalized
  std::vector<unsigned> weights;
  std::vector<LetterOperator> operators;
  std::vector<LetterOperator> inverses;
  /// By the highest qubit they touch, cumulatively: within[k] are the letters on the first k
  /// qubits.
  std::array<LetterMask, kTableQubits + 1> within{};
  LetterMask symbolic = 0;  ///< letters by the free angle p0 or its negative
};

/// Where states and keys come from.
///
/// A key is a power of one linear functional of U v that kills every global phase: over gates whose
/// matrices have entries in Q(e^{i pi/8}) phases between equal circuits are sixteenth roots of
/// unity, so that the sixteenth power does. (By determinants that holds for rotations by a free
/// angle as well, as long as they have determinant 1.) Two different unitaries share a key with
/// probability about 16 / 2^64.
class TableProbe {
 public:
  explicit TableProbe(std::uint64_t seed);

  [[nodiscard]] const FieldState& start() const { return start_; }
  [[nodiscard]] std::span<const std::uint32_t> functional() const { return functional_; }
  /// Of the class of a state that is short of the factor sqrt(2)^root.
  [[nodiscard]] std::uint64_t key(const FieldState& state, int root) const {
    __extension__ typedef unsigned __int128 Wide;
    Wide sum = 0;
    // The functional has 32 bits an entry, so that eight products fit 128 bits.
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
  /// Whether state = scalar * start for a scalar of modulus sqrt(2)^root, and its phase in units
  /// of pi/8; -1 if not.
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

/// One word a class: tag, cost, last letters. Lines of eight words, one cache line each; a key
/// belongs into the line that its top bits choose, or into one of the next if that is full.
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
    std::shared_ptr<const void> owner;  ///< of the words
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
      // No branch tells where in the line the word is: it would be mispredicted more often than not.
      std::uint64_t word = 0;
      for (std::size_t i = kLine; i-- > 0;) {
        const std::uint64_t other = words_[line + i];
        word = other >> (64 - tag_bits_) == tag ? other : word;
      }
      if (word != 0) {
        return {static_cast<unsigned>(word >> letters_ & ((1U << kCostBits) - 1)) - 1,
                word & ((LetterMask{1} << letters_) - 1)};
      }
      if (words_[line + kLine - 1] == 0) return {};  // a line is filled from its beginning
      line += kLine;
      if (line == words_.size()) line = 0;
    }
  }

  /// The word of a class; its cost field is the cost plus 1, so that no word is 0.
  [[nodiscard]] static std::uint64_t word(std::uint64_t key, unsigned slot_bits, unsigned letters,
                                          unsigned cost, LetterMask last_letters) {
    const unsigned tag_bits = 64 - kCostBits - letters;
    return (key << slot_bits >> (64 - tag_bits)) << (64 - tag_bits) |
           std::uint64_t{cost + 1} << letters | last_letters;
  }
  /// Index of a key's line's first word, among so many words.
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
  unsigned slot_bits_ = 0;  ///< of the key, that the line gives away
};

/// The letters that the options want, on their number of qubits, no two with one unitary.
[[nodiscard]] std::vector<Operation> table_letters(const GateSet& set,
                                                   const ClassTableOptions& options);
/// Returns whether a class table takes that many letters.
[[nodiscard]] bool fits_class_table(const GateSet& set, const ClassTableOptions& options);
/// The letters of a table, and how they act.
[[nodiscard]] TableAlphabet table_alphabet(const GateSet& set, const ClassTableOptions& options);
/// Of every table: keys of one gate set's tables are compared with each other only.
inline constexpr std::uint64_t kTableSeed = 0;

}  // namespace quartz
