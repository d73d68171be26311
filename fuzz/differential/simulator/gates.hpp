#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/expression.hpp"
#include "program/program.hpp"
#include "simulator/complex.hpp"

namespace quartz::differential {

/// Returns the definitions of the standard gates, from the primitive gate U and controls: those of
/// qelib1.inc and stdgates.inc, with the global phases of Qiskit's circuit library.
[[nodiscard]] const Definitions& standard_gates();

/// Returns the definitions of a program without those that are the standard gate of their name. In
/// version 2, which cannot express phases, such a definition may differ from the gate by a phase;
/// in version 3 throws std::runtime_error if it does.
[[nodiscard]] Definitions own_gates(const Program& program);

/// Returns the matrix of a gate statement on its own operands; `values` are those of the names in
/// its angles, and `definitions` have priority over the standard gates. Throws std::runtime_error
/// for an unknown gate.
[[nodiscard]] Matrix gate_matrix(const Statement& statement, const Definitions& definitions,
                                 const Values& values);

/// Applies a matrix to some bits of the index of a vector; the first is the least significant one
/// of the matrix.
void apply(const Matrix& matrix, const std::vector<unsigned>& bits, std::vector<Complex>& vector);

}  // namespace quartz::differential
