#pragma once

#include "quartz/certify/equivalence.hpp"
#include "quartz/quartz.h"

namespace quartz::c {

[[nodiscard]] quartz_verdict verdict_of(EquivalenceVerdict verdict);
/// Returns the distance that a report bounds; -1 if it bounds none.
[[nodiscard]] double distance_of(const EquivalenceReport& report);

}  // namespace quartz::c
