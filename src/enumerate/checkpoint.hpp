#pragma once

#include <filesystem>
#include <memory>

#include "enumerate/proofs.hpp"
#include "quartz/verify/proof_cache.hpp"

namespace quartz::enumerate {

/// Opens the proofs kept in the file `proofs` of a folder, which is created if it does not exist.
/// An empty path keeps proofs in memory only. Throws InputError like ProofCache, and if the folder
/// cannot be created.
[[nodiscard]] std::unique_ptr<ProofCache> open_proofs(const std::filesystem::path& folder,
                                                      const ProverFactory& make_prover);

/// Returns a factory of provers with this time limit that share the cache. Claims that differ only
/// in the names of qubits and parameters, of which an enumeration finds many, are proved once.
[[nodiscard]] ProverFactory cached_provers(ProverFactory make_prover, double seconds,
                                           ProofCache& proofs);

}  // namespace quartz::enumerate
