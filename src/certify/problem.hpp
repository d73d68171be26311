#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "quartz/circuit/circuit.hpp"

/// Two circuits, walls included, as two families of unitaries.
///
/// The methods of this module compare unitaries. Circuits with measurements, resets and conditions
/// are brought to that form first, so that equal families mean equal circuits:
///
/// - A measurement in the branch where its outcome is m is the projection P_m. Instead of P_0 and
///   P_1 take P_0 + e^{i l} P_1, the phase gate p(l) with a fresh symbol l: the terms with and
///   without e^{i l} are the two branches, so circuits that agree for all l agree in each branch.
///   The symbol belongs to the classical bit and to how often it was written before; the
///   two circuits must write each bit equally often and under the same conditions. An outcome that
///   is not kept is written to a bit of the qubit's that nothing reads.
/// - A reset exchanges the qubit with a fresh wire that starts in |0>, and leaves the old state on
///   a wire of its own (Stinespring). Equal isometries then give equal channels. The fresh
///   wire belongs to the qubit and to how often it was reset before.
/// - A condition is an unknown truth value, one for each value of a register between two writes
///   to it, and one for each value that it is not to have. Several conditions that are to hold
///   together are one more truth value. Circuits that agree for all truth values agree for those
///   that occur.
/// - An opaque operation is an unknown unitary, one for each name and angles.
/// - A barrier is nothing.
///
/// By induction over the writes both circuits have the same classical contents in the same branch.
/// The converse does not hold: circuits whose families differ may still be equal (rz before a
/// final measure, say), so a difference of families proves nothing unless there are no walls.
namespace quartz::certify {

using Wire = std::uint32_t;

struct WireInfo {
  std::string name;          ///< "q[3]", for messages
  bool starts_zero = false;  ///< in |0>, not free
  friend bool operator==(const WireInfo&, const WireInfo&) = default;
};

/// A unitary on wires, done where its condition (an index of a truth value) holds.
struct Step {
  Operation operation;  ///< a plain gate, or opaque (of whose classical part only the name counts)
  std::optional<std::uint32_t> condition;
  friend bool operator==(const Step&, const Step&) = default;
};

struct Problem {
  std::vector<WireInfo> wires;
  std::vector<Step> left;
  std::vector<Step> right;
  Angle phase;  ///< global phase of the right circuit less that of the left one
  /// All conditions; of each group at most one is true, since a register has one value.
  std::vector<std::vector<std::uint32_t>> condition_groups;
  /// The symbols l of measurements; all others are free parameters of the user.
  std::set<std::string> outcome_symbols;

  [[nodiscard]] bool has_zero_wires() const;
  [[nodiscard]] bool has_opaque() const;
  /// All symbols in angles, sorted.
  [[nodiscard]] std::set<std::string> symbols() const;
  /// Whether it has a symbol of a measurement.
  [[nodiscard]] bool depends_on_outcome(const Angle& angle) const;
  /// All conditions that a step has.
  [[nodiscard]] std::set<std::uint32_t> conditions() const;
};

/// The problem of two circuits with equally many qubits and bits, or, where their walls do not
/// correspond, in words how they differ.
[[nodiscard]] std::variant<Problem, std::string> pose_problem(const Circuit& left,
                                                              const Circuit& right);

/// Takes equal steps off the beginnings and the ends of both sides, where wires allow it. What
/// is left is equal if and only if the whole was.
void cancel_common_steps(Problem& problem);

/// Problems on disjoint wires, which are equal up to phases if and only if the whole is: tensor
/// products are. The wires are numbered anew; those without a step are left out. The global
/// phase is in none of them.
[[nodiscard]] std::vector<Problem> split_problem(Problem problem);

/// "q[0]=1 q[3]=1 (all others 0)" for a basis state, wire i in bit i.
[[nodiscard]] std::string describe_basis_state(const Problem& problem, std::uint64_t state);

}  // namespace quartz::certify
