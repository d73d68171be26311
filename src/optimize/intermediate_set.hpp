#pragma once

#include <optional>

#include "quartz/circuit/circuit.hpp"
#include "quartz/gateset/gate_set.hpp"
#include "quartz/optimize/optimize.hpp"

namespace quartz {

/// Whether a search that wants few gates on two qubits goes further in the intermediate set,
/// {h, x, rz, cx}, before it goes on in the set itself. A CNOT is one gate there, and seven in
/// {rz, sx, x, cz}: a window and a class table of so many gates then span as much more.
[[nodiscard]] bool gains_from_intermediate_set(const GateSet& set, const Cost& cost);

/// The circuit annealed in the intermediate set for as long as the options say, and translated
/// back: equal to it, in gates of the set, and perhaps of a higher cost. Nothing where the sets
/// cannot express each other's gates exactly.
[[nodiscard]] std::optional<OptimizeResult> optimize_in_intermediate_set(
    const Circuit& circuit, const GateSet& set, const OptimizeOptions& options);

}  // namespace quartz
