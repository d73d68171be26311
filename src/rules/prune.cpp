#include "rules/prune.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "quartz/circuit/custom_gate.hpp"
#include "quartz/errors.hpp"
#include "rules/equality_index.hpp"
#include "rules/relabelling.hpp"
#include "rules/word_class.hpp"

namespace quartz {
namespace {

using namespace words;

bool same_phase(const Angle& a, const Angle& b) {
  return (a - b).reduced_modulo(Rational(2)).is_zero();
}

/// Custom gates last, by their names: their kinds depend on what else the process has read.
bool has_lower_number(const LabelTable::Label& a, const LabelTable::Label& b) {
  const bool custom = is_custom(a.gate);
  if (custom != is_custom(b.gate)) return !custom;
  if (custom && a.gate != b.gate) return gate(a.gate).name < gate(b.gate).name;
  return a < b;
}

/// Makes the numbers of labels follow the order of gates and angles, so that the order of words
/// means the same in every rule set. Renamed parameters are foreseen.
void number_labels(const RuleSet& rules, LabelTable& labels) {
  std::set<LabelTable::Label> found;
  for (const EquivalenceClass& equal : rules.classes) {
    for (const ClassMember& member : equal.members) {
      for (const Operation& operation : member.gates) {
        found.insert({operation.gate, operation.angles, false});
      }
    }
  }
  // A table of its own, whose numbers do not matter.
  LabelTable any_order;
  ParameterMask all = 0;
  for (const LabelTable::Label& label : found) {
    all |= any_order.parameters(any_order.with_label(0, label));
  }
  std::set<LabelTable::Label> renamed = found;
  for (const Renaming& renaming : any_order.renamings(all)) {
    for (LabelTable::Label label : found) {
      for (Angle& angle : label.angles) angle = angle.substitute(renaming.substitution);
      renamed.insert(std::move(label));
    }
  }
  std::vector<LabelTable::Label> in_order(renamed.begin(), renamed.end());
  std::sort(in_order.begin(), in_order.end(), has_lower_number);
  for (const LabelTable::Label& label : in_order) static_cast<void>(labels.number(label));
}

QubitMask qubits_of(const WordClass& equal, const LabelTable& labels) {
  QubitMask mask = 0;
  for (const WordMember& member : equal.members) mask |= qubits(member.word, labels);
  return mask;
}

ParameterMask parameters_of(const WordClass& equal, const LabelTable& labels) {
  ParameterMask mask = 0;
  for (const WordMember& member : equal.members) mask |= parameters(member.word, labels);
  return mask;
}

void relabel(WordClass& equal, const QubitMap& map, const Substitution& substitution,
             LabelTable& labels) {
  for (WordMember& member : equal.members) {
    member.word = relabelled(member.word, map, substitution, labels);
    member.phase = member.phase.substitute(substitution);
  }
}

/// Canonical order, each circuit once, phases relative to the first.
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
  if (members.empty()) return;
  const Angle first = members.front().phase;
  for (WordMember& member : members) member.phase = member.phase + -first;
}

/// Qubits and parameters numbered so that the list of circuits is least; unused ones are thereby
/// left out.
void number_canonically(WordClass& equal, LabelTable& labels) {
  std::vector<Word> least;
  QubitMap best_map{};
  const Renaming* best_renaming = nullptr;
  for_each_relabelling(qubits_of(equal, labels), parameters_of(equal, labels), labels,
                       [&](const QubitMap& map, Renaming& renaming) {
                         std::vector<Word> words;
                         for (const WordMember& member : equal.members) {
                           words.push_back(relabelled(member.word, map, renaming, labels));
                         }
                         std::sort(words.begin(), words.end(), comes_before);
                         if (best_renaming != nullptr && !(words < least)) return;
                         least = std::move(words);
                         best_map = map;
                         best_renaming = &renaming;
                       });
  relabel(equal, best_map, best_renaming->substitution, labels);
  put_in_order(equal);
}

bool comes_before_class(const WordClass& a, const WordClass& b) {
  return std::lexicographical_compare(
      a.members.begin(), a.members.end(), b.members.begin(), b.members.end(),
      [](const WordMember& x, const WordMember& y) { return comes_before(x.word, y.word); });
}

std::size_t staying(const WordClass& equal) {
  return static_cast<std::size_t>(
      std::count_if(equal.members.begin(), equal.members.end(),
                    [](const WordMember& member) { return member.stays; }));
}

bool is_bare_parameter(const Angle& angle) {
  return angle.terms().size() == 1 && angle == Angle::symbol(angle.terms()[0].symbol);
}

/// A circuit's least form under relabelling, and a relabelling that gives it.
struct CanonicalCircuit {
  Word key;
  QubitMap map{};
  const Renaming* renaming = nullptr;
};

CanonicalCircuit canonical_circuit(const Word& word, LabelTable& labels) {
  CanonicalCircuit least;
  for_each_relabelling(qubits(word, labels), parameters(word, labels), labels,
                       [&](const QubitMap& map, Renaming& renaming) {
                         Word form = relabelled(word, map, renaming, labels);
                         if (least.renaming == nullptr || form < least.key) {
                           least = {std::move(form), map, &renaming};
                         }
                       });
  return least;
}

/// The passes and what they share. Each pass only takes away what follows from what stays at that
/// moment, so that the order of passes matters for the size of the result alone.
class Pruning {
 public:
  explicit Pruning(const RuleSet& rules) {
    number_labels(rules, labels_);
    for (const EquivalenceClass& equal : rules.classes) {
      WordClass& own = classes_.emplace_back();
      for (const ClassMember& member : equal.members) {
        Word word;
        for (const Operation& operation : member.gates) word.push_back(labels_.encode(operation));
        own.members.push_back({normal_form(word, labels_), member.phase});
      }
    }
  }

  void remove_duplicates();
  void merge_relabelled_classes();
  void remove_relabelled_members();
  void remove_parameter_instances();
  void remove_common_subcircuits();
  void remove_derivable_members();
  void remove_singletons();

  [[nodiscard]] std::uint64_t circuit_count() const {
    std::uint64_t count = 0;
    for (const WordClass& equal : classes_) count += staying(equal);
    return count;
  }
  [[nodiscard]] std::uint64_t class_count() const {
    return static_cast<std::uint64_t>(
        std::count_if(classes_.begin(), classes_.end(),
                      [](const WordClass& equal) { return staying(equal) > 0; }));
  }
  [[nodiscard]] std::vector<EquivalenceClass> result();

 private:
  struct Rest {
    Letter gate;
    Word word;
  };

  /// What was listed when it was first asked for: after the merging, before any circuit is pruned.
  [[nodiscard]] EqualityIndex& index() {
    if (!index_) index_.emplace(classes_, labels_);
    return *index_;
  }
  /// Asks `follows(class, member)` of every circuit that stays but the representatives, the long
  /// ones first, and takes away those for which it does.
  template <typename Follows>
  void remove_where(Follows&& follows);
  [[nodiscard]] bool stay(const ListedPair& pair) const {
    const auto& members = classes_[pair.equal_circuits].members;
    return members[pair.first].stays && members[pair.second].stays;
  }

  void merge(WordClass& from, WordClass& into, const Word& shared);
  Angle number_around(WordClass& equal, const Word& shared);
  [[nodiscard]] std::vector<Angle> expressions_of(const Word& a, const Word& b) const;
  [[nodiscard]] Word with_angles(const Word& word, const std::map<Angle, Angle>& replacements);
  [[nodiscard]] std::vector<Rest> rests_of(const Word& word, bool first) const;
  [[nodiscard]] bool connected(const Word& word) const;
  [[nodiscard]] bool follows_from_shorter_rules(const WordClass& equal, std::size_t number);
  [[nodiscard]] std::vector<Word> rewritten(const Word& word, std::size_t size);

  LabelTable labels_;
  std::vector<WordClass> classes_;
  std::optional<EqualityIndex> index_;
};

template <typename Follows>
void Pruning::remove_where(Follows&& follows) {
  struct Place {
    std::size_t equal_circuits;
    std::size_t member;
    std::size_t size;
  };
  std::vector<Place> places;
  for (std::size_t i = classes_.size(); i-- > 0;) {
    const auto& members = classes_[i].members;
    for (std::size_t j = members.size(); j-- > 1;) {
      if (members[j].stays) places.push_back({i, j, members[j].word.size()});
    }
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& a, const Place& b) { return a.size > b.size; });
  for (const Place& place : places) {
    WordClass& equal = classes_[place.equal_circuits];
    if (follows(equal, place.member)) equal.members[place.member].stays = false;
  }
}

/// Circuits that differ only in the order of gates on different qubits are one (upstream:
/// canonical representation, RepGen's sequences).
void Pruning::remove_duplicates() {
  for (WordClass& equal : classes_) put_in_order(equal);
}

/// Classes that share a circuit after qubits and parameters are relabelled become one, numbered
/// canonically (upstream: remove_unused_qubits, remove_qubit_permutations and
/// remove_parameter_permutations). The circuits of both are kept: RepGen lists other circuits in a
/// relabelled class, as the order that decides on representatives is no symmetric one.
void Pruning::merge_relabelled_classes() {
  for (WordClass& equal : classes_) number_canonically(equal, labels_);
  std::stable_sort(classes_.begin(), classes_.end(), comes_before_class);

  std::vector<std::size_t> merged_into(classes_.size());
  std::iota(merged_into.begin(), merged_into.end(), std::size_t{0});
  const auto current = [&](std::size_t number) {
    while (merged_into[number] != number) number = merged_into[number];
    return number;
  };
  std::unordered_map<Word, std::size_t, WordHash> owners;  // of canonical circuits
  for (std::size_t number = 0; number < classes_.size(); ++number) {
    std::vector<Word> keys;
    for (const WordMember& member : classes_[number].members) {
      keys.push_back(canonical_circuit(member.word, labels_).key);
    }
    for (const Word& key : keys) {
      const auto [owner, is_new] = owners.emplace(key, number);
      const std::size_t from = current(number);
      const std::size_t into = current(owner->second);
      if (is_new || from == into) continue;
      merge(classes_[from], classes_[into], key);
      merged_into[from] = into;
    }
  }
  std::erase_if(classes_, [](const WordClass& equal) { return equal.members.empty(); });
  for (WordClass& equal : classes_) number_canonically(equal, labels_);
  std::stable_sort(classes_.begin(), classes_.end(), comes_before_class);
}

/// Relabels both so that the circuit they share has its canonical form.
void Pruning::merge(WordClass& from, WordClass& into, const Word& shared) {
  const Angle phase = number_around(into, shared) + -number_around(from, shared);
  for (WordMember& member : from.members) {
    member.phase = member.phase + phase;
    into.members.push_back(std::move(member));
  }
  from.members.clear();
  put_in_order(into);
}

Angle Pruning::number_around(WordClass& equal, const Word& shared) {
  for (const WordMember& member : equal.members) {
    const CanonicalCircuit circuit = canonical_circuit(member.word, labels_);
    if (circuit.key != shared) continue;
    // The parameters that the circuit does not have take the names that follow.
    Substitution substitution = circuit.renaming->substitution;
    std::size_t next = substitution.size();
    for (const std::string& name : labels_.parameter_names(parameters_of(equal, labels_))) {
      if (substitution.contains(name)) continue;
      substitution.emplace(name, Angle::symbol(parameter_name(next++)));
    }
    const Angle phase = member.phase.substitute(substitution);
    relabel(equal, circuit.map, substitution, labels_);
    return phase;
  }
  throw InternalError("internal check failed: merged classes share a circuit");
}

/// Of the circuits that a relabelling turns into each other while it leaves the representative as
/// it is, the first one stays (upstream has this between classes only).
void Pruning::remove_relabelled_members() {
  for (WordClass& equal : classes_) {
    const Word& representative = equal.members.front().word;
    std::vector<std::pair<QubitMap, Renaming*>> symmetries;
    for_each_relabelling(
        qubits_of(equal, labels_), parameters_of(equal, labels_), labels_,
        [&](const QubitMap& map, Renaming& renaming) {
          if (relabelled(representative, map, renaming, labels_) == representative) {
            symmetries.emplace_back(map, &renaming);
          }
        });
    std::unordered_set<Word, WordHash> seen;  // the least circuit of each orbit
    for (WordMember& member : equal.members) {
      Word least = member.word;
      for (const auto& [map, renaming] : symmetries) {
        least = std::min(least, relabelled(member.word, map, *renaming, labels_));
      }
      member.stays = seen.insert(std::move(least)).second;
    }
  }
}

/// A rule holds for all values of its parameters, so it says nothing new if another one has bare
/// parameters where this one has expressions, "2*p0" or "p0+p1" or a constant (no upstream
/// counterpart: its rules are the same up to the numbers of parameters, or different).
void Pruning::remove_parameter_instances() {
  remove_where([&](const WordClass& equal, std::size_t number) {
    const Word& circuit = equal.members[number].word;
    const Word& representative = equal.members.front().word;
    const std::vector<Angle> expressions = expressions_of(circuit, representative);
    for (std::uint32_t chosen = 1; chosen < 1U << expressions.size(); ++chosen) {
      std::map<Angle, Angle> general;
      for (std::size_t i = 0; i < expressions.size(); ++i) {
        if ((chosen >> i & 1U) == 0) continue;
        general.emplace(expressions[i], Angle::symbol("any" + std::to_string(i)));
      }
      for (const ListedPair& pair :
           index().find(with_angles(circuit, general), with_angles(representative, general))) {
        const bool itself = &classes_[pair.equal_circuits] == &equal &&
                            (pair.first == number || pair.second == number);
        if (!itself && stay(pair)) return true;
      }
    }
    return false;
  });
}

/// The different angles of two circuits that are more than a parameter; not more than a few.
std::vector<Angle> Pruning::expressions_of(const Word& a, const Word& b) const {
  constexpr std::size_t most_expressions = 6;  // every subset of them is tried
  std::set<Angle> expressions;
  for (const Word* word : {&a, &b}) {
    for (const Letter letter : *word) {
      for (const Angle& angle : labels_.label(letter).angles) {
        if (expressions.size() < most_expressions && !is_bare_parameter(angle)) {
          expressions.insert(angle);
        }
      }
    }
  }
  return {expressions.begin(), expressions.end()};
}

/// With other angles in place of some.
Word Pruning::with_angles(const Word& word, const std::map<Angle, Angle>& replacements) {
  Word result;
  for (const Letter letter : word) {
    LabelTable::Label label = labels_.label(letter);
    for (Angle& angle : label.angles) {
      const auto replacement = replacements.find(angle);
      if (replacement != replacements.end()) angle = replacement->second;
    }
    result.push_back(labels_.with_label(letter, label));
  }
  return result;
}

/// Upstream's common subcircuit pruning (arXiv 2204.09033): circuits that begin or end with the
/// same gate, modulo commutation, are equal because the rests are. Here the rests' equality must be
/// listed, so that nothing rests on an assumption about how the classes were enumerated.
void Pruning::remove_common_subcircuits() {
  remove_where([&](const WordClass& equal, std::size_t number) {
    for (const bool first : {true, false}) {
      const std::vector<Rest> rests = rests_of(equal.members[number].word, first);
      for (std::size_t other = 0; other < number; ++other) {
        if (!equal.members[other].stays) continue;
        for (const Rest& theirs : rests_of(equal.members[other].word, first)) {
          for (const Rest& ours : rests) {
            if (ours.gate == theirs.gate && !index().find(ours.word, theirs.word).empty()) {
              return true;
            }
          }
        }
      }
    }
    return false;
  });
}

/// What is left without one of the first (or last) gates.
std::vector<Pruning::Rest> Pruning::rests_of(const Word& word, bool first) const {
  const Dependence dependence(word, labels_);
  std::vector<Rest> rests;
  for (std::size_t i = 0; i < word.size(); ++i) {
    bool outermost = !first || dependence.before(i) == 0;
    for (std::size_t j = i + 1; j < word.size() && !first; ++j) {
      outermost = outermost && (dependence.before(j) >> i & 1U) == 0;
    }
    if (!outermost) continue;
    Word rest = word;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    // A search finds connected circuits only: what was connected must be so without the gate.
    if (connected(word) && !connected(rest)) continue;
    rests.push_back({word[i], normal_form(rest, labels_)});
  }
  return rests;
}

bool Pruning::connected(const Word& word) const {
  return Dependence(word, labels_).connected((std::uint32_t{1} << word.size()) - 1);
}

/// Upstream's redundancy (RepGen keeps a circuit only if its first and its last gate can be taken
/// off a representative), in full: a circuit goes if rules between shorter circuits, applied to
/// windows of it, lead to an earlier circuit of its class.
void Pruning::remove_derivable_members() {
  remove_where([&](const WordClass& equal, std::size_t number) {
    return follows_from_shorter_rules(equal, number);
  });
}

bool Pruning::follows_from_shorter_rules(const WordClass& equal, std::size_t number) {
  constexpr std::size_t most_circuits = 300;  // a longer search finds hardly any more
  const Word& start = equal.members[number].word;
  std::unordered_set<Word, WordHash> targets;
  for (std::size_t i = 0; i < number; ++i) {
    if (equal.members[i].stays) targets.insert(equal.members[i].word);
  }
  std::unordered_set<Word, WordHash> seen{start};
  std::vector<Word> queue{start};
  for (std::size_t next = 0; next < queue.size() && queue.size() < most_circuits; ++next) {
    for (Word& word : rewritten(queue[next], start.size())) {
      if (targets.contains(word)) return true;
      if (seen.insert(word).second) queue.push_back(std::move(word));
    }
  }
  return false;
}

/// The circuits of up to `size` gates that one rule between circuits of fewer gates leads to.
std::vector<Word> Pruning::rewritten(const Word& word, std::size_t size) {
  std::vector<Word> results;
  const Dependence dependence(word, labels_);
  const std::uint32_t whole = (std::uint32_t{1} << word.size()) - 1;
  for (std::uint32_t subset = 1; subset <= whole; ++subset) {
    if (!dependence.connected(subset) || !dependence.convex(subset)) continue;
    Word window;
    Word before;
    Word after;
    for (std::size_t i = 0; i < word.size(); ++i) {
      const bool inside = (subset >> i & 1U) != 0;
      const bool follows = (dependence.before(i) & subset) != 0;
      (inside ? window : follows ? after : before).push_back(word[i]);
    }
    if (window.size() >= size) continue;
    for (const auto& replacement : index().replacements(normal_form(window, labels_))) {
      const std::size_t length = word.size() - window.size() + replacement.word.size();
      if (replacement.rule_size >= size || length > size) continue;
      Word result = before;
      result.insert(result.end(), replacement.word.begin(), replacement.word.end());
      result.insert(result.end(), after.begin(), after.end());
      results.push_back(normal_form(result, labels_));
    }
  }
  return results;
}

/// A class with one circuit left states nothing (upstream: remove_singletons).
void Pruning::remove_singletons() {
  for (WordClass& equal : classes_) {
    if (staying(equal) > 1) continue;
    for (WordMember& member : equal.members) member.stays = false;
  }
}

std::vector<EquivalenceClass> Pruning::result() {
  std::vector<WordClass> kept;
  for (const WordClass& equal : classes_) {
    WordClass rest;
    std::copy_if(equal.members.begin(), equal.members.end(), std::back_inserter(rest.members),
                 [](const WordMember& member) { return member.stays; });
    if (rest.members.empty()) continue;
    number_canonically(rest, labels_);
    kept.push_back(std::move(rest));
  }
  std::stable_sort(kept.begin(), kept.end(), comes_before_class);
  std::vector<EquivalenceClass> classes;
  for (const WordClass& equal : kept) {
    EquivalenceClass& written = classes.emplace_back();
    for (const WordMember& member : equal.members) {
      ClassMember& circuit = written.members.emplace_back();
      for (const Letter letter : member.word) circuit.gates.push_back(labels_.decode(letter));
      circuit.phase = member.phase.reduced_modulo(Rational(2));
    }
  }
  return classes;
}

struct Pass {
  std::string_view name;
  void (Pruning::*run)();
};

/// THE list of passes, in order: those that relabel, then those that take away what follows.
constexpr Pass passes[] = {
    {"duplicate circuits", &Pruning::remove_duplicates},
    {"relabelled classes", &Pruning::merge_relabelled_classes},
    {"relabelled circuits", &Pruning::remove_relabelled_members},
    {"parameter instances", &Pruning::remove_parameter_instances},
    {"common subcircuits", &Pruning::remove_common_subcircuits},
    {"derivable circuits", &Pruning::remove_derivable_members},
    {"single circuits", &Pruning::remove_singletons},
};

}  // namespace

PruneReport prune(RuleSet& rules) {
  Pruning pruning(rules);
  PruneReport report;
  for (const Pass& pass : passes) {
    const std::uint64_t circuits = pruning.circuit_count();
    const std::uint64_t classes = pruning.class_count();
    (pruning.*pass.run)();
    report.passes.push_back(
        {pass.name, circuits - pruning.circuit_count(), classes - pruning.class_count()});
  }
  rules.classes = pruning.result();
  return report;
}

}  // namespace quartz
