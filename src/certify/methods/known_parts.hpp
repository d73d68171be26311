#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <utility>

#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// Small parts of a problem that were found equal. Circuits with many qubits have the same few
/// gates on most of them, and each method takes longer to begin than to compare these.
class KnownParts {
 public:
  /// Returns the result for a part with the same steps; nothing if there was none. A failure of its
  /// method is counted once, because it is the same for both.
  [[nodiscard]] std::optional<Comparison> find(const Problem& part) const;
  /// Keeps the result for a part if it can be that of others: equal, with an exact phase.
  void add(const Problem& part, const Comparison& result);

 private:
  std::unordered_multimap<std::size_t, std::pair<Problem, Comparison>> known_;
};

}  // namespace quartz::certify
