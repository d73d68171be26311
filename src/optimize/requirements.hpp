#pragma once

#include "flips/backend/flip_walks.hpp"
#include "parity_chains/backend/parity_walks.hpp"
#include "quartz/optimize/optimize.hpp"
#include "window_chains/backend/chain_device.hpp"

namespace quartz::optimizer {

/// Throws UsageError for a circuit, a cost or a coupling map that does not fit the gate set.
void require_suitable(const Circuit& circuit, const GateSet& set, const OptimizeOptions& options);

/// Returns the device that large walks of flips may use, which need not be available unless
/// `backend` asks for it; null for the host. Throws UsageError if it asks for one that is not
/// available.
[[nodiscard]] const flips::FlipBackend* device_for_flips(const OptimizeOptions& options);
/// Returns the device that walks through large tables of parities may use, in the same cases.
[[nodiscard]] const parity_chains::ParityBackend* device_for_parities(
    const OptimizeOptions& options);
/// Returns the device for chains of window moves; null for the host, unless `backend` asks for a
/// device in another search than `auto`.
[[nodiscard]] const window_chains::ChainBackend* device_for_chains(const OptimizeOptions& options);

}  // namespace quartz::optimizer
