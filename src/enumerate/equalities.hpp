#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "enumerate/letters.hpp"
#include "enumerate/progress_report.hpp"
#include "enumerate/proofs.hpp"
#include "enumerate/repgen.hpp"
#include "enumerate/shared_proofs.hpp"
#include "quartz/rules/rule_set.hpp"
#include "quartz/verify/prover.hpp"

namespace quartz {

/// What work on every equality of an enumeration shares.
struct EqualityWork {
  const Letters& letters;
  const Enumeration& enumeration;
  unsigned threads = 1;
  ProgressReport& progress;
  Communicator* ranks = nullptr;  ///< null: this process alone
  std::stop_token stop;
};

/// For each member of the enumeration, in order: the phase with which it is its representative,
/// found in exact arithmetic; nothing where exact arithmetic does not find one. Ranks share the
/// work, and all get the result. Throws Error if stopped.
[[nodiscard]] std::vector<std::optional<Angle>> find_phases(const EqualityWork& work);

struct ProvedEqualities {
  std::vector<bool> proved;  ///< for each member of the enumeration
  ProofSummary summary;
  std::vector<UnknownEquality> unknown;  ///< in the order of the members
};

/// Proves every equality whose phase is known with the other ranks' help, so that the first one
/// finds the proofs in its cache. `work.ranks` is not null.
void share_proofs(const EqualityWork& work, const std::vector<std::optional<Angle>>& phases,
                  const ProverFactory& make_prover, double seconds, ProofCache& proofs);

/// Proves every equality, each thread with a prover of its own. What has no phase counts as
/// unknown. Throws InternalError if the prover refutes what exact arithmetic found, Error if
/// stopped.
[[nodiscard]] ProvedEqualities prove_equalities(const EqualityWork& work,
                                                const std::vector<std::optional<Angle>>& phases,
                                                const ProverFactory& make_prover);

/// The classes with two circuits or more, in canonical order, as are the circuits of each.
[[nodiscard]] std::vector<EquivalenceClass> collect_classes(
    const EqualityWork& work, const std::vector<std::optional<Angle>>& phases,
    const std::vector<bool>& proved);

}  // namespace quartz
