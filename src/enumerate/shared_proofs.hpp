#pragma once

#include <cstddef>
#include <functional>

#include "enumerate/proofs.hpp"
#include "quartz/base/communicator.hpp"
#include "quartz/verify/proof_cache.hpp"

namespace quartz::enumerate {

/// Calls the function with claim i, unless there is nothing to prove. The claims are the same on
/// all ranks.
using ClaimSource = std::function<void(std::size_t, const std::function<void(const Claim&)>&)>;

/// Lets all ranks prove the claims that the first rank's cache does not contain, each claim once,
/// and stores the results in that cache. The first rank can then do the work as if it were the only
/// one and finds every proof in the cache, so its result is the same by construction. Refuted
/// claims are not stored; the first rank refutes them again. `seconds` is the time limit of the
/// provers. The caches of the other ranks are not used. Throws Stopped once a stop is requested.
void share_proofs(Communicator& ranks, const ProofWork& work, const ClaimSource& claims,
                  const ProverFactory& make_prover, double seconds, ProofCache& proofs);

}  // namespace quartz::enumerate
