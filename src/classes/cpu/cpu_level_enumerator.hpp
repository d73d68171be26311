#pragma once

#include <memory>

#include "classes/backend/level_enumerator.hpp"

namespace quartz::classes {

[[nodiscard]] std::unique_ptr<LevelEnumerator> make_cpu_level_enumerator(
    LevelTables tables, const LevelEnumeratorOptions& options);

}  // namespace quartz::classes
