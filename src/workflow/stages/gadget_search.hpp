#pragma once

#include "quartz/workflow/superoptimize.hpp"

namespace quartz::workflow {

/// Optimizes a circuit with gadgets in ancillas (optimizer::with_gadgets).
///
/// Hadamard gates and products of the simplified circuit become gadgets, with as many ancillas as
/// are permitted and with which check_equivalence() proves that it equals the input. A first part
/// of the time goes to the circuit without ancillas, and the next one to fewer T gates in the
/// regions of the one with gadgets. If that costs less and is proved, the rest goes to it, and
/// otherwise to the circuit without ancillas. A result with gadgets is compared with the input, and
/// if that does not decide, it is equal if both its start and the search are proved; else what was
/// found in the regions is the result. The result is the one without ancillas unless the other one
/// costs less and was found equal. Rotations that the gate set lacks are approximated, within the
/// permitted distance, when the regions are searched. Throws what superoptimize() throws.
[[nodiscard]] SuperoptimizeResult superoptimize_with_gadgets(const Circuit& circuit,
                                                             const GateSet& set,
                                                             const SuperoptimizeOptions& options);

}  // namespace quartz::workflow
