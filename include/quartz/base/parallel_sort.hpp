#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "quartz/base/parallel_for.hpp"

namespace quartz {

/// std::stable_sort on up to `threads` threads. A stable sort has only one possible result, so the
/// result does not depend on the number of threads.
template <typename Iterator, typename Less>
void parallel_stable_sort(unsigned threads, Iterator begin, Iterator end, Less less) {
  constexpr std::size_t min_piece = 1024;
  const auto size = static_cast<std::size_t>(end - begin);
  const auto at = [&](std::size_t i) {
    return begin + static_cast<std::iter_difference_t<Iterator>>(std::min(i, size));
  };
  const std::size_t piece = std::max(min_piece, size / threads + 1);
  parallel_for(threads, size, piece, [&](unsigned, std::size_t from, std::size_t to) {
    std::stable_sort(at(from), at(to), less);
  });
  for (std::size_t sorted = piece; sorted < size; sorted *= 2) {
    parallel_for(threads, size, 2 * sorted, [&](unsigned, std::size_t from, std::size_t to) {
      std::inplace_merge(at(from), at(std::min(from + sorted, to)), at(to), less);
    });
  }
}

}  // namespace quartz
