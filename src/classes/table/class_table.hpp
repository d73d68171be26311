#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "classes/letters/table_alphabet.hpp"
#include "quartz/classes/class_table.hpp"

namespace quartz::classes {

/// The entry of a class in a class table.
struct ClassEntry {
  static constexpr unsigned kUnknown = 255;
  unsigned cost = kUnknown;
  /// The letters that end a cheapest circuit of the class. Such a circuit without its last letter
  /// costs less by the letter's weight.
  LetterMask last_letters = 0;
};

}  // namespace quartz::classes

namespace quartz {

/// A hash table with one word for each class: tag, cost, last letters. Lines have eight words, one
/// cache line each. A key belongs into the line selected by its top bits, or if that is full, into
/// the next line that is not.
class ClassTable {
 public:
  static constexpr unsigned kCostBits = 5;
  static constexpr std::size_t kLine = 8;

  struct Contents {
    unsigned qubits = 0;
    unsigned cost = 0;
    unsigned two_qubit_weight = 1;
    bool symbolic = false;
    std::string digest;
    std::string gate_set;
    classes::TableAlphabet alphabet;
    std::vector<std::uint64_t> classes;
    std::span<const std::uint64_t> words;
    std::shared_ptr<const void> owner;  ///< keeps the memory of the words
  };
  ClassTable(Contents contents, std::uint64_t seed);

  [[nodiscard]] const classes::TableAlphabet& alphabet() const { return contents_.alphabet; }
  [[nodiscard]] const classes::TableProbe& probe() const { return probe_; }
  [[nodiscard]] const Contents& contents() const { return contents_; }
  [[nodiscard]] unsigned cost() const { return contents_.cost; }

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&words_[home(key)]); }
  [[nodiscard]] classes::ClassEntry find(std::uint64_t key) const {
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
                word & ((classes::LetterMask{1} << letters_) - 1)};
      }
      if (words_[line + kLine - 1] == 0) return {};  // lines are filled from their first word
      line += kLine;
      if (line == words_.size()) line = 0;
    }
  }

  /// Returns the word of a class. Its cost field is the cost plus 1, so that no word is 0.
  [[nodiscard]] static std::uint64_t word(std::uint64_t key, unsigned slot_bits, unsigned letters,
                                          unsigned cost, classes::LetterMask last_letters) {
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
  classes::TableProbe probe_;
  std::span<const std::uint64_t> words_;
  unsigned letters_ = 0;
  unsigned tag_bits_ = 0;
  unsigned slot_bits_ = 0;  ///< leading bits of a key that its line determines
};

}  // namespace quartz
