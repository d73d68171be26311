#include "fingerprint/gate_matrix.hpp"

#include <map>
#include <string>

#include "quartz/errors.hpp"

namespace quartz {

std::vector<MatrixEntry> matrix_of(const Operation& operation) {
  if (operation.is_wall()) throw UsageError("only gates have a unitary");
  const Gate& row = gate(operation.gate);
  if (row.parameters.empty()) return row.matrix;
  std::map<std::string, Angle> angles;
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    angles.emplace(row.parameters[i], operation.angles[i]);
  }
  std::vector<MatrixEntry> matrix = row.matrix;
  for (MatrixEntry& entry : matrix) {
    for (PhaseTerm& term : entry.terms) term.exponent = term.exponent.substitute(angles);
  }
  return matrix;
}

}  // namespace quartz
