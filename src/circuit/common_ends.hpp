#pragma once

#include <span>

namespace quartz::circuit {

/// Removes the gates that both circuits begin and end with. Gates are invertible, so S L P and S R
/// P are equal up to a phase exactly if L and R are, with the same phase.
template <typename Gate>
void strip_common_ends(std::span<const Gate>& left, std::span<const Gate>& right) {
  while (!left.empty() && !right.empty() && left.front() == right.front()) {
    left = left.subspan(1);
    right = right.subspan(1);
  }
  while (!left.empty() && !right.empty() && left.back() == right.back()) {
    left = left.first(left.size() - 1);
    right = right.first(right.size() - 1);
  }
}

}  // namespace quartz::circuit
