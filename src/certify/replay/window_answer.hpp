#pragma once

#include <cstdint>

#include "quartz/algebra/angle.hpp"

namespace quartz::certify {

/// What an exact method says about the two sides of a rewrite.
struct WindowAnswer {
  enum class Kind : std::uint8_t { equal, different, unsupported };
  Kind kind = Kind::unsupported;
  Angle phase;  ///< equal: left = e^{i phase} right
};

}  // namespace quartz::certify
