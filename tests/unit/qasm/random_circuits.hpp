#pragma once

#include <random>

#include "quartz/circuit/circuit.hpp"

namespace quartz::test {

/// A circuit of the language version with everything a circuit can hold: several registers with
/// odd names, gates of the whole table with all kinds of angles, measurements, resets, barriers,
/// opaque gates, conditions, a global phase, header comments, and in version 3 free parameters.
[[nodiscard]] Circuit random_circuit(std::mt19937_64& random, unsigned language_version);

}  // namespace quartz::test
