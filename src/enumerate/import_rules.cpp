#include "quartz/enumerate/import_rules.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "enumerate/progress_report.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz {
namespace {

constexpr std::size_t kImportedClassesAtOnce = 16;

/// The origin of a member of a rule set.
struct Origin {
  std::size_t class_index = 0;
  std::size_t member_index = 0;
};

/// Classes whose phases are known, and the origins of their circuits.
struct Phased {
  std::vector<EquivalenceClass> classes;
  std::vector<std::vector<Origin>> origins;  ///< one for each member of each class
  std::vector<UnprovedCircuit> unproved;
};

/// A class with the phases that were found.
struct PhasedClass {
  EquivalenceClass equal;
  std::vector<Origin> origins;
  std::vector<UnprovedCircuit> unproved;
};

/// Compares the circuits of a class with its shortest one, which becomes the representative.
PhasedClass find_phases(const EccSet& source, std::size_t class_index) {
  const std::vector<std::vector<Operation>>& circuits = source.classes[class_index];
  PhasedClass result;
  if (circuits.size() < 2) return result;
  const auto shortest =
      std::min_element(circuits.begin(), circuits.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const auto representative = static_cast<std::size_t>(shortest - circuits.begin());
  result.equal.members.push_back({*shortest, {}});
  result.origins.push_back({class_index, representative});
  for (std::size_t i = 0; i < circuits.size(); ++i) {
    if (i == representative) continue;
    std::optional<Angle> phase = exact_relative_phase(*shortest, circuits[i], source.qubits);
    if (phase) {
      result.equal.members.push_back({circuits[i], std::move(*phase)});
      result.origins.push_back({class_index, i});
    } else {
      result.unproved.push_back(
          {class_index, i, "not equal, or beyond the integers of exact arithmetic"});
    }
  }
  return result;
}

Phased find_all_phases(const EccSet& source, const ProveOptions& options) {
  enumerate::ProgressReport progress(options.on_progress);
  std::vector<PhasedClass> found(source.classes.size());
  parallel_for(thread_count(options.threads), found.size(), kImportedClassesAtOnce,
               [&](unsigned, std::size_t begin, std::size_t end) {
                 if (options.stop.stop_requested()) throw Stopped("stopped while finding phases");
                 for (std::size_t i = begin; i < end; ++i) found[i] = find_phases(source, i);
                 progress.update([&](GenerateProgress& now) {
                   now.phase = "phases";
                   now.classes += end - begin;
                 });
               });
  Phased result;
  for (PhasedClass& each : found) {
    std::move(each.unproved.begin(), each.unproved.end(), std::back_inserter(result.unproved));
    if (each.equal.members.size() < 2) continue;
    result.classes.push_back(std::move(each.equal));
    result.origins.push_back(std::move(each.origins));
  }
  return result;
}

/// Removes the circuits that were not proved, and classes of single circuits.
void remove_unproved(RuleSet& rules, const std::vector<UnprovedEquality>& unproved) {
  for (auto each = unproved.rbegin(); each != unproved.rend(); ++each) {
    std::vector<ClassMember>& members = rules.classes[each->class_index].members;
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(each->member_index));
  }
  std::erase_if(rules.classes,
                [](const EquivalenceClass& equal) { return equal.members.size() < 2; });
}

}  // namespace

ImportResult import_rules(const EccSet& source, const GateSet& set, const ProveOptions& options) {
  if (rank_count(options.ranks) > 1) throw UsageError("rules are imported by one process");
  Phased phased = find_all_phases(source, options);
  ImportResult result;
  for (const auto& circuits : source.classes) result.report.circuits_read += circuits.size();
  RuleSet& rules = result.rules;
  rules.gate_set = set.name;
  rules.gate_set_digest = set.digest;
  rules.qubits = source.qubits;
  rules.parameters = source.parameters;
  rules.classes = std::move(phased.classes);
  rules.gates = rules.most_gates();
  const ProveReport proved = prove_rule_set(rules, options);
  result.report.unproved = std::move(phased.unproved);
  for (const UnprovedEquality& each : proved.unproved) {
    const Origin& origin = phased.origins[each.class_index][each.member_index];
    result.report.unproved.push_back(
        {origin.class_index, origin.member_index, each.result.witness});
  }
  std::sort(result.report.unproved.begin(), result.report.unproved.end(),
            [](const UnprovedCircuit& a, const UnprovedCircuit& b) {
              return std::pair(a.class_index, a.member_index) <
                     std::pair(b.class_index, b.member_index);
            });
  remove_unproved(rules, proved.unproved);
  rules.proofs = {.method = proved.method,
                  .tried = proved.proved + result.report.unproved.size(),
                  .proved = proved.proved,
                  .unknown = result.report.unproved.size()};
  result.report.proofs = rules.proofs;
  return result;
}

}  // namespace quartz
