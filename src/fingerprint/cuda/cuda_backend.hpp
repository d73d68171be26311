#pragma once

#include <memory>

#include "fingerprint/backend.hpp"

namespace quartz {

/// Whether there is a driver and a device; neither is an error.
[[nodiscard]] bool cuda_available();

/// `threads` is ignored: all of the first device's.
[[nodiscard]] std::unique_ptr<FingerprintBackend> make_cuda_fingerprint_backend(
    FingerprintTables tables, unsigned threads);
/// Throws UsageError for several devices where they are not there.
[[nodiscard]] std::unique_ptr<LevelEnumerator> make_cuda_level_enumerator(
    LevelTables tables, const LevelEnumeratorOptions& options);
/// On options.devices devices. Throws as above.
[[nodiscard]] std::unique_ptr<LevelEnumerator> make_cuda_sharded_enumerator(
    LevelTables tables, const LevelEnumeratorOptions& options);

[[nodiscard]] std::unique_ptr<CostEnumerator> make_cuda_cost_enumerator(
    CostTables tables, CostEnumeratorOptions options);

}  // namespace quartz
