#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "rules/relabelling.hpp"
#include "rules/word_class.hpp"

namespace quartz::rules::words {

/// A pair of circuits of one listed class.
struct ListedPair {
  std::size_t equal_circuits = 0;  ///< index of the class
  std::size_t first = 0;           ///< indices of the members
  std::size_t second = 0;
};

/// A listed circuit, up to relabelling. After merging it occurs in one class only.
struct ListedCircuit {
  std::size_t equal_circuits = 0;    ///< index of the class
  std::vector<std::size_t> members;  ///< members that are this circuit, in ascending order
};

/// Finds the equalities that the listed classes state. It is constant after construction: several
/// threads may use it, each with a copy of the table of labels made after the construction.
class EqualityIndex {
 public:
  EqualityIndex(std::span<const WordClass> classes, GateLabels& labels, unsigned threads);

  /// Returns the listed circuit for a word, or null if no class lists it.
  [[nodiscard]] const ListedCircuit* listed(const Word& word, GateLabels& labels) const;

  /// Returns a pair that lists "a = b" up to relabelling and for which accept(pair) is true, if
  /// there is one. `listed_a` and `listed_b` are the results of listed().
  template <typename Accept>
  [[nodiscard]] std::optional<ListedPair> find(const Word& a, const ListedCircuit* listed_a,
                                               const Word& b, const ListedCircuit* listed_b,
                                               GateLabels& labels, Accept&& accept) const {
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
  /// The left-hand side of a rule, with its qubits numbered canonically.
  struct Pattern {
    std::size_t equal_circuits = 0;
    std::size_t member = 0;
    std::vector<std::uint8_t> qubits;     ///< qubits by their canonical number
    std::vector<std::string> parameters;  ///< in the order of the canonical form's angles
  };

  /// The index entries of one circuit.
  struct Entry {
    Word circuit;
    std::optional<Word> left_side;  ///< none if the circuit cannot be a left-hand side
    Pattern pattern;
  };
  [[nodiscard]] Entry entry_of(std::size_t number, std::size_t member, GateLabels& labels) const;
  void add(std::size_t number, std::vector<Entry> entries);

  std::span<const WordClass> classes_;
  std::unordered_map<Word, ListedCircuit, WordHash> circuits_;
  std::unordered_map<Word, std::vector<Pattern>, WordHash> patterns_;
};

/// The circuits that one rule makes of a given circuit, with a cache. Not thread-safe: each thread
/// needs its own object.
class Replacements {
 public:
  /// A circuit that equals a given one by one rule.
  struct Replacement {
    Word word;
    std::size_t rule_size = 0;  ///< number of gates in the longer side of the rule
  };

  Replacements(const EqualityIndex& index, GateLabels& labels) : index_(index), labels_(labels) {}

  /// Returns what the whole word becomes by one rule, applied as a search applies it: the word is
  /// connected, each gate of the rule's left-hand side has constant angles or bare parameters, all
  /// different, and these parameters match any angles.
  [[nodiscard]] std::span<const Replacement> of(const Word& word);

 private:
  void append(const Word& word, bool any_constants, std::vector<Replacement>& replacements);

  const EqualityIndex& index_;
  GateLabels& labels_;
  std::unordered_map<Word, std::vector<Replacement>, WordHash> known_;
};

}  // namespace quartz::rules::words
