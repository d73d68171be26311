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

namespace quartz::enumerate {

/// Common input of all operations on the equalities of an enumeration.
struct EqualityWork {
  const Letters& letters;
  const Enumeration& enumeration;
  unsigned threads = 1;
  ProgressReport& progress;
  Communicator* ranks = nullptr;  ///< null if there is only this process
  std::stop_token stop;
};

/// Finds, for each member of the enumeration in order, the phase with which it equals its
/// representative, in exact arithmetic; nothing where exact arithmetic finds none. Ranks share the
/// work, and all get the result. Throws Stopped once a stop is requested.
[[nodiscard]] std::vector<std::optional<Angle>> find_phases(const EqualityWork& work);

struct ProvedEqualities {
  std::vector<bool> proved;  ///< one entry for each member of the enumeration
  ProofSummary summary;
  std::vector<UnknownEquality> unknown;  ///< in the order of the members
};

/// Proves every equality whose phase is known with the help of the other ranks, so that the first
/// rank finds the proofs in its cache. `work.ranks` must not be null.
void share_proofs(const EqualityWork& work, const std::vector<std::optional<Angle>>& phases,
                  const ProverFactory& make_prover, double seconds, ProofCache& proofs);

/// Proves every equality; each thread has its own prover. Equalities without a phase count as
/// unknown. Throws InternalError if the prover refutes a result of exact arithmetic, and Stopped
/// once a stop is requested.
[[nodiscard]] ProvedEqualities prove_equalities(const EqualityWork& work,
                                                const std::vector<std::optional<Angle>>& phases,
                                                const ProverFactory& make_prover);

/// Returns the classes with at least two circuits. Classes and their circuits are in canonical
/// order.
[[nodiscard]] std::vector<EquivalenceClass> collect_classes(
    const EqualityWork& work, const std::vector<std::optional<Angle>>& phases,
    const std::vector<bool>& proved);

}  // namespace quartz::enumerate
