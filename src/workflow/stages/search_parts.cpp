#include "workflow/stages/search_parts.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stop_token>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::workflow {

SuperoptimizeOptions part_of(const SuperoptimizeOptions& options, double share) {
  SuperoptimizeOptions part = options;
  part.ancillas = 0;
  part.seconds *= share;
  if (options.steps != 0) {
    part.steps = std::max<std::uint64_t>(
        static_cast<std::uint64_t>(std::llround(share * static_cast<double>(options.steps))), 1);
  }
  part.on_result = {};
  return part;
}

SuperoptimizeOptions finishing(SuperoptimizeOptions options) {
  if (!options.stop.stop_requested()) return options;
  options.end_search = std::exchange(options.stop, std::stop_token());
  return options;
}

double spent_share(const SuperoptimizeOptions& options, double share, double seconds) {
  const bool has_time_limit = options.steps == 0 && options.seconds > 0;
  return has_time_limit ? std::min(share, seconds / options.seconds) : share;
}

Budget budget_of_part(const SuperoptimizeOptions& options, double share) {
  const SuperoptimizeOptions part = part_of(options, share);
  if (options.steps != 0) return Budget::of_ticks(part.steps, options.stop);
  return Budget::of_seconds(part.seconds, options.stop);
}

double seconds_of_ancilla_check(const SuperoptimizeOptions& options) {
  // For a search with a number of steps.
  constexpr double kSeconds = 60;
  const double usual =
      options.steps != 0 ? kSeconds
                         : std::max(options.seconds, default_check_seconds(options.seconds, 0, 0));
  return options.check_seconds.value_or(usual);
}

EquivalenceOptions limits_of_check(const SuperoptimizeOptions& options, double seconds) {
  EquivalenceOptions limits;
  limits.seconds = seconds;
  limits.memory_bytes = options.check_memory_bytes;
  limits.seed = options.seed;
  limits.stop = options.stop;
  return limits;
}

bool is_equal(const EquivalenceReport& report) {
  return report.verdict == EquivalenceVerdict::equal ||
         report.verdict == EquivalenceVerdict::equal_up_to_phase;
}

ReplacementPart replacements_of(const Circuit& with_ancillas,
                                std::span<const optimizer::AncillaStep> steps) {
  ReplacementPart part{without_operations(with_ancillas), {}};
  for (const optimizer::AncillaStep& step : steps) {
    part.replacements.push_back({step.position, step.before.size(), step.after, step.base});
  }
  return part;
}

EquivalenceReport prove_in_parts(const Circuit& circuit, const Circuit& grouped,
                                 const Circuit& with_ancillas,
                                 std::span<const optimizer::AncillaStep> steps,
                                 const EquivalenceOptions& limits, double share_of_grouped) {
  const Budget budget = Budget::of_seconds(limits.seconds, limits.stop);
  EquivalenceOptions own = limits;
  own.seconds = share_of_grouped * limits.seconds;
  EquivalenceReport first = check_equivalence(circuit, grouped, own);
  if (!is_equal(first)) return first;
  own.seconds = budget.seconds_left();
  Circuit now = grouped;
  EquivalenceReport replaced =
      prove_replacements(now, circuit, replacements_of(with_ancillas, steps), own);
  if (!is_equal(replaced)) return replaced;
  ensure(without_barriers(now).operations == without_barriers(with_ancillas).operations,
         "the steps do not lead to the circuit with ancillas");
  return chained(std::move(first), replaced);
}

OutputPermutation permutation_with_ancillas(const Circuit& circuit, std::uint32_t ancillas) {
  OutputPermutation permutation = stated_permutation(circuit);
  if (permutation.empty()) return permutation;
  for (std::uint32_t i = 0; i < ancillas; ++i) {
    permutation.push_back(static_cast<Qubit>(permutation.size()));
  }
  return permutation;
}

}  // namespace quartz::workflow
