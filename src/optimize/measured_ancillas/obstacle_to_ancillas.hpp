#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "quartz/circuit/circuit.hpp"

namespace quartz::optimizer {

/// Returns why a circuit gets no ancillas, as a clause; nothing if it may get some.
[[nodiscard]] std::optional<std::string> obstacle_to_ancillas(const Circuit& circuit);

/// Returns the largest number of rotations by other angles than multiples of pi/2 in a stretch of
/// plain gates of a circuit in {h, x, rz, cx}.
[[nodiscard]] std::size_t most_rotations_of_stretch(const Circuit& circuit);

/// Returns that a stretch of a circuit in {h, x, rz, cx} has more rotations than
/// rotation_sequence() writes, as a clause; nothing if none has.
[[nodiscard]] std::optional<std::string> obstacle_to_rotations(const Circuit& circuit);

}  // namespace quartz::optimizer
