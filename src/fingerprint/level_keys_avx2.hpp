#pragma once

#include "fingerprint/level_keys.hpp"

namespace quartz::avx2 {

[[nodiscard]] bool available();
[[nodiscard]] FormLevelKeys form_level_keys_for(unsigned qubits);

}  // namespace quartz::avx2
