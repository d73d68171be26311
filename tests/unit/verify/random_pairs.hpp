#pragma once

#include <random>

#include "identities.hpp"

namespace quartz {

/// Gates of the table on up to three qubits, with angles that are multiples of pi, radians,
/// parameters and sums of these.
[[nodiscard]] std::vector<Operation> random_circuit(std::mt19937_64& random, unsigned qubits,
                                                    unsigned gates);

/// The same circuit, written differently `changes` times: a gate and its inverse inserted, or a
/// gate replaced by one of its decompositions. The phase is kept track of.
[[nodiscard]] Pair random_equal_pair(std::mt19937_64& random, unsigned qubits, unsigned gates,
                                     unsigned changes);

/// The pair with one gate of its right side removed, put on other qubits or given another angle,
/// or with another phase: equal by accident only.
[[nodiscard]] Pair mutated(std::mt19937_64& random, Pair pair);

}  // namespace quartz
