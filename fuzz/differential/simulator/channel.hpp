#pragma once

#include <map>
#include <optional>
#include <vector>

#include "program/expression.hpp"
#include "program/program.hpp"
#include "simulator/complex.hpp"

namespace quartz::differential {

/// What a program does to all input states: for each content of the classical bits at the end, its
/// Kraus operators. An operator is a vector of 4^n numbers; the lower n bits of an index are the
/// qubits at the end, the upper n those at the beginning.
struct Channel {
  unsigned qubits = 0;
  bool is_unitary = false;  ///< nothing is measured, reset or looped: there is one operator
  bool has_conditions = false;
  std::map<std::vector<bool>, std::vector<std::vector<Complex>>> operators;
};

/// Follows all branches of a program; all classical bits have the same value at the beginning.
///
/// What a `while` does is a sum over the numbers of its executions. The sum has the terms up to
/// `most_executions` for each time that the loop is reached; branches that would go on are left
/// out. The terms are those of the program, not of its unitaries, so that equal programs with the
/// same loops have equal sums.
constexpr unsigned most_executions = 2;
[[nodiscard]] Channel channel_of(const Program& program, const Values& values,
                                 bool first_bits = false);

/// Returns the channel on the first qubits and bits, if the other qubits start in |0> and these and
/// the other bits are discarded.
[[nodiscard]] Channel without_ancillas(const Channel& channel, unsigned qubits, unsigned bits);

/// Distances between two channels.
struct Difference {
  /// A lower bound on the operator norm of right - left for unitaries; for channels one on half of
  /// the trace norm of the difference of their Choi states, up to the factor 2^n.
  long double distance = 0;
  /// For unitaries: the same after right = e^{i phase} left, and this phase.
  long double distance_up_to_phase = 0;
  std::optional<long double> phase;
};

[[nodiscard]] Difference difference_between(const Channel& left, const Channel& right);

}  // namespace quartz::differential
