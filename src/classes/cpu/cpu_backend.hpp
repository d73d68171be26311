#pragma once

#include <memory>

#include "classes/backend/backend.hpp"

namespace quartz::classes {

[[nodiscard]] std::unique_ptr<FingerprintBackend> make_cpu_fingerprint_backend(
    fingerprint::FingerprintTables tables, unsigned threads);

}  // namespace quartz::classes
