#include "certify/pauli/affine_map.hpp"

#include <algorithm>
#include <bit>

namespace quartz::certify {

std::optional<AffineMap> affine_map(const std::vector<unsigned>& output) {
  const unsigned shift = output[0];
  const auto size = static_cast<unsigned>(output.size());
  for (unsigned b = 0; b < size; ++b) {
    unsigned image = shift;
    for (unsigned j = 0; (1U << j) < size; ++j) {
      if ((b >> j & 1U) != 0) image ^= output[1U << j] ^ shift;
    }
    if (image != output[b]) return std::nullopt;
  }
  AffineMap map;
  for (unsigned i = 0; (1U << i) < size; ++i) {
    // The Z of an output bit is the parity of the input bits in its expression.
    AffineMap::Row z{i, false, 0, (shift >> i & 1U) != 0};
    for (unsigned j = 0; (1U << j) < size; ++j) {
      if (((output[1U << j] ^ shift) >> i & 1U) != 0) z.factors |= 1U << j;
    }
    if (z.factors != 1U << i || z.negative) map.rows.push_back(z);
    // Flipping an output bit equals flipping the input bits that are mapped to that bit alone.
    const auto flipped = std::find(output.begin(), output.end(), shift ^ (1U << i));
    const AffineMap::Row x{i, true, static_cast<unsigned>(flipped - output.begin()), false};
    if (x.factors != 1U << i) map.rows.push_back(x);
  }
  return map;
}

std::vector<MapStep> steps_of_map(const std::vector<unsigned>& output) {
  using enum CliffordLog::Kind;
  const unsigned shift = output[0];
  std::vector<unsigned> columns;  // of M, as masks of rows
  for (unsigned j = 0; (1U << j) < output.size(); ++j) columns.push_back(output[1U << j] ^ shift);
  // Operations on rows take M to the identity. Each is its own inverse, so that M is their product
  // and the last one acts first.
  std::vector<MapStep> steps;
  for (unsigned j = 0; j < columns.size(); ++j) {
    if ((columns[j] >> j & 1U) == 0) {
      const auto pivot = j + static_cast<unsigned>(std::countr_zero(columns[j] >> j));
      steps.push_back({swap, j, pivot});
      for (unsigned& column : columns) {
        if ((column >> j & 1U) != (column >> pivot & 1U)) column ^= 1U << j | 1U << pivot;
      }
    }
    for (unsigned i = 0; i < columns.size(); ++i) {
      if (i == j || (columns[j] >> i & 1U) == 0) continue;
      steps.push_back({cx, j, i});
      for (unsigned& column : columns) column ^= (column >> j & 1U) << i;
    }
  }
  std::ranges::reverse(steps);
  for (unsigned i = 0; i < columns.size(); ++i) {
    if ((shift >> i & 1U) != 0) steps.push_back({x, i, i});
  }
  return steps;
}

}  // namespace quartz::certify
