#pragma once

#include <boost/container/small_vector.hpp>
#include <span>

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// What is left to prove of a claim "right = e^{i phase} left" once what cannot matter is gone: the
/// gates that both sides begin and end with, and the qubits that no remaining gate touches.
struct ClaimCore {
  std::span<const Operation> left;
  std::span<const Operation> right;
  boost::container::small_vector<Qubit, 8> qubits;  ///< those in use, ascending

  /// The number of a qubit among those in use.
  [[nodiscard]] unsigned position(Qubit qubit) const;
};

/// Throws UsageError for a wall, or an operation with operands or angles that its gate cannot have.
[[nodiscard]] ClaimCore core_of(std::span<const Operation> left, std::span<const Operation> right,
                                unsigned qubits);

}  // namespace quartz
