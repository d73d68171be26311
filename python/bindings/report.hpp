#pragma once

#include <nanobind/nanobind.h>

#include "quartz/certify/equivalence.hpp"

namespace quartz::python {

/// Returns the fields of quartz.CheckReport.
[[nodiscard]] nanobind::dict check_fields(const EquivalenceReport& report);

}  // namespace quartz::python
