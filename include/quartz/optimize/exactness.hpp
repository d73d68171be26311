#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace quartz {

/// Which rewrites computed in floating-point arithmetic are permitted. Each is confirmed to 1e-12
/// in the entries of its unitary; all other rewrites are always exact. None of them changes gates
/// with a fraction of pi that double precision does not tell from a simple one, such as pi/2^60.
enum class Exactness : std::uint8_t {
  /// Gates whose angles are all simple fractions of pi are rewritten only into such gates. Gates
  /// with decimal angles may be replaced by gates with any angles.
  keep,
  exact,    ///< only multiples of pi/4 on both sides, which exact arithmetic can prove
  numeric,  ///< any rewrite that lowers the cost: decimals may replace fractions of pi
};

struct ExactnessName {
  Exactness exactness;
  std::string_view name;  ///< as on the command line
  std::string_view description;
};

/// Returns the list of values.
[[nodiscard]] std::span<const ExactnessName> exactness_names();
/// Throws UsageError for an unknown name, listing the known ones.
[[nodiscard]] Exactness find_exactness(std::string_view name);

}  // namespace quartz
