#include "rules/relabelling.hpp"

#include <array>
#include <utility>

namespace quartz::rules::words {
namespace {

using Letters = std::array<Letter, Trace::kMaxLetters>;

/// A word that is relabelled repeatedly.
class Relabelled {
 public:
  Relabelled(const Word& word, GateLabels& labels)
      : word_(&word), labels_(&labels), trace_(word, labels) {}

  [[nodiscard]] const Trace& trace() const { return trace_; }
  /// Returns the letters under a relabelling, in the order of the word.
  [[nodiscard]] const Letter* under(const Relabelling& relabelling) {
    if (relabelling.map != map_) {
      map_ = relabelling.map;
      for (std::size_t i = 0; i < word_->size(); ++i) {
        moved_[i] = labels_->with_qubits((*word_)[i], *map_);
      }
    }
    for (std::size_t i = 0; i < word_->size(); ++i) {
      letters_[i] = labels_->renamed(moved_[i], *relabelling.renaming);
    }
    return letters_.data();
  }

 private:
  const Word* word_;
  GateLabels* labels_;
  Trace trace_;
  const QubitMap* map_ = nullptr;  ///< the map applied to get `moved_`
  Letters moved_;
  Letters letters_;
};

/// Concatenates two words with a separator.
Word joined(Word left, const Word& right) {
  constexpr Letter kBetween = ~Letter{0};  // not a valid letter: its operands would be qubits 255
  left.push_back(kBetween);
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// Applies keep_least to the first word, then to the second, and joins the results.
Word keep_least_pair(const Word& first, const Word& second, Relabellings& candidates,
                     GateLabels& labels) {
  Word left = keep_least(first, candidates, labels);
  return joined(std::move(left), keep_least(second, candidates, labels));
}

}  // namespace

Relabellings relabellings(QubitMask used, ParameterMask parameters, GateLabels& labels) {
  const std::span<Renaming> renamings = labels.renamings(parameters);
  Relabellings all;
  for (const QubitMap& map : labels.qubit_maps(used)) {
    for (Renaming& renaming : renamings) all.push_back({&map, &renaming});
  }
  return all;
}

Word relabelled(std::span<const Letter> word, const Relabelling& relabelling, GateLabels& labels) {
  return relabelled(word, *relabelling.map, *relabelling.renaming, labels);
}

Word keep_least(std::span<const Word* const> words, Relabellings& candidates, GateLabels& labels) {
  boost::container::small_vector<Relabelled, 1> forms;
  for (const Word* word : words) forms.emplace_back(*word, labels);
  Letters least;
  std::size_t kept = 0;
  for (const Relabelling candidate : candidates) {
    bool equal = false;
    for (Relabelled& form : forms) {
      const auto order =
          form.trace().lessen(form.under(candidate), kept != 0 || equal, least.data());
      if (order < 0) kept = 0;
      equal = equal || order <= 0;
    }
    if (equal) candidates[kept++] = candidate;
  }
  candidates.resize(kept);
  return {least.data(), least.data() + words.front()->size()};
}

Word keep_least(const Word& word, Relabellings& candidates, GateLabels& labels) {
  const Word* const words[] = {&word};
  return keep_least(words, candidates, labels);
}

CanonicalCircuit canonical_circuit(const Word& word, GateLabels& labels) {
  Relabellings candidates = relabellings(qubits(word, labels), parameters(word, labels), labels);
  Word key = keep_least(word, candidates, labels);
  return {std::move(key), candidates.front()};
}

Word pair_key(const Word& a, const Word& b, GateLabels& labels) {
  if (b.size() < a.size()) return pair_key(b, a, labels);
  Relabellings candidates = relabellings(qubits(a, labels) | qubits(b, labels),
                                         parameters(a, labels) | parameters(b, labels), labels);
  if (a.size() < b.size()) return keep_least_pair(a, b, candidates, labels);
  Relabellings others = candidates;
  Word least = keep_least_pair(a, b, candidates, labels);
  Word least_other = keep_least_pair(b, a, others, labels);
  return std::min(least, least_other);
}

}  // namespace quartz::rules::words
