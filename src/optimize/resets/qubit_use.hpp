#pragma once

#include <cstdint>

#include "circuit/history.hpp"

namespace quartz::optimizer {

/// What happens to a qubit behind some place.
enum class Use : std::uint8_t {
  discarded,  ///< it is reset next
  controls,   ///< all operations on it are diagonal on it, until it is reset
  any,
};

struct QubitUse {
  Use use = Use::any;
  circuit::GateNumber reset = 0;  ///< index of the reset, unless the use is `any`
};

}  // namespace quartz::optimizer
