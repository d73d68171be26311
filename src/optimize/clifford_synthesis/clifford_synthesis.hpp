#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/clifford_synthesis/neighbours.hpp"
#include "optimize/pauli_network/pauli_string.hpp"

namespace quartz::optimizer {

/// Clifford gates times e^{i pi/4 eighths}.
struct PhasedCliffordGates {
  std::vector<CliffordGate> gates;
  unsigned eighths = 0;
};

/// Returns other Clifford gates with the same product, with as few CNOTs as many randomized
/// reductions of its tableau (map_reduction.hpp) find, or nothing if they have `most_cnots` CNOTs
/// or more, or if the budget is spent before the first reduction ends. The number of reductions is
/// limited by the budget and by the number of qubits. With coupled pairs, unless that is null,
/// CNOTs are only on these (coupled_reduction.hpp).
[[nodiscard]] std::optional<PhasedCliffordGates> resynthesized_clifford(
    std::span<const CliffordGate> gates, std::uint32_t qubits, const CoupledPairs* pairs,
    std::size_t most_cnots, FastRandom& random, const Budget& budget);

}  // namespace quartz::optimizer
