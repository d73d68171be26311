#pragma once

#include <string>
#include <vector>

#include "quartz/circuit/gate.hpp"
#include "quartz/verify/prover.hpp"

/// Equalities between circuits that textbooks give, and pairs that differ.
namespace quartz {

struct Pair {
  std::string name;
  std::vector<Operation> left;
  std::vector<Operation> right;
  unsigned qubits = 0;
  Angle phase;  ///< right = e^{i phase} left, if they are equal

  [[nodiscard]] Claim claim() const { return {left, right, qubits, phase}; }
};

[[nodiscard]] inline Angle pi(std::int64_t numerator, std::int64_t denominator = 1) {
  return Angle::pi_times(Rational(numerator, denominator));
}

[[nodiscard]] std::vector<Pair> true_identities();
/// The phase is the one under which they are closest to being equal.
[[nodiscard]] std::vector<Pair> false_identities();
/// Every decomposition and inverse of the gates of up to `qubits` qubits, parameters kept free.
[[nodiscard]] std::vector<Pair> gate_table_identities(unsigned qubits);

/// Two angles that differ by a multiple of 2 pi at most.
[[nodiscard]] bool same_phase(const Angle& a, const Angle& b);

}  // namespace quartz
