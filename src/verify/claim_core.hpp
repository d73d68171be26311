#pragma once

#include <boost/container/small_vector.hpp>
#include <span>

#include "quartz/circuit/operation.hpp"

namespace quartz::verify {

/// The remaining part of a claim "right = e^{i phase} left", without the gates that both sides
/// begin and end with, and without the qubits that no remaining gate acts on.
struct ClaimCore {
  std::span<const Operation> left;
  std::span<const Operation> right;
  boost::container::small_vector<Qubit, 8> qubits;  ///< qubits in use, in ascending order

  /// Returns the index of a qubit among those in use.
  [[nodiscard]] unsigned position(Qubit qubit) const;
};

/// Computes the core of a claim. Throws UsageError for an optimization boundary, or an operation
/// with operands or angles that its gate cannot have.
[[nodiscard]] ClaimCore core_of(std::span<const Operation> left, std::span<const Operation> right,
                                unsigned qubits);

}  // namespace quartz::verify
