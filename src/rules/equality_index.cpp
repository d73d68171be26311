#include "rules/equality_index.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "quartz/base/errors.hpp"
#include "rules/for_each_labelled.hpp"

namespace quartz::rules::words {
namespace {

bool is_constant(const GateLabels::Label& label) {
  return std::all_of(label.angles.begin(), label.angles.end(),
                     [](const Angle& angle) { return angle.is_constant(); });
}

std::optional<std::string> bare_parameter(const Angle& angle) {
  const auto terms = angle.terms();
  if (terms.size() != 1 || terms[0].coefficient != Rational(1)) return std::nullopt;
  // The symbol of a constant is a literal.
  if (angle.is_constant() || angle != Angle::symbol(terms[0].symbol)) return std::nullopt;
  return terms[0].symbol;
}

/// Returns the word with gates that have angles turned into patterns for any angles: all such
/// gates, or only those whose angles are not all constant.
Word with_any_angles(const Word& word, bool constants_too, GateLabels& labels) {
  Word result;
  for (const Letter letter : word) {
    const GateLabels::Label& label = labels.label(letter);
    const bool any = !label.angles.empty() && (constants_too || !is_constant(label));
    const GateKind gate = label.gate;
    result.push_back(any ? labels.with_label(letter, {gate, {}, true}) : letter);
  }
  return result;
}

/// A numbering of a word's qubits that gives the canonical (least) form.
struct Placement {
  QubitMap map;
  std::vector<std::size_t> order;  ///< the word's positions in the canonical form
};

struct Canonical {
  Word key;
  std::vector<Placement> placements;  ///< several if the word has symmetries
};

Canonical canonical(const Word& word, const GateLabels& labels) {
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

EqualityIndex::EqualityIndex(std::span<const WordClass> classes, GateLabels& labels,
                             unsigned threads)
    : classes_(classes) {
  // Keys are formed on all threads, so labels used in them must have the same number on each.
  for (std::size_t i = labels.size(); i-- > 0;) {
    const Letter letter = Letter{i} << 48U;
    const GateKind gate = labels.label(letter).gate;
    if (!labels.label(letter).angles.empty()) static_cast<void>(labels.number(gate, {}, true));
  }
  std::vector<std::vector<Entry>> entries(classes_.size());
  for_each_within_labels(threads, labels, classes_.size(), [&](std::size_t i, GateLabels& own) {
    for (std::size_t j = 0; j < classes_[i].members.size(); ++j) {
      entries[i].push_back(entry_of(i, j, own));
    }
  });
  for (std::size_t i = 0; i < classes_.size(); ++i) add(i, std::move(entries[i]));
}

void EqualityIndex::add(std::size_t number, std::vector<Entry> entries) {
  for (std::size_t member = 0; member < entries.size(); ++member) {
    Entry& entry = entries[member];
    ListedCircuit& circuit = circuits_[std::move(entry.circuit)];
    ensure(circuit.members.empty() || circuit.equal_circuits == number,
           "one class lists a circuit, up to relabelling");
    circuit.equal_circuits = number;
    circuit.members.push_back(member);
    if (entry.left_side) patterns_[*std::move(entry.left_side)].push_back(std::move(entry.pattern));
  }
}

const ListedCircuit* EqualityIndex::listed(const Word& word, GateLabels& labels) const {
  const auto found = circuits_.find(canonical_circuit(word, labels).key);
  return found == circuits_.end() ? nullptr : &found->second;
}

EqualityIndex::Entry EqualityIndex::entry_of(std::size_t number, std::size_t member,
                                             GateLabels& labels) const {
  const Word& word = classes_[number].members[member].word;
  Entry entry{canonical_circuit(word, labels).key, {}, {number, member, {}, {}}};
  if (word.empty()) return entry;
  Canonical form = canonical(with_any_angles(word, false, labels), labels);
  const Placement& placement = form.placements.front();
  std::set<std::string> seen;
  for (const std::size_t i : placement.order) {
    const GateLabels::Label& label = labels.label(word[i]);
    if (is_constant(label)) continue;
    for (const Angle& angle : label.angles) {
      const std::optional<std::string> parameter = bare_parameter(angle);
      if (!parameter || !seen.insert(*parameter).second) return entry;
      entry.pattern.parameters.push_back(*parameter);
    }
  }
  const QubitMask used = qubits(word, labels);
  entry.pattern.qubits.resize(static_cast<std::size_t>(std::popcount(used)));
  for (QubitMask rest = used; rest != 0; rest &= rest - 1) {
    const auto qubit = static_cast<std::uint8_t>(std::countr_zero(rest));
    entry.pattern.qubits[placement.map[qubit]] = qubit;
  }
  entry.left_side = std::move(form.key);
  return entry;
}

std::span<const Replacements::Replacement> Replacements::of(const Word& word) {
  const auto known = known_.find(word);
  if (known != known_.end()) return known->second;
  std::vector<Replacement> all;
  const Dependence dependence(word, labels_);
  if (!word.empty() && dependence.connected((std::uint32_t{1} << word.size()) - 1)) {
    append(word, false, all);
    if (with_any_angles(word, false, labels_) != with_any_angles(word, true, labels_)) {
      append(word, true, all);
    }
  }
  return known_.emplace(word, std::move(all)).first->second;
}

void Replacements::append(const Word& word, bool any_constants,
                          std::vector<Replacement>& replacements) {
  const Word general = with_any_angles(word, any_constants, labels_);
  const Canonical form = canonical(general, labels_);
  const auto found = index_.patterns_.find(form.key);
  if (found == index_.patterns_.end()) return;
  const QubitMask used = qubits(word, labels_);
  for (const Placement& placement : form.placements) {
    std::vector<Angle> angles;
    for (const std::size_t i : placement.order) {
      if (!labels_.label(general[i]).any_angles) continue;
      const auto& own = labels_.label(word[i]).angles;
      angles.insert(angles.end(), own.begin(), own.end());
    }
    for (const EqualityIndex::Pattern& pattern : found->second) {
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
      const auto& members = index_.classes_[pattern.equal_circuits].members;
      const ParameterMask bound_parameters = parameters(members[pattern.member].word, labels_);
      for (std::size_t other = 0; other < members.size(); ++other) {
        if (other == pattern.member) continue;
        const Word& right = members[other].word;
        // A right-hand side with qubits or parameters that the left-hand side does not bind cannot
        // be inserted, so there is no rule in this direction.
        if ((qubits(right, labels_) & ~bound) != 0) continue;
        if ((parameters(right, labels_) & ~bound_parameters) != 0) continue;
        replacements.push_back({relabelled(right, map, substitution, labels_),
                                std::max(right.size(), members[pattern.member].word.size())});
      }
    }
  }
}

}  // namespace quartz::rules::words
