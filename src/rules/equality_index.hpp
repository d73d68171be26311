#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "rules/relabelling.hpp"
#include "rules/word_class.hpp"

namespace quartz::words {

/// A pair of circuits of one class of the list.
struct ListedPair {
  std::size_t equal_circuits = 0;  ///< the class
  std::size_t first = 0;           ///< the members
  std::size_t second = 0;
};

/// A circuit of the list up to relabelling. After the merging no other class has it.
struct ListedCircuit {
  std::size_t equal_circuits = 0;    ///< the class
  std::vector<std::size_t> members;  ///< that are this circuit, in rising order
};

/// Answers what equalities the listed classes state. Once made it is only read: several threads may
/// ask, each with a copy of the table of labels made after this was.
class EqualityIndex {
 public:
  EqualityIndex(std::span<const WordClass> classes, LabelTable& labels, unsigned threads);

  /// Null if no class lists the circuit.
  [[nodiscard]] const ListedCircuit* listed(const Word& word, LabelTable& labels) const;

  /// A place where "a = b" is listed, up to relabelling, of those that accept(pair) takes; with
  /// what listed() says of both.
  template <typename Accept>
  [[nodiscard]] std::optional<ListedPair> find(const Word& a, const ListedCircuit* listed_a,
                                               const Word& b, const ListedCircuit* listed_b,
                                               LabelTable& labels, Accept&& accept) const {
    if (listed_a == nullptr || listed_b == nullptr) return std::nullopt;
    if (listed_a->equal_circuits != listed_b->equal_circuits) return std::nullopt;
    const std::vector<WordMember>& members = classes_[listed_a->equal_circuits].members;
    std::optional<Word> wanted;
    for (const std::size_t i : listed_a->members) {
      for (const std::size_t j : listed_b->members) {
        if (i == j || (listed_a == listed_b && i > j)) continue;
        const ListedPair pair{listed_a->equal_circuits, std::min(i, j), std::max(i, j)};
        if (!accept(pair)) continue;
        if (!wanted) wanted = pair_key(a, b, labels);
        if (pair_key(members[i].word, members[j].word, labels) == *wanted) return pair;
      }
    }
    return std::nullopt;
  }

 private:
  friend class Replacements;
  /// A left-hand side in the canonical numbering of its qubits.
  struct Pattern {
    std::size_t equal_circuits = 0;
    std::size_t member = 0;
    std::vector<std::uint8_t> qubits;     ///< by canonical number
    std::vector<std::string> parameters;  ///< in the order of the canonical form's angles
  };

  /// What the index says of a circuit, and where.
  struct Entry {
    Word circuit;
    std::optional<Word> left_side;  ///< none where the circuit is no left-hand side
    Pattern pattern;
  };
  [[nodiscard]] Entry entry_of(std::size_t number, std::size_t member, LabelTable& labels) const;
  void add(std::size_t number, std::vector<Entry> entries);

  std::span<const WordClass> classes_;
  std::unordered_map<Word, ListedCircuit, WordHash> circuits_;
  std::unordered_map<Word, std::vector<Pattern>, WordHash> patterns_;
};

/// What one rule makes of a circuit; remembers what it was asked. Of one thread.
class Replacements {
 public:
  /// A circuit that equals a given one by one rule.
  struct Replacement {
    Word word;
    std::size_t rule_size = 0;  ///< gates in the longer side of the rule
  };

  Replacements(const EqualityIndex& index, LabelTable& labels) : index_(index), labels_(labels) {}

  /// What the whole word may become by one rule, used as a search uses it: the word is connected,
  /// each gate of the rule's left-hand side has constant angles or bare parameters, no two the
  /// same, and these take any angles.
  [[nodiscard]] std::span<const Replacement> of(const Word& word);

 private:
  void append(const Word& word, bool any_constants, std::vector<Replacement>& replacements);

  const EqualityIndex& index_;
  LabelTable& labels_;
  std::unordered_map<Word, std::vector<Replacement>, WordHash> known_;
};

}  // namespace quartz::words
