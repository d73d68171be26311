#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace quartz {

/// Which rewrites by floating-point arithmetic are made. Each is confirmed to 1e-12 in the entries
/// of its unitary; all other rewrites are exact whatever is chosen.
enum class Exactness : std::uint8_t {
  /// Gates whose angles are all simple fractions of pi are rewritten into such gates only; where
  /// some angle is a decimal, any angles may take its place.
  keep,
  exact,    ///< only those where all angles are multiples of pi/4, which exact arithmetic can prove
  numeric,  ///< all that cost less: decimals may take the place of fractions of pi
};

struct ExactnessName {
  Exactness exactness;
  std::string_view name;  ///< as on the command line
  std::string_view description;
};

/// THE list of them.
[[nodiscard]] std::span<const ExactnessName> exactness_names();
/// Throws UsageError for an unknown name, listing the known ones.
[[nodiscard]] Exactness find_exactness(std::string_view name);

}  // namespace quartz
