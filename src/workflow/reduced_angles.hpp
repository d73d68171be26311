#pragma once

#include <optional>

#include "circuit/derivation.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::workflow {

/// Returns the circuit with smaller angles where programs that compute in doubles would miss an
/// angle that the input does not have: sums such as 1e17+pi/2, which come from merged rotations.
/// The angles are taken modulo 4*pi, a period of all gates, and rounded to doubles, so that the
/// derivation is numeric. Returns nothing if there is no such angle.
[[nodiscard]] std::optional<circuit::DerivedCircuit> with_reduced_angles(const Circuit& circuit,
                                                                         const Circuit& input,
                                                                         const GateSet& set);

}  // namespace quartz::workflow
