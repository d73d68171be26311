#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// The statement "unitary(right) = e^{i phase} unitary(left), for all values of all parameters".
struct Claim {
  std::span<const Operation> left;
  std::span<const Operation> right;
  unsigned qubits = 0;
  Angle phase;
};

/// The result of an attempt to prove a claim. `unknown` means that it was neither proved nor
/// refuted.
enum class ProofVerdict { proved, refuted, unknown };

/// A verdict and its reason.
struct ProofResult {
  ProofVerdict verdict = ProofVerdict::unknown;
  /// refuted: parameter values, a matrix entry and both its values. unknown: the reason.
  std::string witness;
};

/// Proves claims. A prover is for one thread: create one for each. `prove` throws UsageError for an
/// optimization boundary, and for operands or angles that a gate cannot have; any other obstacle
/// results in `unknown`.
class Prover {
 public:
  virtual ~Prover() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;  ///< "z3 4.8.12", "exact"
  /// Decides a claim.
  [[nodiscard]] virtual ProofResult prove(const Claim& claim) = 0;
};

/// Returns a prover that runs Z3 in process, with a time limit for each claim, in seconds.
[[nodiscard]] std::unique_ptr<Prover> make_z3_prover(double seconds_per_claim = 10);
/// Returns a prover with the library's own exact arithmetic: integers of a cyclotomic field, and
/// Laurent polynomials in the e^{i p/2}.
[[nodiscard]] std::unique_ptr<Prover> make_exact_prover();

/// Returns the phase with which right = e^{i phase} left for all parameter values, found and
/// thereby proved in exact arithmetic. Returns nullopt if the circuits differ by more than a phase,
/// or if 64-bit coefficients or 10 qubits do not suffice to decide. The phase is a rational
/// multiple of pi, in (-pi, pi], plus a linear combination of the parameters (and of the constants,
/// if angles are not multiples of pi). Throws UsageError for an optimization boundary.
[[nodiscard]] std::optional<Angle> exact_relative_phase(std::span<const Operation> left,
                                                        std::span<const Operation> right,
                                                        unsigned qubits);

}  // namespace quartz
