#pragma once

#include "quartz/circuit/circuit.hpp"
#include "quartz/quartz.h"

/// A circuit, which never changes.
struct quartz_circuit {
  quartz::Circuit circuit;
};
