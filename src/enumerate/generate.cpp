#include "quartz/enumerate/generate.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "enumerate/checkpoint.hpp"
#include "enumerate/generation.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/parallel_for.hpp"
#include "rules/prune.hpp"

namespace quartz {
namespace {

class Stopwatch {
 public:
  /// Returns the seconds since construction or since the last call.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - start_).count();
    start_ = now;
    return seconds;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

bool same_classes(const enumerate::Enumeration& a, const enumerate::Enumeration& b) {
  return a.level_begin == b.level_begin && a.members == b.members;
}

}  // namespace

enumerate::ExactEnumeration enumerate::enumerate_exactly(const enumerate::Letters& letters,
                                                         const GenerateOptions& options,
                                                         const enumerate::GenerationParts& parts,
                                                         enumerate::ProgressReport& progress) {
  enumerate::EnumerationOptions how;
  how.gates = options.gates;
  how.threads = options.threads;
  how.seed.seed = options.seed;
  how.backend = options.backend;
  how.key_mask = parts.first_key_mask;
  how.stop = options.stop;
  how.on_progress = [&progress](const enumerate::EnumerationProgress& now) {
    progress.update([&](GenerateProgress& all) {
      all.phase = "enumerate";
      all.level = now.level;
      all.candidates = now.candidates;
      all.classes = now.classes;
    });
  };

  enumerate::ExactEnumeration result;
  std::optional<enumerate::Enumeration> doubted;
  for (;; ++how.seed.stream, how.key_mask = ~fingerprint::FingerprintKey{0}) {
    Stopwatch watch;
    result.enumeration = enumerate::enumerate_classes(letters, how);
    result.enumerate_seconds += watch.lap();
    result.phases =
        enumerate::find_phases({letters, result.enumeration, thread_count(options.threads),
                                progress, options.ranks, options.stop});
    result.phases_seconds += watch.lap();
    const auto failed = std::count(result.phases.begin(), result.phases.end(), std::nullopt);
    const bool confirmed = doubted && same_classes(*doubted, result.enumeration);
    if (doubted && !confirmed) ++result.collisions;
    // Two independent points agree on every class, so the failures are limits of exact arithmetic.
    if (failed == 0 || confirmed) return result;
    ensure(how.seed.stream < 8, "fingerprints at independent points agree in the end");
    doubted = std::move(result.enumeration);
  }
}

GenerateResult enumerate::generate_with(const enumerate::GenerationParts& parts, const GateSet& set,
                                        const GenerateOptions& options) {
  enumerate::require_enumerable(options.qubits);
  const enumerate::Letters letters =
      enumerate::make_letters(alphabet(set, options.qubits), options.qubits);
  enumerate::ProgressReport progress(options.on_progress);
  const bool first = own_rank(options.ranks) == 0;
  const std::unique_ptr<ProofCache> proofs = enumerate::open_proofs(
      first ? options.checkpoint : std::filesystem::path(), parts.make_prover);
  GenerateResult result;
  GenerateReport& report = result.report;

  const enumerate::ExactEnumeration exact =
      enumerate::enumerate_exactly(letters, options, parts, progress);
  report.circuits_enumerated = exact.enumeration.candidates + 1;
  report.classes_enumerated = exact.enumeration.representatives.size();
  report.fingerprint_collisions = exact.collisions;
  report.seconds.emplace_back("enumerate", exact.enumerate_seconds);
  report.seconds.emplace_back("phases", exact.phases_seconds);

  Stopwatch watch;
  const enumerate::EqualityWork work{letters,  exact.enumeration, thread_count(options.threads),
                                     progress, options.ranks,     options.stop};
  if (options.ranks != nullptr) {
    enumerate::share_proofs(work, exact.phases, parts.make_prover, options.proof_seconds, *proofs);
    if (!first) return result;
  }
  enumerate::ProvedEqualities equalities = enumerate::prove_equalities(
      work, exact.phases,
      enumerate::cached_provers(parts.make_prover, options.proof_seconds, *proofs));
  proofs->flush();
  report.proofs = equalities.summary;
  report.proofs_made = proofs->added();
  report.proofs_known = proofs->from_earlier_runs();
  report.unknown = std::move(equalities.unknown);
  report.seconds.emplace_back("prove", watch.lap());

  RuleSet& rules = result.rules;
  rules.gate_set = set.name;
  rules.gate_set_digest = set.digest;
  rules.gates = options.gates;
  rules.qubits = options.qubits;
  rules.parameters = set.alphabet.parameters;
  rules.seed = options.seed;
  rules.proofs = equalities.summary;
  rules.classes = enumerate::collect_classes(work, exact.phases, equalities.proved);
  if (options.stop.stop_requested()) throw Stopped("stopped before pruning the rules");
  progress.update([](GenerateProgress& all) {
    all.phase = "prune";
    all.seconds_left = -1;
  });
  static_cast<void>(rules::prune(rules, options.threads, options.stop));
  report.seconds.emplace_back("prune", watch.lap());
  report.classes = rules.classes.size();
  report.circuits = rules.circuit_count();
  report.rules = rules.rule_count();
  return result;
}

GenerateResult generate(const GateSet& set, const GenerateOptions& options) {
  return enumerate::generate_with({[&] { return make_z3_prover(options.proof_seconds); }}, set,
                                  options);
}

}  // namespace quartz
