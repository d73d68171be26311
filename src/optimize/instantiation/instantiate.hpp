#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>

#include "optimize/instantiation/circuit_template.hpp"

namespace quartz::optimizer {

/// A choice that makes a template equal to a unitary, up to a phase.
struct Instantiation {
  TemplateChoice choice;
  double distance = 0;  ///< Frobenius norm of the difference, up to the phase
  double error = 0;     ///< the largest difference between two entries
};

/// Limits of one attempt.
struct InstantiationLimits {
  std::uint32_t iterations = 150;
  double tolerance = 1e-13;  ///< on Instantiation::error
  /// Largest Instantiation::distance with which a local minimum is good enough.
  double distance = 0;
};

/// Looks for a choice with which a template equals a unitary of its qubits (qubit 0 is the
/// least significant bit of an index), starting from the given one.
///
/// The differences of the entries are residuals of a nonlinear least-squares problem, which the
/// Levenberg-Marquardt method solves with quadratic convergence close to a solution. A one-qubit
/// gate is turned by exp(i d.sigma) from the left, so the parameters have no singular points.
/// Returns nothing if the method ends in a local minimum or is still far away after many
/// iterations. Adds the number of iterations to `iterations`.
[[nodiscard]] std::optional<Instantiation> instantiate(const CircuitTemplate& circuit,
                                                       const Eigen::MatrixXcd& target,
                                                       TemplateChoice start,
                                                       const InstantiationLimits& limits,
                                                       std::uint64_t& iterations);

/// Does the same if only what becomes of some inputs matters: the columns of `inputs`, which are
/// orthonormal, become those of `outputs`.
[[nodiscard]] std::optional<Instantiation> instantiate(
    const CircuitTemplate& circuit, const Eigen::MatrixXcd& inputs, const Eigen::MatrixXcd& outputs,
    TemplateChoice start, const InstantiationLimits& limits, std::uint64_t& iterations);

}  // namespace quartz::optimizer
