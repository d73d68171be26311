#include "rules/prune.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"
#include "rules/class_merging.hpp"
#include "rules/class_numbering.hpp"
#include "rules/equality_index.hpp"
#include "rules/for_each_labelled.hpp"

namespace quartz::rules {
namespace {

using namespace words;

/// Number of circuits that one thread checks with one cache of replacements.
constexpr std::size_t kDerivedTogether = 128;

void add_labels(const EquivalenceClass& equal, GateLabels& labels) {
  for (const ClassMember& member : equal.members) {
    for (const Operation& operation : member.gates) {
      static_cast<void>(labels.number(operation.gate, operation.angles));
    }
  }
}

/// Adds the labels that result from renaming the parameters of a label to different ones of the
/// first `count` parameters. Those of a substitution are renamed already.
void add_renamed(const GateLabels::Label& label, std::span<const std::string> names,
                 std::size_t count, Substitution& substitution,
                 std::set<GateLabels::Label>& renamed) {
  if (names.empty()) {
    GateLabels::Label result = label;
    for (Angle& angle : result.angles) angle = angle.substitute(substitution);
    renamed.insert(std::move(result));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Angle parameter = Angle::symbol(parameter_name(i));
    const bool is_taken = std::ranges::any_of(
        substitution, [&](const auto& each) { return each.second == parameter; });
    if (is_taken) continue;
    substitution.insert_or_assign(names.front(), parameter);
    add_renamed(label, names.subspan(1), count, substitution, renamed);
    substitution.erase(names.front());
  }
}

/// Numbers labels in the order of gates and angles, so that the order of words is the same in every
/// rule set. Includes the labels that result from renaming parameters.
void number_labels(std::span<const GateLabels> tables, GateLabels& labels) {
  std::set<GateLabels::Label> found;
  // A separate table whose numbers do not matter.
  GateLabels any_order;
  ParameterMask all = 0;
  for (const GateLabels& table : tables) {
    for (std::size_t i = 0; i < table.size(); ++i) {
      const GateLabels::Label& label = table.label(Letter{i} << 48U);
      all |= any_order.parameters(any_order.with_label(0, label));
      found.insert(label);
    }
  }
  const std::size_t count = any_order.parameter_names(all).size();
  std::set<GateLabels::Label> renamed = found;
  for (const GateLabels::Label& label : found) {
    const ParameterMask own = any_order.parameters(any_order.with_label(0, label));
    Substitution substitution;
    add_renamed(label, any_order.parameter_names(own), count, substitution, renamed);
  }
  for (const GateLabels::Label& label : renamed) static_cast<void>(labels.number(label));
}

std::size_t staying(const WordClass& equal) {
  return static_cast<std::size_t>(
      std::count_if(equal.members.begin(), equal.members.end(),
                    [](const WordMember& member) { return member.stays; }));
}

bool is_bare_parameter(const Angle& angle) {
  return angle.terms().size() == 1 && !angle.is_constant() &&
         angle == Angle::symbol(angle.terms()[0].symbol);
}

/// The passes and their common data. Each pass removes only what follows from what remains at that
/// moment, so the order of passes affects only the size of the result.
class Pruning {
 public:
  /// Takes ownership of the circuits, because there are many of them and all threads free them.
  Pruning(std::vector<EquivalenceClass> classes, unsigned threads, std::stop_token stop);

  void remove_duplicates();
  void merge_relabelled_classes();
  void remove_relabelled_members();
  void remove_parameter_instances();
  void remove_common_subcircuits();
  void remove_derivable_members();
  void remove_singletons();

  /// Throws Stopped.
  void throw_if_stopped() const {
    if (stop_.stop_requested()) throw Stopped("stopped while pruning the rules");
  }

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
  /// A circuit that may be removed.
  struct Place {
    std::size_t equal_circuits;
    std::size_t member;
  };
  /// A circuit without one of its outermost gates.
  struct Rest {
    Letter gate;
    Word word;
    const ListedCircuit* listed;
  };
  struct Rests {
    std::vector<Rest> without_first;
    std::vector<Rest> without_last;
  };

  /// Calls body(i, labels) for all i below count, on all threads. Throws Stopped.
  template <typename Body>
  void for_each(std::size_t count, Body&& body) const {
    for_each_labelled(threads_, labels_, count, [&](std::size_t i, GateLabels& labels) {
      throw_if_stopped();
      body(i, labels);
    });
  }

  /// Returns every remaining circuit except the representatives, the longest ones first. So a pass
  /// reaches a circuit only after all later ones of its class.
  [[nodiscard]] std::vector<Place> places() const;
  [[nodiscard]] bool stay(const ListedPair& pair) const {
    const auto& members = classes_[pair.equal_circuits].members;
    return members[pair.first].stays && members[pair.second].stays;
  }
  /// Removes the circuits for which follows[i] is not zero.
  void remove(std::span<const Place> places, std::span<const char> follows);

  [[nodiscard]] std::optional<ListedPair> general_rule(const Place& place,
                                                       GateLabels& labels) const;
  [[nodiscard]] std::vector<Rest> rests_of(const Word& word, bool first, GateLabels& labels) const;
  [[nodiscard]] bool has_common_subcircuit(const Place& place,
                                           std::span<const std::vector<Rests>> rests,
                                           GateLabels& labels) const;
  [[nodiscard]] bool follows_from_shorter_rules(const Place& place, Replacements& replacements,
                                                const GateLabels& labels) const;

  unsigned threads_;
  std::stop_token stop_;
  GateLabels labels_;
  std::vector<WordClass> classes_;
  std::optional<EqualityIndex> index_;  ///< the listed equalities, after the classes are merged
};

Pruning::Pruning(std::vector<EquivalenceClass> classes, unsigned threads, std::stop_token stop)
    : threads_(threads), stop_(std::move(stop)), classes_(classes.size()) {
  std::vector<GateLabels> found(threads_);
  parallel_for(threads_, classes.size(), 64,
               [&](unsigned worker, std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) add_labels(classes[i], found[worker]);
               });
  number_labels(found, labels_);
  for_each_within_labels(threads_, labels_, classes.size(), [&](std::size_t i, GateLabels& labels) {
    const std::vector<ClassMember> members = std::move(classes[i].members);
    classes_[i].members.reserve(members.size());
    for (const ClassMember& member : members) {
      Word word;
      for (const Operation& operation : member.gates) word.push_back(labels.encode(operation));
      classes_[i].members.push_back({normal_form(word, labels), member.phase});
    }
  });
}

std::vector<Pruning::Place> Pruning::places() const {
  std::vector<Place> places;
  for (std::size_t i = classes_.size(); i-- > 0;) {
    const auto& members = classes_[i].members;
    for (std::size_t j = members.size(); j-- > 1;) {
      if (members[j].stays) places.push_back({i, j});
    }
  }
  const auto size_of = [&](const Place& place) {
    return classes_[place.equal_circuits].members[place.member].word.size();
  };
  std::stable_sort(places.begin(), places.end(),
                   [&](const Place& a, const Place& b) { return size_of(a) > size_of(b); });
  return places;
}

void Pruning::remove(std::span<const Place> places, std::span<const char> follows) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (follows[i] != 0) classes_[places[i].equal_circuits].members[places[i].member].stays = false;
  }
}

/// Merges circuits that differ only in the order of gates on different qubits (upstream: canonical
/// representation, RepGen's sequences).
void Pruning::remove_duplicates() {
  for_each(classes_.size(), [&](std::size_t i, GateLabels&) { put_in_order(classes_[i]); });
}

/// Merges classes that differ only in names (upstream: remove_unused_qubits,
/// remove_qubit_permutations and remove_parameter_permutations).
void Pruning::merge_relabelled_classes() {
  merge_relabelled(classes_, labels_, threads_);
  index_.emplace(classes_, labels_, threads_);
}

/// Among circuits that a relabelling maps to each other while it leaves the representative
/// unchanged, keeps the first one (upstream does this only between classes).
void Pruning::remove_relabelled_members() {
  for_each(classes_.size(), [&](std::size_t i, GateLabels& labels) {
    WordClass& equal = classes_[i];
    const Word& representative = equal.members.front().word;
    Relabellings symmetries =
        relabellings(qubits_of(equal, labels), parameters_of(equal, labels), labels);
    std::erase_if(symmetries, [&](const Relabelling& relabelling) {
      return relabelled(representative, relabelling, labels) != representative;
    });
    std::unordered_set<Word, WordHash> seen;  // the least circuit of each orbit
    for (WordMember& member : equal.members) {
      Relabellings candidates = symmetries;
      member.stays = seen.insert(keep_least(member.word, candidates, labels)).second;
    }
  });
}

/// Returns the different angles of two circuits that are more than a parameter, up to a limit.
std::vector<Angle> expressions_of(const Word& a, const Word& b, const GateLabels& labels) {
  constexpr std::size_t kMaxExpressions = 6;  // every subset of them is tried
  std::set<Angle> expressions;
  for (const Word* word : {&a, &b}) {
    for (const Letter letter : *word) {
      for (const Angle& angle : labels.label(letter).angles) {
        if (expressions.size() < kMaxExpressions && !is_bare_parameter(angle)) {
          expressions.insert(angle);
        }
      }
    }
  }
  return {expressions.begin(), expressions.end()};
}

/// Returns the word with some angles replaced.
Word with_angles(const Word& word, const std::map<Angle, Angle>& replacements, GateLabels& labels) {
  Word result;
  for (const Letter letter : word) {
    GateLabels::Label label = labels.label(letter);
    for (Angle& angle : label.angles) {
      const auto replacement = replacements.find(angle);
      if (replacement != replacements.end()) angle = replacement->second;
    }
    result.push_back(labels.with_label(letter, label));
  }
  return result;
}

/// A rule holds for all values of its parameters, so it is redundant if another rule has bare
/// parameters where this one has expressions such as "2*p0", "p0+p1" or a constant (no upstream
/// counterpart: its rules are the same up to the numbering of parameters, or different).
void Pruning::remove_parameter_instances() {
  const std::vector<Place> all = places();
  // All threads first search as if no circuit were removed: a place without a rule then has none
  // later either, and a rule that is found nearly always remains.
  std::vector<std::optional<ListedPair>> rules(all.size());
  for_each(all.size(),
           [&](std::size_t i, GateLabels& labels) { rules[i] = general_rule(all[i], labels); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    throw_if_stopped();
    if (rules[i] && !stay(*rules[i])) rules[i] = general_rule(all[i], labels_);
    if (rules[i]) classes_[all[i].equal_circuits].members[all[i].member].stays = false;
  }
}

/// Returns a remaining pair of which the circuit's equality with the representative is an instance.
std::optional<ListedPair> Pruning::general_rule(const Place& place, GateLabels& labels) const {
  const WordClass& equal = classes_[place.equal_circuits];
  const Word& circuit = equal.members[place.member].word;
  const Word& representative = equal.members.front().word;
  const std::vector<Angle> expressions = expressions_of(circuit, representative, labels);
  const auto accept = [&](const ListedPair& pair) {
    const bool itself = pair.equal_circuits == place.equal_circuits &&
                        (pair.first == place.member || pair.second == place.member);
    return !itself && stay(pair);
  };
  for (std::uint32_t chosen = 1; chosen < 1U << expressions.size(); ++chosen) {
    std::map<Angle, Angle> general;
    for (std::size_t i = 0; i < expressions.size(); ++i) {
      if ((chosen >> i & 1U) == 0) continue;
      general.emplace(expressions[i], Angle::symbol("any" + std::to_string(i)));
    }
    const Word left = with_angles(circuit, general, labels);
    const ListedCircuit* const listed_left = index_->listed(left, labels);
    if (listed_left == nullptr) continue;
    const Word right = with_angles(representative, general, labels);
    const auto found =
        index_->find(left, listed_left, right, index_->listed(right, labels), labels, accept);
    if (found) return found;
  }
  return std::nullopt;
}

/// Upstream's common subcircuit pruning (arXiv 2204.09033): circuits that begin or end with the
/// same gate, modulo commutation, are equal because the remainders are. Here the equality of the
/// remainders must be listed, so that the pass does not rely on how the classes were enumerated.
void Pruning::remove_common_subcircuits() {
  std::vector<std::vector<Rests>> rests(classes_.size());
  for_each(classes_.size(), [&](std::size_t i, GateLabels& labels) {
    for (const WordMember& member : classes_[i].members) {
      Rests& own = rests[i].emplace_back();
      if (!member.stays) continue;
      own = {rests_of(member.word, true, labels), rests_of(member.word, false, labels)};
    }
  });
  const std::vector<Place> all = places();
  std::vector<char> follows(all.size(), 0);  // threads cannot write to a vector<bool> at once
  for_each(all.size(), [&](std::size_t i, GateLabels& labels) {
    follows[i] = has_common_subcircuit(all[i], rests, labels) ? 1 : 0;
  });
  remove(all, follows);
}

bool is_connected(const Word& word, const GateLabels& labels) {
  return Dependence(word, labels).connected((std::uint32_t{1} << word.size()) - 1);
}

/// Returns the word without each of its first (or last) gates in turn.
std::vector<Pruning::Rest> Pruning::rests_of(const Word& word, bool first,
                                             GateLabels& labels) const {
  const Dependence dependence(word, labels);
  std::vector<Rest> rests;
  for (std::size_t i = 0; i < word.size(); ++i) {
    bool outermost = !first || dependence.before(i) == 0;
    for (std::size_t j = i + 1; j < word.size() && !first; ++j) {
      outermost = outermost && (dependence.before(j) >> i & 1U) == 0;
    }
    if (!outermost) continue;
    Word rest = word;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    // A search finds connected circuits only, so a connected word must remain connected.
    if (is_connected(word, labels) && !is_connected(rest, labels)) continue;
    rest = normal_form(rest, labels);
    const ListedCircuit* const listed = index_->listed(rest, labels);
    rests.push_back({word[i], std::move(rest), listed});
  }
  return rests;
}

bool Pruning::has_common_subcircuit(const Place& place, std::span<const std::vector<Rests>> rests,
                                    GateLabels& labels) const {
  const std::vector<WordMember>& members = classes_[place.equal_circuits].members;
  const auto are_equal = [&](const Rest& ours, const Rest& theirs) {
    if (ours.gate != theirs.gate) return false;
    const auto accept = [](const ListedPair&) { return true; };
    return index_->find(ours.word, ours.listed, theirs.word, theirs.listed, labels, accept)
        .has_value();
  };
  for (const auto end : {&Rests::without_first, &Rests::without_last}) {
    for (std::size_t other = 0; other < place.member; ++other) {
      if (!members[other].stays) continue;
      for (const Rest& theirs : rests[place.equal_circuits][other].*end) {
        for (const Rest& ours : rests[place.equal_circuits][place.member].*end) {
          if (are_equal(ours, theirs)) return true;
        }
      }
    }
  }
  return false;
}

/// Upstream's redundancy (RepGen keeps a circuit only if removing its first and its last gate
/// leaves a representative), generalized: a circuit is removed if rules between shorter circuits,
/// applied to windows of it, lead to an earlier circuit of its class.
void Pruning::remove_derivable_members() {
  const std::vector<Place> all = places();
  std::vector<char> follows(all.size(), 0);
  parallel_for(threads_, all.size(), kDerivedTogether,
               [&](unsigned, std::size_t begin, std::size_t end) {
                 // Rewriting creates labels, and their numbers influence which circuits are
                 // examined, so they must not depend on what the thread did before.
                 GateLabels labels = labels_;
                 Replacements replacements(*index_, labels);
                 for (std::size_t i = begin; i < end; ++i) {
                   throw_if_stopped();
                   follows[i] = follows_from_shorter_rules(all[i], replacements, labels) ? 1 : 0;
                 }
               });
  remove(all, follows);
}

/// Returns the circuits of up to `size` gates that one rule between circuits of fewer gates gives.
std::vector<Word> rewritten(const Word& word, std::size_t size, Replacements& replacements,
                            const GateLabels& labels) {
  std::vector<Word> results;
  const Dependence dependence(word, labels);
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
    for (const auto& replacement : replacements.of(normal_form(window, labels))) {
      const std::size_t length = word.size() - window.size() + replacement.word.size();
      if (replacement.rule_size >= size || length > size) continue;
      Word result = before;
      result.insert(result.end(), replacement.word.begin(), replacement.word.end());
      result.insert(result.end(), after.begin(), after.end());
      results.push_back(normal_form(result, labels));
    }
  }
  return results;
}

bool Pruning::follows_from_shorter_rules(const Place& place, Replacements& replacements,
                                         const GateLabels& labels) const {
  constexpr std::size_t kMaxCircuits = 300;  // longer searches find hardly anything more
  const std::vector<WordMember>& members = classes_[place.equal_circuits].members;
  const Word& start = members[place.member].word;
  std::unordered_set<Word, WordHash> targets;
  for (std::size_t i = 0; i < place.member; ++i) {
    if (members[i].stays) targets.insert(members[i].word);
  }
  std::unordered_set<Word, WordHash> seen{start};
  std::vector<Word> queue{start};
  for (std::size_t next = 0; next < queue.size() && queue.size() < kMaxCircuits; ++next) {
    for (Word& word : rewritten(queue[next], start.size(), replacements, labels)) {
      if (targets.contains(word)) return true;
      if (seen.insert(word).second) queue.push_back(std::move(word));
    }
  }
  return false;
}

/// A class with a single circuit states no equality (upstream: remove_singletons).
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

/// The list of passes, in order: those that relabel, then those that remove what follows.
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

PruneReport prune(RuleSet& rules, unsigned threads, std::stop_token stop) {
  Pruning pruning(std::move(rules.classes), thread_count(threads), std::move(stop));
  PruneReport report;
  for (const Pass& pass : passes) {
    const std::uint64_t circuits = pruning.circuit_count();
    const std::uint64_t classes = pruning.class_count();
    pruning.throw_if_stopped();
    (pruning.*pass.run)();
    report.passes.push_back(
        {pass.name, circuits - pruning.circuit_count(), classes - pruning.class_count()});
  }
  rules.classes = pruning.result();
  return report;
}

}  // namespace quartz::rules
