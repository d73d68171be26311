#pragma once

#include <random>

#include "identities.hpp"

namespace quartz {

/// Returns gates of the table on up to three qubits, with angles that are multiples of pi, radians,
/// parameters and sums of these.
[[nodiscard]] std::vector<Operation> random_circuit(std::mt19937_64& random, unsigned qubits,
                                                    unsigned gates);

/// Returns the same circuit with `changes` changes: a gate and its inverse inserted, or a gate
/// replaced by one of its decompositions. The phase of the pair accounts for them.
[[nodiscard]] Pair random_equal_pair(std::mt19937_64& random, unsigned qubits, unsigned gates,
                                     unsigned changes);

/// Returns the pair with one gate of its right side removed, moved to other qubits or given another
/// angle, or with another phase. The result is a pair of equal circuits only by accident.
[[nodiscard]] Pair mutated(std::mt19937_64& random, Pair pair);

}  // namespace quartz
