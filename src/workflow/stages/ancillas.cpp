#include "workflow/stages/ancillas.hpp"

#include "quartz/workflow/options.hpp"
#include "workflow/rotations/approximated_rotations.hpp"
#include "workflow/stages/gadget_search.hpp"
#include "workflow/stages/parallel_rotations.hpp"
#include "workflow/stages/weighted_rotations.hpp"

namespace quartz::workflow {
namespace {

SuperoptimizeResult superoptimize_exactly(const Circuit& circuit, const GateSet& set,
                                          const SuperoptimizeOptions& options) {
  return is_depth_of_rotations(set, options)
             ? superoptimize_with_parallel_rotations(circuit, set, options)
             : superoptimize_with_gadgets(circuit, set, options);
}

}  // namespace

SuperoptimizeResult superoptimize_with_ancillas(const Circuit& circuit, const GateSet& set,
                                                const SuperoptimizeOptions& options) {
  require_suitable_for_ancillas(options);
  if (options.epsilon == 0) return superoptimize_exactly(circuit, set, options);
  if (has_approximated_rotations(circuit, set, options)) {
    return superoptimize_with_weights(circuit, set, options);
  }
  if (options.on_warning && is_expressible(circuit, set, options.stop)) {
    options.on_warning(
        "with ancillas, epsilon only permits approximated rotations, and the "
        "circuit has none: the result is exact");
  }
  SuperoptimizeOptions exact = options;
  exact.epsilon = 0;
  return superoptimize_exactly(circuit, set, exact);
}

}  // namespace quartz::workflow
