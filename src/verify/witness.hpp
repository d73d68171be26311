#pragma once

#include <optional>
#include <string>

#include "quartz/circuit/unitary.hpp"
#include "quartz/verify/prover.hpp"

namespace quartz::verify {

/// An input for which a claim fails, in double precision.
struct Witness {
  Bindings parameters;
  std::size_t row = 0;
  std::size_t column = 0;
  Complex left;  ///< multiplied by e^{i phase}
  Complex right;

  /// Returns "p0 = 0.5, p1 = 2: entry (row 3, column 5) is 1+0i on the left side and 0-1i on the
  /// right side".
  [[nodiscard]] std::string to_string() const;
};

/// Returns the entry in which the two sides differ most at these parameter values, which must be
/// given for every free parameter; nullopt if they agree within 1e-9 everywhere or have more than
/// 10 qubits.
[[nodiscard]] std::optional<Witness> witness_at(const Claim& claim, const Bindings& parameters);

/// Returns every free parameter of the claim, sorted.
[[nodiscard]] std::vector<std::string> parameters_of(const Claim& claim);

/// Returns the result for a claim that was not proved: refuted, with a witness at one of several
/// fixed parameter values. Without a witness the claim is refuted only if the method `is_complete`
/// (it proves every true claim of this kind), and unknown otherwise.
[[nodiscard]] ProofResult refutation(const Claim& claim, bool is_complete);

}  // namespace quartz::verify
