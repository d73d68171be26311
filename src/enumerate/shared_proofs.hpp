#pragma once

#include <cstddef>
#include <functional>

#include "enumerate/proofs.hpp"
#include "quartz/communicator.hpp"
#include "quartz/verify/proof_cache.hpp"

namespace quartz {

/// The claims of some work, the same on all ranks. Calls the function with claim i, or does not
/// where there is nothing to prove.
using ClaimSource = std::function<void(std::size_t, const std::function<void(const Claim&)>&)>;

/// Has all ranks prove what the first rank's cache does not know, each claim once, and puts what
/// comes of it there. So the first rank can then do the work as if it were alone, and finds every
/// proof in the cache; what that makes of them is the same by construction. Refuted claims are not
/// kept: it meets them again. `seconds` is the limit of the provers; the caches of the other ranks
/// are not used. Throws Error if stopped.
void share_proofs(Communicator& ranks, const ProofWork& work, const ClaimSource& claims,
                  const ProverFactory& make_prover, double seconds, ProofCache& proofs);

}  // namespace quartz
