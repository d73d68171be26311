#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace quartz::certify {

/// Matrices with more columns are not kept for operator_norm_bound.
inline constexpr std::size_t kMaxNormColumns = 32;

/// Returns an upper bound of the operator norm of a matrix with at most 2^7 columns,
/// each of at most 2^12 entries. It is less than 1.001 times the norm.
[[nodiscard]] double operator_norm_bound(
    const std::vector<std::vector<std::complex<double>>>& columns);

}  // namespace quartz::certify
