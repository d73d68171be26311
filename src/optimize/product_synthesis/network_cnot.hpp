#pragma once

#include <cstdint>

namespace quartz::optimizer {

/// A CNOT on two of any number of wires.
struct NetworkCnot {
  std::uint32_t control = 0;
  std::uint32_t target = 0;
  friend bool operator==(const NetworkCnot&, const NetworkCnot&) = default;
};

}  // namespace quartz::optimizer
