#include "rules/equality_index.hpp"

#include <algorithm>
#include <set>

#include "quartz/errors.hpp"
#include "rules/relabelling.hpp"

namespace quartz::words {
namespace {

constexpr Letter between = ~Letter{0};  // no letter: its operands would be qubits 255

bool is_constant(const LabelTable::Label& label) {
  return std::all_of(label.angles.begin(), label.angles.end(),
                     [](const Angle& angle) { return angle.is_constant(); });
}

std::optional<std::string> bare_parameter(const Angle& angle) {
  const auto terms = angle.terms();
  if (terms.size() != 1 || terms[0].coefficient != Rational(1)) return std::nullopt;
  if (angle != Angle::symbol(terms[0].symbol)) return std::nullopt;
  return terms[0].symbol;
}

/// The word with the gates that have angles made patterns: all of them, or those only whose angles
/// are not all constant.
Word with_any_angles(const Word& word, bool constants_too, LabelTable& labels) {
  Word result;
  for (const Letter letter : word) {
    const LabelTable::Label& label = labels.label(letter);
    const bool any = !label.angles.empty() && (constants_too || !is_constant(label));
    const GateKind gate = label.gate;
    result.push_back(any ? labels.with_label(letter, {gate, {}, true}) : letter);
  }
  return result;
}

/// A way to number a word's qubits that gives the canonical (least) form.
struct Placement {
  QubitMap map;
  std::vector<std::size_t> order;  ///< the word's positions in the canonical form
};

struct Canonical {
  Word key;
  std::vector<Placement> placements;  ///< more than one for a word with symmetries
};

Canonical canonical(const Word& word, const LabelTable& labels) {
  Canonical result;
  for_each_qubit_map(qubits(word, labels), [&](const QubitMap& map) {
    Word moved;
    for (const Letter letter : word) moved.push_back(labels.with_qubits(letter, map));
    std::vector<std::size_t> order = normal_order(moved, labels);
    Word form;
    for (const std::size_t i : order) form.push_back(moved[i]);
    if (!result.placements.empty() && form > result.key) return;
    if (result.placements.empty() || form < result.key) {
      result.key = std::move(form);
      result.placements.clear();
    }
    result.placements.push_back({map, std::move(order)});
  });
  return result;
}

}  // namespace

Word pair_key(const Word& a, const Word& b, LabelTable& labels) {
  Word both = a;
  both.insert(both.end(), b.begin(), b.end());
  Word least;
  for_each_relabelling(qubits(both, labels), parameters(both, labels), labels,
                       [&](const QubitMap& map, Renaming& renaming) {
                         Word left = relabelled(a, map, renaming, labels);
                         Word right = relabelled(b, map, renaming, labels);
                         if (comes_before(right, left)) std::swap(left, right);
                         left.push_back(between);
                         left.insert(left.end(), right.begin(), right.end());
                         if (least.empty() || left < least) least = std::move(left);
                       });
  return least;
}

EqualityIndex::EqualityIndex(std::span<const WordClass> classes, LabelTable& labels)
    : classes_(classes), labels_(labels) {
  for (std::size_t i = 0; i < classes_.size(); ++i) {
    add_pairs(i);
    for (std::size_t j = 0; j < classes_[i].members.size(); ++j) add_pattern(i, j);
  }
}

void EqualityIndex::add_pairs(std::size_t number) {
  const auto& members = classes_[number].members;
  for (std::size_t second = 1; second < members.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      pairs_[pair_key(members[first].word, members[second].word, labels_)].push_back(
          {number, first, second});
    }
  }
}

void EqualityIndex::add_pattern(std::size_t number, std::size_t member) {
  const Word& word = classes_[number].members[member].word;
  if (word.empty()) return;
  const Canonical form = canonical(with_any_angles(word, false, labels_), labels_);
  const Placement& placement = form.placements.front();
  Pattern pattern{number, member, {}, {}};
  std::set<std::string> seen;
  for (const std::size_t i : placement.order) {
    const LabelTable::Label& label = labels_.label(word[i]);
    if (is_constant(label)) continue;
    for (const Angle& angle : label.angles) {
      const std::optional<std::string> parameter = bare_parameter(angle);
      if (!parameter || !seen.insert(*parameter).second) return;
      pattern.parameters.push_back(*parameter);
    }
  }
  const QubitMask used = qubits(word, labels_);
  pattern.qubits.resize(static_cast<std::size_t>(std::popcount(used)));
  for (std::uint8_t qubit = 0; qubit < 64; ++qubit) {
    if ((used >> qubit & 1U) != 0) pattern.qubits[placement.map[qubit]] = qubit;
  }
  patterns_[form.key].push_back(std::move(pattern));
}

std::span<const ListedPair> EqualityIndex::find(const Word& a, const Word& b) {
  const auto found = pairs_.find(pair_key(a, b, labels_));
  if (found == pairs_.end()) return {};
  return found->second;
}

std::span<const EqualityIndex::Replacement> EqualityIndex::replacements(const Word& word) {
  const auto known = replacements_.find(word);
  if (known != replacements_.end()) return known->second;
  std::vector<Replacement> all;
  const Dependence dependence(word, labels_);
  if (!word.empty() && dependence.connected((std::uint32_t{1} << word.size()) - 1)) {
    append_replacements(word, false, all);
    if (with_any_angles(word, false, labels_) != with_any_angles(word, true, labels_)) {
      append_replacements(word, true, all);
    }
  }
  return replacements_.emplace(word, std::move(all)).first->second;
}

void EqualityIndex::append_replacements(const Word& word, bool any_constants,
                                        std::vector<Replacement>& replacements) {
  const Word general = with_any_angles(word, any_constants, labels_);
  const Canonical form = canonical(general, labels_);
  const auto found = patterns_.find(form.key);
  if (found == patterns_.end()) return;
  const QubitMask used = qubits(word, labels_);
  for (const Placement& placement : form.placements) {
    std::vector<Angle> angles;
    for (const std::size_t i : placement.order) {
      if (!labels_.label(general[i]).any_angles) continue;
      const auto& own = labels_.label(word[i]).angles;
      angles.insert(angles.end(), own.begin(), own.end());
    }
    for (const Pattern& pattern : found->second) {
      ensure(pattern.parameters.size() == angles.size(), "one angle for each parameter");
      Substitution substitution;
      for (std::size_t i = 0; i < angles.size(); ++i) {
        substitution.emplace(pattern.parameters[i], angles[i]);
      }
      QubitMap map{};
      QubitMask bound = 0;
      for (std::uint8_t qubit = 0; qubit < 64; ++qubit) {
        if ((used >> qubit & 1U) == 0) continue;
        const std::uint8_t own = pattern.qubits[placement.map[qubit]];
        map[own] = qubit;
        bound |= QubitMask{1} << own;
      }
      const auto& members = classes_[pattern.equal_circuits].members;
      const ParameterMask bound_parameters = parameters(members[pattern.member].word, labels_);
      for (std::size_t other = 0; other < members.size(); ++other) {
        if (other == pattern.member) continue;
        const Word& right = members[other].word;
        // A side that says more than the left-hand side binds: no rule in this direction.
        if ((qubits(right, labels_) & ~bound) != 0) continue;
        if ((parameters(right, labels_) & ~bound_parameters) != 0) continue;
        replacements.push_back({relabelled(right, map, substitution, labels_),
                                std::max(right.size(), members[pattern.member].word.size())});
      }
    }
  }
}

}  // namespace quartz::words
