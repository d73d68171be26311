#pragma once

#include "classes/cpu/level_keys.hpp"

namespace quartz::classes::avx512 {

[[nodiscard]] bool available();
[[nodiscard]] std::size_t form_level_keys(const ExtensionPlan& plan, const Goldilocks* states,
                                          const std::uint64_t* masks, std::size_t count,
                                          const LevelKeyLines& lines, LevelKeys& keys);
void sift_level_keys(const LevelKeyLines& lines, const LevelKeys& keys, std::size_t count,
                     SiftedKeys& sifted);

}  // namespace quartz::classes::avx512
