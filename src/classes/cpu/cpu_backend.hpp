#pragma once

#include <memory>

#include "classes/backend/backend.hpp"

namespace quartz {

[[nodiscard]] std::unique_ptr<FingerprintBackend> make_cpu_fingerprint_backend(
    FingerprintTables tables, unsigned threads);

}  // namespace quartz
