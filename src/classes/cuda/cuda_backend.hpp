#pragma once

#include <memory>

#include "classes/backend/backend.hpp"

namespace quartz::classes {

/// Returns whether there is a driver and a device; if not, that is not an error.
[[nodiscard]] bool cuda_available();

/// Uses all of the first device; `threads` is ignored.
[[nodiscard]] std::unique_ptr<FingerprintBackend> make_cuda_fingerprint_backend(
    fingerprint::FingerprintTables tables, unsigned threads);
/// Uses options.devices devices, or one if that is 0. Throws UsageError if there are fewer.
[[nodiscard]] std::unique_ptr<LevelEnumerator> make_cuda_level_enumerator(
    LevelTables tables, const LevelEnumeratorOptions& options);
/// Uses options.devices devices. Throws UsageError if there are fewer.
[[nodiscard]] std::unique_ptr<LevelEnumerator> make_cuda_sharded_enumerator(
    LevelTables tables, const LevelEnumeratorOptions& options);

[[nodiscard]] std::unique_ptr<CostEnumerator> make_cuda_cost_enumerator(
    CostTables tables, CostEnumeratorOptions options);

}  // namespace quartz::classes
