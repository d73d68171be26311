#pragma once

#include <filesystem>
#include <memory>

#include "enumerate/proofs.hpp"
#include "quartz/verify/proof_cache.hpp"

namespace quartz {

/// What was proved, in the file `proofs` of a folder, which is made if it is not there; an empty
/// path: in memory only. Throws InputError as ProofCache does, and if the folder cannot be made.
[[nodiscard]] std::unique_ptr<ProofCache> open_proofs(const std::filesystem::path& folder,
                                                      const ProverFactory& make_prover);

/// Provers with such a limit that share the cache. Claims that differ only by the names of qubits
/// and parameters, of which an enumeration finds many, are proved once.
[[nodiscard]] ProverFactory cached_provers(ProverFactory make_prover, double seconds,
                                           ProofCache& proofs);

}  // namespace quartz
