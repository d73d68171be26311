#include "enumerate/prove_rule_set.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "enumerate/checkpoint.hpp"
#include "enumerate/shared_proofs.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"

namespace quartz {
namespace {

/// Passes each claim also to exact arithmetic, which shares no code with the prover. Throws
/// InternalError if the two contradict each other.
class CheckedProver final : public Prover {
 public:
  explicit CheckedProver(std::unique_ptr<Prover> prover)
      : prover_(std::move(prover)), exact_(make_exact_prover()) {}

  [[nodiscard]] std::string_view name() const override { return prover_->name(); }

  [[nodiscard]] ProofResult prove(const Claim& claim) override {
    ProofResult result = prover_->prove(claim);
    if (result.verdict == ProofVerdict::unknown) return result;
    const ProofResult check = exact_->prove(claim);
    if (check.verdict != ProofVerdict::unknown && check.verdict != result.verdict) {
      const bool proved = result.verdict == ProofVerdict::proved;
      throw InternalError(std::string(proved ? "proved by " : "refuted by ") + std::string(name()) +
                          (proved ? ", refuted" : ", proved") +
                          " by exact arithmetic: " + (proved ? check : result).witness);
    }
    return result;
  }

 private:
  std::unique_ptr<Prover> prover_;
  std::unique_ptr<Prover> exact_;
};

/// Returns the equalities of a rule set, those between the shortest circuits first.
std::vector<UnprovedEquality> equalities_of(const RuleSet& rules) {
  std::vector<UnprovedEquality> equalities;
  for (std::size_t i = 0; i < rules.classes.size(); ++i) {
    for (std::size_t k = 1; k < rules.classes[i].members.size(); ++k) {
      equalities.push_back({i, k, {}});
    }
  }
  const auto gates = [&](const UnprovedEquality& equality) {
    const std::vector<ClassMember>& members = rules.classes[equality.class_index].members;
    return members[0].gates.size() + members[equality.member_index].gates.size();
  };
  std::stable_sort(
      equalities.begin(), equalities.end(),
      [&](const UnprovedEquality& a, const UnprovedEquality& b) { return gates(a) < gates(b); });
  return equalities;
}

}  // namespace

ProveReport enumerate::prove_rule_set_with(const enumerate::ProverFactory& make_prover,
                                           const RuleSet& rules, const ProveOptions& options) {
  std::vector<UnprovedEquality> equalities = equalities_of(rules);
  const bool first = own_rank(options.ranks) == 0;
  const std::unique_ptr<ProofCache> proofs =
      enumerate::open_proofs(first ? options.checkpoint : std::filesystem::path(), make_prover);
  const enumerate::ProverFactory make_checked = [&] {
    return std::make_unique<CheckedProver>(make_prover());
  };
  enumerate::ProgressReport progress(options.on_progress);
  progress.update([&](GenerateProgress& now) { now.classes = rules.classes.size(); });
  const auto claim_of = [&](std::size_t i) -> Claim {
    const std::vector<ClassMember>& members = rules.classes[equalities[i].class_index].members;
    const ClassMember& member = members[equalities[i].member_index];
    // Both phases are relative to the same circuit; the representative's own phase is zero.
    return {members[0].gates, member.gates, rules.qubits, member.phase};
  };
  const enumerate::ProofWork work{equalities.size(), thread_count(options.threads), progress,
                                  options.stop};
  ProveReport report;
  if (options.ranks != nullptr) {
    enumerate::share_proofs(
        *options.ranks, work, [&](std::size_t i, const auto& use) { use(claim_of(i)); },
        make_checked, options.proof_seconds, *proofs);
    if (!first) return report;
  }
  report.tried = equalities.size();
  report.method = enumerate::prove_all(
      work, enumerate::cached_provers(make_checked, options.proof_seconds, *proofs),
      [&](Prover& prover, std::size_t i) { equalities[i].result = prover.prove(claim_of(i)); });
  proofs->flush();
  report.proofs_made = proofs->added();
  report.proofs_known = proofs->from_earlier_runs();
  std::sort(equalities.begin(), equalities.end(),
            [](const UnprovedEquality& a, const UnprovedEquality& b) {
              return std::pair(a.class_index, a.member_index) <
                     std::pair(b.class_index, b.member_index);
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
  return enumerate::prove_rule_set_with([&] { return make_z3_prover(options.proof_seconds); },
                                        rules, options);
}

}  // namespace quartz
