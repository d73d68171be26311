#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "rules/word_class.hpp"

namespace quartz::words {

/// The least of the pair's forms under all relabellings of qubits and parameters and in either
/// order: two pairs have one key if and only if they are the same equality.
[[nodiscard]] Word pair_key(const Word& a, const Word& b, LabelTable& labels);

/// A pair of circuits of one class of the list.
struct ListedPair {
  std::size_t equal_circuits = 0;  ///< the class
  std::size_t first = 0;           ///< the members
  std::size_t second = 0;
};

/// Answers what equalities the listed classes state.
class EqualityIndex {
 public:
  EqualityIndex(std::span<const WordClass> classes, LabelTable& labels);

  /// The places where "a = b" is listed, up to relabelling.
  [[nodiscard]] std::span<const ListedPair> find(const Word& a, const Word& b);

  /// A circuit that equals a given one by one rule.
  struct Replacement {
    Word word;
    std::size_t rule_size = 0;  ///< gates in the longer side of the rule
  };
  /// What the whole word may become by one rule, used as a search uses it: the word is connected,
  /// each gate of the rule's left-hand side has constant angles or bare parameters, no two the
  /// same, and these take any angles.
  [[nodiscard]] std::span<const Replacement> replacements(const Word& word);

 private:
  /// A left-hand side in the canonical numbering of its qubits.
  struct Pattern {
    std::size_t equal_circuits = 0;
    std::size_t member = 0;
    std::vector<std::uint8_t> qubits;     ///< by canonical number
    std::vector<std::string> parameters;  ///< in the order of the canonical form's angles
  };

  void add_pairs(std::size_t number);
  void add_pattern(std::size_t number, std::size_t member);
  void append_replacements(const Word& word, bool any_constants,
                           std::vector<Replacement>& replacements);

  std::span<const WordClass> classes_;
  LabelTable& labels_;
  std::unordered_map<Word, std::vector<ListedPair>, WordHash> pairs_;
  std::unordered_map<Word, std::vector<Pattern>, WordHash> patterns_;
  std::unordered_map<Word, std::vector<Replacement>, WordHash> replacements_;
};

}  // namespace quartz::words
