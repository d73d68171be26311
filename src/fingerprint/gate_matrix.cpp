#include "fingerprint/gate_matrix.hpp"

#include <map>
#include <string>

#include "quartz/base/errors.hpp"

namespace quartz::fingerprint {

std::vector<MatrixEntry> matrix_of(const Operation& operation) {
  if (operation.is_boundary()) throw UsageError("only gates have a unitary");
  const Gate& row = gate(operation.gate);
  if (row.parameters.empty()) return row.matrix;
  const std::map<std::string, Angle> angles = angles_by_name(row, operation.angles);
  std::vector<MatrixEntry> matrix = row.matrix;
  for (MatrixEntry& entry : matrix) {
    for (PhaseTerm& term : entry.terms) term.exponent = term.exponent.substitute(angles);
  }
  return matrix;
}

}  // namespace quartz::fingerprint
