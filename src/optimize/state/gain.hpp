#pragma once

#include <cstdint>

namespace quartz::optimizer {

/// What one rewrite contributed on the way to a circuit.
struct Gain {
  std::uint64_t uses = 0;
  std::int64_t gates_removed = 0;
  /// Scalar cost saved; only compared within one kind of rewrites.
  std::int64_t saved = 0;

  Gain& operator+=(const Gain& other) {
    uses += other.uses;
    gates_removed += other.gates_removed;
    saved += other.saved;
    return *this;
  }
};

}  // namespace quartz::optimizer
