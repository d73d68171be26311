#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/operation.hpp"

/// The gate table, built from quartz/circuit/gates.inc, which is the one list of gates. Parsing,
/// writing, matrices (numeric, finite-field, symbolic, Z3), inverses, translation, documentation
/// and tests all follow from it.
namespace quartz {

/// coefficient / sqrt(2)^sqrt2_power * e^{i exponent}. The exponent is linear in the gate's
/// parameters, with coefficients that are multiples of 1/2, plus a multiple of pi.
struct PhaseTerm {
  int coefficient = 1;
  int sqrt2_power = 0;
  Angle exponent;
};

/// One non-zero entry of a unitary, as the sum of its terms.
struct MatrixEntry {
  unsigned row = 0;
  unsigned column = 0;
  std::vector<PhaseTerm> terms;
};

/// An exact way to write a gate in other gates: the gate equals e^{i phase} times the operations,
/// the first of which is applied first. Operands are numbered like the gate's own; angles are
/// expressions in the names of the gate's parameters.
struct Decomposition {
  std::vector<Operation> operations;
  Angle phase;
  /// Empty if the decomposition holds for all angles. Otherwise one angle for each parameter: a
  /// constant that the parameter must equal, such as pi/4 in p(pi/4) = t, or the parameter itself,
  /// which may then be any angle. A constant may differ from an operation's angle by whole turns;
  /// normalize_angles gives the phase of the difference.
  AngleList when;
};

/// One row of the gate table.
struct Gate {
  GateKind kind{};
  std::string_view name;                     ///< as in qelib1.inc and stdgates.inc, lower case
  std::vector<std::string_view> aliases;     ///< other names that are read as this gate
  unsigned qubits = 0;                       ///< number of operands
  std::vector<std::string_view> parameters;  ///< names, in order
  /// The non-zero entries of the 2^qubits x 2^qubits unitary, sorted by column, then row; operand 0
  /// is the least significant bit of an index.
  std::vector<MatrixEntry> matrix;
  Decomposition inverse;
  std::vector<Decomposition> decompositions;  ///< preferred first
  bool diagonal = false;                      ///< derived from the matrix
  /// For each operand, the lowest operand that it can be exchanged with (itself if there is no
  /// lower one). Operands with equal entries are interchangeable. Derived from the matrix.
  std::vector<unsigned> symmetry;

  /// Returns the dimension of the unitary, 2^qubits.
  [[nodiscard]] unsigned dimension() const noexcept { return 1U << qubits; }
};

/// Returns the gates of gates.inc, indexed by GateKind; custom_gate.hpp adds those of gate-set
/// files.
[[nodiscard]] std::span<const Gate> gate_table();
/// Returns the row of a gate, custom gates included.
[[nodiscard]] const Gate& gate(GateKind kind);
/// Finds a gate of gates.inc by its name or an alias; returns null if there is no such gate. Custom
/// gates have names in their gate set only (find_gate in custom_gate.hpp).
[[nodiscard]] const Gate* find_gate(std::string_view name);

/// Maps the parameter names of the row to these angles, one for each parameter, for
/// Angle::substitute.
[[nodiscard]] std::map<std::string, Angle> angles_by_name(const Gate& row,
                                                          std::span<const Angle> angles);
/// Returns the gate on qubits 0, 1, ..., numbered as in its row.
[[nodiscard]] Operation on_own_operands(const Gate& row, AngleList angles = {});

/// Returns a row's decomposition (or inverse) with the operation's angles and qubits filled in.
[[nodiscard]] Decomposition instantiate(const Decomposition& pattern, const Operation& operation);
/// Returns the exact inverse of a gate operation.
[[nodiscard]] Decomposition inverse_of(const Operation& operation);

}  // namespace quartz
