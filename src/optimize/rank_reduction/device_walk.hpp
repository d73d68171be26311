#pragma once

#include "base/budget.hpp"
#include "parity_chains/parallel_walks.hpp"

namespace quartz::optimizer {

/// Returns whether a device should walk from a start: if there is one, the tables are not too small
/// or too large, and there is time for starting it.
[[nodiscard]] bool suits_device(const parity_chains::ParityBackend* device,
                                const parity_chains::ParityWalkStart& start, const Budget& budget);

/// Returns the smallest table that chains on a device found from the given tables, and from some
/// that are drawn; the smallest given one if the device fails. Drawn tables that are larger than
/// all given ones are left out.
[[nodiscard]] parity_chains::Points walked_on_device(const parity_chains::ParityBackend& device,
                                                     parity_chains::ParityWalkStart start,
                                                     const parity_chains::WalkCallbacks& callbacks,
                                                     const Budget& budget);

}  // namespace quartz::optimizer
