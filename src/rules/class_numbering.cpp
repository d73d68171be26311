#include "rules/class_numbering.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::rules::words {
namespace {

bool same_phase(const Angle& a, const Angle& b) {
  return (a - b).reduced_modulo(Rational(2)).is_zero();
}

bool is_identity(const Relabelling& relabelling, QubitMask used) {
  if (!relabelling.renaming->identity) return false;
  for (QubitMask rest = used; rest != 0; rest &= rest - 1) {
    const auto qubit = static_cast<std::size_t>(std::countr_zero(rest));
    if ((*relabelling.map)[qubit] != qubit) return false;
  }
  return true;
}

void relabel(WordClass& equal, const Relabelling& relabelling, GateLabels& labels) {
  if (is_identity(relabelling, qubits_of(equal, labels))) return;
  const Renaming& renaming = *relabelling.renaming;
  for (WordMember& member : equal.members) {
    member.word = relabelled(member.word, relabelling, labels);
    if (renaming.identity || member.phase.is_constant()) continue;
    member.phase = member.phase.substitute(renaming.substitution);
  }
}

/// Returns the forms of all words, sorted.
std::vector<Word> sorted_forms(std::span<const Word* const> words, const Relabelling& relabelling,
                               GateLabels& labels) {
  std::vector<Word> forms;
  for (const Word* word : words) forms.push_back(relabelled(*word, relabelling, labels));
  std::sort(forms.begin(), forms.end());
  return forms;
}

/// Keeps the relabellings that make the sorted list of words, all of one length, least.
void keep_least_lists(std::span<const Word* const> words, Relabellings& candidates,
                      GateLabels& labels) {
  keep_least(words, candidates, labels);
  if (candidates.size() == 1 || words.size() == 1) return;
  std::vector<Word> least;
  std::size_t kept = 0;
  for (const Relabelling candidate : candidates) {
    std::vector<Word> forms = sorted_forms(words, candidate, labels);
    if (kept != 0 && least < forms) continue;
    if (kept == 0 || forms < least) {
      least = std::move(forms);
      kept = 0;
    }
    candidates[kept++] = candidate;
  }
  candidates.resize(kept);
}

/// Among all renamings of the class's parameters, returns the one that extends this renaming.
Renaming& continued(const Renaming& renaming, ParameterMask all, GateLabels& labels) {
  Substitution substitution = renaming.substitution;
  std::size_t next = substitution.size();
  for (const std::string& name : labels.parameter_names(all)) {
    if (!substitution.contains(name)) {
      substitution.emplace(name, Angle::symbol(parameter_name(next++)));
    }
  }
  for (Renaming& candidate : labels.renamings(all)) {
    if (candidate.substitution == substitution) return candidate;
  }
  throw InternalError("internal check failed: a circuit's parameters are among its class's");
}

}  // namespace

QubitMask qubits_of(const WordClass& equal, const GateLabels& labels) {
  QubitMask mask = 0;
  for (const WordMember& member : equal.members) mask |= qubits(member.word, labels);
  return mask;
}

ParameterMask parameters_of(const WordClass& equal, const GateLabels& labels) {
  ParameterMask mask = 0;
  for (const WordMember& member : equal.members) mask |= parameters(member.word, labels);
  return mask;
}

void put_in_order(WordClass& equal) {
  auto& members = equal.members;
  std::sort(members.begin(), members.end(),
            [](const WordMember& a, const WordMember& b) { return comes_before(a.word, b.word); });
  for (std::size_t i = 1; i < members.size(); ++i) {
    ensure(members[i - 1].word != members[i].word ||
               same_phase(members[i - 1].phase, members[i].phase),
           "one circuit has one phase");
  }
  members.erase(
      std::unique(members.begin(), members.end(),
                  [](const WordMember& a, const WordMember& b) { return a.word == b.word; }),
      members.end());
  if (members.empty() || members.front().phase.is_zero()) return;
  const Angle first = members.front().phase;
  for (WordMember& member : members) member.phase = member.phase + -first;
}

void number_canonically(WordClass& equal, GateLabels& labels) {
  Relabellings candidates =
      relabellings(qubits_of(equal, labels), parameters_of(equal, labels), labels);
  std::vector<const Word*> words;
  for (const WordMember& member : equal.members) words.push_back(&member.word);
  std::stable_sort(words.begin(), words.end(),
                   [](const Word* a, const Word* b) { return a->size() < b->size(); });
  for (auto begin = words.begin(); begin != words.end() && candidates.size() > 1;) {
    const std::size_t length = (*begin)->size();
    const auto end =
        std::find_if(begin, words.end(), [&](const Word* word) { return word->size() != length; });
    keep_least_lists({begin, end}, candidates, labels);
    begin = end;
  }
  relabel(equal, candidates.front(), labels);
  put_in_order(equal);
}

Angle number_around(WordClass& equal, std::size_t member, GateLabels& labels) {
  const Word& word = equal.members[member].word;
  Relabelling relabelling = canonical_circuit(word, labels).relabelling;
  const ParameterMask all = parameters_of(equal, labels);
  if (all != parameters(word, labels)) {
    relabelling.renaming = &continued(*relabelling.renaming, all, labels);
  }
  relabel(equal, relabelling, labels);
  return equal.members[member].phase;
}

bool comes_before_class(const WordClass& a, const WordClass& b) {
  return std::lexicographical_compare(
      a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
      [](const WordMember& x, const WordMember& y) { return comes_before(x.word, y.word); });
}

}  // namespace quartz::rules::words
