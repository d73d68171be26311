#include "optimize/rank_reduction/dependent_rows.hpp"

namespace quartz::optimizer {

// Without branches, the compiler eliminates in all systems by vector instructions.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
[[gnu::target_clones("avx2", "default")]]
#endif
unsigned
dependent_systems(std::span<RowsOfSystems> rows) {
  RowsOfSystems vanished{};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowsOfSystems row = rows[i];
    RowsOfSystems pivot{};
    for (std::size_t system = 0; system < kSystems; ++system) {
      pivot[system] = row[system] & (~row[system] + 1);
      vanished[system] |= row[system] == 0 ? ~std::uint64_t{0} : 0;
    }
    for (std::size_t j = i + 1; j < rows.size(); ++j) {
      for (std::size_t system = 0; system < kSystems; ++system) {
        const std::uint64_t bits = rows[j][system];
        rows[j][system] = bits ^ ((bits & pivot[system]) != 0 ? row[system] : 0);
      }
    }
  }
  unsigned result = 0;
  for (std::size_t system = 0; system < kSystems; ++system) {
    if (vanished[system] != 0) result |= 1U << system;
  }
  return result;
}

}  // namespace quartz::optimizer
