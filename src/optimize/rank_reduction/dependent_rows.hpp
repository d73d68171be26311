#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace quartz::optimizer {

/// Systems of rows over the integers modulo 2 that are tested side by side.
inline constexpr std::size_t kSystems = 8;

/// One row of each system, of 64 bits.
using RowsOfSystems = std::array<std::uint64_t, kSystems>;

/// Returns the set of systems whose rows are linearly dependent, as bits. Destroys the rows.
[[nodiscard]] unsigned dependent_systems(std::span<RowsOfSystems> rows);

}  // namespace quartz::optimizer
