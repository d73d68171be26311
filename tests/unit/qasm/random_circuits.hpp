#pragma once

#include <random>

#include "quartz/circuit/circuit.hpp"

namespace quartz::test {

/// Returns a circuit of the language version with everything that a circuit can contain: several
/// registers with unusual names, gates of the whole table with all kinds of angles, measurements,
/// resets, barriers, opaque gates, conditions, a global phase, header comments, and in version 3
/// free parameters.
[[nodiscard]] Circuit random_circuit(std::mt19937_64& random, unsigned language_version);

}  // namespace quartz::test
