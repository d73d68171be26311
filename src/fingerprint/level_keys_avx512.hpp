#pragma once

#include "fingerprint/level_keys.hpp"

namespace quartz::avx512 {

[[nodiscard]] bool available();
[[nodiscard]] std::size_t form_level_keys(const ExtensionPlan& plan, const Goldilocks* states,
                                          const std::uint64_t* masks, std::size_t count,
                                          LevelKeys& keys);

}  // namespace quartz::avx512
