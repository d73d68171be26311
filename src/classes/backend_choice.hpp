#pragma once

#include <memory>
#include <string_view>

#include "classes/backend/backend.hpp"

namespace quartz::classes {

/// Returns the backend with this name, or the first available one if the name is empty or "auto".
/// Throws UsageError if the name is unknown or the backend is not available on this machine.
[[nodiscard]] const FingerprintBackendEntry& fingerprint_backend(std::string_view name);

/// Makes a backend with this name (see fingerprint_backend). `threads`: 0 means all cores.
[[nodiscard]] std::unique_ptr<FingerprintBackend> make_fingerprint_backend(
    fingerprint::FingerprintTables tables, unsigned threads, std::string_view name = {});
/// Makes a level enumerator of the backend with this name (see fingerprint_backend). Throws
/// UsageError for tables beyond the limits of LevelTables.
[[nodiscard]] std::unique_ptr<LevelEnumerator> make_level_enumerator(
    LevelTables tables, const LevelEnumeratorOptions& options, std::string_view name = {});

}  // namespace quartz::classes
