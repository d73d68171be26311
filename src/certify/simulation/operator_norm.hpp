#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace quartz::certify {

/// Matrices with more columns are not kept for operator_norm_bound.
inline constexpr std::size_t kMaxNormColumns = 1024;

/// Returns the time that operator_norm_bound takes for a square matrix, in seconds, as estimated
/// for a slow machine.
[[nodiscard]] double seconds_of_norm_bound(std::size_t columns);

/// Returns an upper bound of the operator norm of a matrix with at most kMaxNormColumns columns,
/// each of at most 2^12 entries. It is less than 1.001 times the norm for up to 2^7 columns, and
/// less than 1.015 times for more.
[[nodiscard]] double operator_norm_bound(
    const std::vector<std::vector<std::complex<double>>>& columns);

}  // namespace quartz::certify
