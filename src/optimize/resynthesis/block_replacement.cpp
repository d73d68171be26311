#include "optimize/resynthesis/block_replacement.hpp"

#include <algorithm>
#include <span>

#include "optimize/state/numeric_angle.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::optimizer {
namespace {

template <typename Predicate>
bool all_angles(std::span<const Operation> gates, Predicate&& predicate) {
  return std::all_of(gates.begin(), gates.end(), [&](const Operation& operation) {
    return std::all_of(operation.angles.begin(), operation.angles.end(), predicate);
  });
}

}  // namespace

void mark_numeric(BlockReplacement& replacement) {
  // The phase between rz(pi/4) and t is e^{i pi/8}.
  replacement.numeric = !all_angles(replacement.before, is_eighth_turns) ||
                        !all_angles(replacement.after, is_eighth_turns) ||
                        !is_eighth_turns(replacement.phase * Rational(2));
}

bool is_allowed(const BlockReplacement& replacement, Exactness exactness) {
  switch (exactness) {
    case Exactness::numeric:
      return true;
    case Exactness::exact:
      return !replacement.numeric;
    case Exactness::keep:
      return !all_angles(replacement.before, is_simple_fraction) ||
             (all_angles(replacement.after, is_simple_fraction) &&
              is_simple_fraction(replacement.phase));
  }
  throw InternalError("an exactness without a meaning");
}

std::vector<Operation> replaced(std::vector<Operation> gates,
                                std::vector<PlacedReplacement>& replacements) {
  std::vector<bool> removed(gates.size(), false);
  std::vector<std::vector<Operation>> inserted(gates.size() + 1);
  for (PlacedReplacement& placed : replacements) {
    for (const std::size_t place : placed.removed) removed[place] = true;
    for (auto& [place, added] : placed.inserted) {
      std::move(added.begin(), added.end(), std::back_inserter(inserted[place]));
    }
  }
  std::vector<Operation> result;
  for (std::size_t i = 0; i <= gates.size(); ++i) {
    std::move(inserted[i].begin(), inserted[i].end(), std::back_inserter(result));
    if (i < gates.size() && !removed[i]) result.push_back(std::move(gates[i]));
  }
  return result;
}

}  // namespace quartz::optimizer
