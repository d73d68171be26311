#pragma once

#include "quartz/certify/equivalence.hpp"
#include "quartz/quartz.h"

namespace quartz::c {

[[nodiscard]] quartz_verdict verdict_of(EquivalenceVerdict verdict);

}  // namespace quartz::c
