#include "enumerate/prove_rule_set.hpp"

#include <utility>

#include "fingerprint/parallel_for.hpp"

namespace quartz {

ProveReport prove_rule_set_with(const ProverFactory& make_prover, const RuleSet& rules,
                                const ProveOptions& options) {
  std::vector<UnprovedEquality> equalities;
  for (std::size_t i = 0; i < rules.classes.size(); ++i) {
    for (std::size_t k = 1; k < rules.classes[i].members.size(); ++k) {
      equalities.push_back({i, k, {}});
    }
  }
  ProgressReport progress(options.on_progress);
  progress.update([&](GenerateProgress& now) { now.classes = rules.classes.size(); });
  ProveReport report;
  report.tried = equalities.size();
  report.method = prove_all(
      {equalities.size(), thread_count(options.threads), progress, options.stop}, make_prover,
      [&](Prover& prover, std::size_t i) {
        const std::vector<ClassMember>& members = rules.classes[equalities[i].class_index].members;
        const ClassMember& member = members[equalities[i].member_index];
        // Both phases are over the same circuit; a representative's own is zero.
        equalities[i].result =
            prover.prove({members[0].gates, member.gates, rules.qubits, member.phase});
      });
  for (UnprovedEquality& equality : equalities) {
    switch (equality.result.verdict) {
      case ProofVerdict::proved:
        ++report.proved;
        continue;
      case ProofVerdict::unknown:
        ++report.unknown;
        break;
      case ProofVerdict::refuted:
        ++report.refuted;
        break;
    }
    report.unproved.push_back(std::move(equality));
  }
  return report;
}

ProveReport prove_rule_set(const RuleSet& rules, const ProveOptions& options) {
  return prove_rule_set_with([&] { return make_z3_prover(options.proof_seconds); }, rules, options);
}

}  // namespace quartz
