#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "certify/problem/bit_tests.hpp"
#include "certify/problem/comparison.hpp"
#include "quartz/certify/fault.hpp"
#include "quartz/circuit/circuit.hpp"

/// Two circuits, including optimization boundaries, as two families of unitaries.
///
/// The methods of this module compare unitaries. Circuits with measurements, resets and conditions
/// are first brought to that form in a way that equal families imply equal circuits:
///
/// - A measurement in the branch where its outcome is m is the projection P_m. Instead of P_0 and
///   P_1 take P_0 + e^{i l} P_1, the phase gate p(l) with a fresh symbol l: the terms with and
///   without e^{i l} are the two branches, so circuits that agree for all l agree in each branch.
///   The symbol is identified by the classical bit and the number of earlier writes to it; the two
///   circuits must write each bit equally often and under the same conditions. An outcome that is
///   not kept is written to an extra bit of the qubit, which nothing reads.
/// - A reset exchanges the qubit with a fresh wire that starts in |0>, and leaves the old state on
///   another wire (Stinespring). Equal isometries then give equal channels. The fresh wire is
///   identified by the qubit and the number of its earlier resets.
/// - A condition is an unknown truth value, one for each value of a register between two writes to
///   it, and one for each value that a negated condition excludes. Several conditions that must all
///   hold are one more truth value. Circuits that agree for all truth values agree for those that
///   occur (condition_cases.hpp has these, if circuits agree only for them).
/// - An opaque operation is an unknown unitary, one for each name and angles.
/// - A barrier has no effect.
///
/// By induction over the writes, both circuits have the same classical contents in the same branch.
/// The converse does not hold: circuits whose families differ may still be equal (for example with
/// rz before a final measurement), so a difference of families proves nothing unless there are no
/// measurements, resets and conditions.
namespace quartz::certify {

using Wire = std::uint32_t;

struct WireInfo {
  std::string name;          ///< such as "q[3]", for messages
  bool starts_zero = false;  ///< starts in |0> instead of an arbitrary state
  /// Only the right circuit has it, and what it ends in does not matter.
  bool is_discarded = false;
  friend bool operator==(const WireInfo&, const WireInfo&) = default;
};

/// A wire with a bit, as a condition.
struct Control {
  Wire wire = 0;
  bool value = true;
  friend bool operator==(const Control&, const Control&) = default;
};

/// A unitary on wires, applied if its condition (an index of a truth value) holds, and if all
/// controls have their values.
struct Step {
  Operation operation;  ///< a gate or an opaque operation, with only the name in its classical part
  std::optional<std::uint32_t> condition = {};
  std::vector<Control> controls = {};  ///< on discarded wires
  /// Whether this is the CNOT of a measurement of an ancilla, with the outcome as its target.
  bool is_outcome = false;
  friend bool operator==(const Step&, const Step&) = default;
};

struct Problem {
  std::vector<WireInfo> wires;
  std::vector<Step> left;
  std::vector<Step> right;
  Angle phase;  ///< global phase of the right circuit minus that of the left one
  /// All conditions. At most one of each group is true, since a register has one value.
  std::vector<std::vector<std::uint32_t>> condition_groups;
  /// What the conditions of a whole problem mean: a condition holds if all its tests have these
  /// outcomes. Empty for a part, and if there are many tests.
  std::vector<BitTest> tests;
  std::vector<std::vector<TestOutcome>> tests_of_condition;
  /// The operator norm of the difference, up to a global phase, that is permitted; with 0, only
  /// rounding is. Methods other than those of simulation/dense.hpp decide exact equality, up to
  /// rounding.
  double epsilon = 0;
  /// The symbols l of measurements. All other symbols are free parameters of the circuits.
  std::set<std::string> outcome_symbols;

  /// Returns whether other differences are permitted than those that come from rounding.
  [[nodiscard]] bool is_approximate() const { return epsilon > 0; }
  /// Returns the distance with which the two sides are still considered equal.
  [[nodiscard]] double tolerance() const { return tolerance_of(epsilon); }
  [[nodiscard]] bool has_zero_wires() const;
  [[nodiscard]] bool has_opaque() const;
  /// Returns whether some angle has a free parameter of the circuits.
  [[nodiscard]] bool has_parameters() const;
  /// Returns all symbols in angles, sorted.
  [[nodiscard]] std::set<std::string> symbols() const;
  /// Returns whether the angle contains the symbol of a measurement.
  [[nodiscard]] bool depends_on_outcome(const Angle& angle) const;
  /// Returns all conditions of the steps.
  [[nodiscard]] std::set<std::uint32_t> conditions() const;
};

/// Returns the problem of two circuits with the same numbers of qubits and bits or, if their
/// measurements and resets do not correspond, a description of the difference.
[[nodiscard]] std::variant<Problem, Fault> pose_problem(const Circuit& left, const Circuit& right);

/// Returns the problem of a circuit and one that has more qubits and bits, after those of the left
/// circuit. These are its ancillas, which start in |0> and are discarded, and outcomes of
/// measurements that only the conditions of the right circuit read. They become discarded wires:
///
/// - A measurement into such a bit copies the qubit to a fresh wire by a CNOT, and a condition on
///   the bit is a control on that wire (deferred measurement).
/// - A reset of an ancilla takes a fresh wire in place of the qubit.
///
/// The circuits are equal if and only if the right one, followed by the inverse of the left one,
/// leaves all other wires as they are and the discarded ones in a state that does not depend on
/// them. Only compare_with_ancillas() (path_sum/ancilla_comparison.hpp) knows discarded wires.
[[nodiscard]] std::variant<Problem, Fault> pose_problem_with_ancillas(const Circuit& left,
                                                                      const Circuit& right);

/// Removes equal steps from the beginnings and the ends of both sides where wires allow it. The
/// remaining sides are equal if and only if the original ones are.
void cancel_common_steps(Problem& problem);

/// A problem as problems on disjoint wires, which are equal up to phases if and only if the whole
/// is, as for tensor products. Each part is only formed when it is taken: a circuit may have a
/// million of them.
class ProblemParts {
 public:
  explicit ProblemParts(Problem problem);

  [[nodiscard]] std::size_t size() const { return parts_.size(); }
  /// Returns a part, which can be taken once. Its wires are renumbered, and wires without a step
  /// are in no part. The global phase is in none of them.
  [[nodiscard]] Problem take(std::size_t part);

 private:
  /// Positions in the lists below at which the wires and the steps of a part begin.
  struct Part {
    std::size_t wires = 0;
    std::size_t left = 0;
    std::size_t right = 0;
  };
  /// Numbers the parts of the wires, and returns the number for each wire.
  [[nodiscard]] std::vector<std::size_t> number_parts();
  /// Moves the steps of a part to it.
  void move_steps(Problem& part, std::vector<Step>& steps, const std::vector<std::size_t>& order,
                  std::size_t begin, std::size_t end) const;

  Problem whole_;
  std::vector<Part> parts_;
  std::vector<Wire> wires_;         ///< by part, like the steps
  std::vector<std::size_t> left_;   ///< indices of the steps
  std::vector<std::size_t> right_;  ///< indices of the steps
  std::vector<Wire> new_number_;    ///< numbers of the wires in their parts
  std::vector<std::size_t> group_of_condition_;
};

/// Returns "q[0]=1 q[3]=1 (all others 0)" for a basis state with wire i in bit i.
[[nodiscard]] std::string describe_basis_state(const Problem& problem, std::uint64_t state);

}  // namespace quartz::certify
