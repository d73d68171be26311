#pragma once

#include <string>
#include <vector>

#include "quartz/circuit/gate.hpp"
#include "quartz/verify/prover.hpp"

/// Equalities between circuits from textbooks, and pairs of circuits that differ.
namespace quartz {

struct Pair {
  std::string name;
  std::vector<Operation> left;
  std::vector<Operation> right;
  unsigned qubits = 0;
  Angle phase;  ///< right = e^{i phase} left, if the circuits are equal

  [[nodiscard]] Claim claim() const { return {left, right, qubits, phase}; }
};

[[nodiscard]] inline Angle pi(std::int64_t numerator, std::int64_t denominator = 1) {
  return Angle::pi_times(Rational(numerator, denominator));
}

[[nodiscard]] std::vector<Pair> true_identities();
/// Returns pairs that differ; their phase is the one under which they are closest to being equal.
[[nodiscard]] std::vector<Pair> false_identities();
/// Returns every decomposition and inverse of the gates of up to `qubits` qubits, with free
/// parameters.
[[nodiscard]] std::vector<Pair> gate_table_identities(unsigned qubits);

/// Returns whether two angles differ by a multiple of 2 pi.
[[nodiscard]] bool same_phase(const Angle& a, const Angle& b);

}  // namespace quartz
