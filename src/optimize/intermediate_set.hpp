#pragma once

#include <cstdint>
#include <optional>

#include "quartz/circuit/circuit.hpp"
#include "quartz/gateset/gate_set.hpp"
#include "quartz/optimize/optimize.hpp"

namespace quartz {

/// What a detour through the intermediate set, {h, x, rz, cx}, does for a search.
enum class IntermediateSetUse : std::uint8_t {
  none,  ///< its gates are the set's, too
  /// A Hadamard is one gate there, and three in {rz, sx, x, cx}, so that windows, and regions of
  /// phase polynomials, span more. Toffolis end with fewer gates, adders do not.
  may_gain,
  /// Few gates on two qubits are wanted, and a CNOT is one gate there, and seven in
  /// {rz, sx, x, cz}: a window and a class table of so many gates span as much more.
  gains,
};
[[nodiscard]] IntermediateSetUse intermediate_set_use(const GateSet& set, const Cost& cost);

/// The circuit annealed in the intermediate set for as long as the options say, and translated
/// back, as are alternatives: equal to it, in gates of the set, and perhaps of a higher cost.
/// Nothing where the sets cannot express each other's gates exactly.
[[nodiscard]] std::optional<OptimizeResult> optimize_in_intermediate_set(
    const Circuit& circuit, const GateSet& set, const OptimizeOptions& options);

}  // namespace quartz
