#include "simulator/gates.hpp"

#include <numbers>
#include <numeric>
#include <stdexcept>

namespace quartz::differential {
namespace {

using Angles = std::vector<long double>;

Matrix identity(std::size_t dimension) {
  Matrix result{dimension, std::vector<Complex>(dimension * dimension)};
  for (std::size_t i = 0; i < dimension; ++i) result.at(i, i) = {1, 0};
  return result;
}

Matrix primitive(long double theta, long double phi, long double lambda) {
  const Complex cosine{std::cos(theta / 2), 0};
  const Complex sine{std::sin(theta / 2), 0};
  const Complex minus{-1, 0};
  return {
      2,
      {cosine, minus * turned(lambda) * sine, turned(phi) * sine, turned(phi + lambda) * cosine}};
}

Matrix adjoint(const Matrix& matrix) {
  Matrix result = matrix;
  for (std::size_t i = 0; i < matrix.dimension; ++i) {
    for (std::size_t j = 0; j < matrix.dimension; ++j) result.at(i, j) = conjugate(matrix.at(j, i));
  }
  return result;
}

/// Returns the gate with controls as the first operands.
Matrix controlled(const Matrix& matrix, unsigned controls) {
  const std::size_t on = (std::size_t{1} << controls) - 1;
  Matrix result = identity(matrix.dimension << controls);
  for (std::size_t i = 0; i < matrix.dimension; ++i) {
    for (std::size_t j = 0; j < matrix.dimension; ++j) {
      result.at(i << controls | on, j << controls | on) = matrix.at(i, j);
    }
  }
  return result;
}

Matrix matrix_of(std::string_view name, const Angles& angles, const Definitions& definitions);

/// Returns the matrix of a definition's body.
Matrix composed(const Definition& definition, const Angles& angles,
                const Definitions& definitions) {
  if (angles.size() != definition.parameters.size()) {
    throw std::runtime_error("a gate has another number of angles than its definition");
  }
  Values values;
  for (std::size_t i = 0; i < angles.size(); ++i) values[definition.parameters[i]] = angles[i];
  // The entries are a vector whose index has the row in its upper and the column in its lower bits.
  Matrix result = identity(std::size_t{1} << definition.qubits);
  for (const Statement& statement : definition.body) {
    if (statement.kind == StatementKind::barrier) continue;
    std::vector<unsigned> rows = statement.qubits;
    for (unsigned& bit : rows) bit += definition.qubits;
    apply(gate_matrix(statement, definitions, values), rows, result.entries);
  }
  return result;
}

Matrix standard_matrix(std::string_view name, const Angles& angles) {
  static std::map<std::string, Matrix, std::less<>> known;
  const auto definition = standard_gates().find(name);
  if (definition == standard_gates().end()) {
    throw std::runtime_error("unknown gate " + std::string(name));
  }
  // Definitions have priority, but those of other gates do not change the standard ones.
  if (!angles.empty()) return composed(definition->second, angles, {});
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  return known.emplace(name, composed(definition->second, angles, {})).first->second;
}

/// Returns the factor by which b is a multiple of a, or zero if it is none.
Complex factor_between(const Matrix& a, const Matrix& b) {
  constexpr long double tolerance = 1e-15L;
  if (a.dimension != b.dimension) return {};
  std::size_t largest = 0;
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    if (squared_norm(a.entries[i]) > squared_norm(a.entries[largest])) largest = i;
  }
  const Complex pivot = a.entries[largest];
  const Complex inverse{pivot.re / squared_norm(pivot), -pivot.im / squared_norm(pivot)};
  const Complex factor = b.entries[largest] * inverse;
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    if (squared_norm(b.entries[i] - factor * a.entries[i]) > tolerance * tolerance) return {};
  }
  return factor;
}

/// Returns the factor by which a definition is a multiple of the standard gate of its name, or zero
/// if it is none or if there is no such gate. The answer is that for one choice of angles.
Complex multiple_of_standard_gate(std::string_view name, const Definition& definition,
                                  const Definitions& definitions) {
  const auto standard = standard_gates().find(name);
  if (standard == standard_gates().end()) return {};
  Angles angles;
  constexpr long double first = 0.3L;
  constexpr long double step = 0.41L;
  for (std::size_t i = 0; i < definition.parameters.size(); ++i) angles.push_back(first + step * i);
  if (standard->second.parameters.size() != angles.size()) return {};
  return factor_between(standard_matrix(name, angles), composed(definition, angles, definitions));
}

bool is_zero(Complex factor) {
  constexpr long double half = 0.5L;
  return squared_norm(factor) < half;
}

Matrix matrix_of(std::string_view name, const Angles& angles, const Definitions& definitions) {
  if (name == "U") return primitive(angles.at(0), angles.at(1), angles.at(2));
  const auto defined = definitions.find(name);
  if (defined == definitions.end()) return standard_matrix(name, angles);
  return composed(defined->second, angles, definitions);
}

}  // namespace

Matrix gate_matrix(const Statement& statement, const Definitions& definitions,
                   const Values& values) {
  Angles angles;
  for (const std::string& angle : statement.angles) angles.push_back(evaluate(angle, values));
  const bool is_phase = statement.kind == StatementKind::phase || statement.name == "gphase";
  Matrix matrix =
      is_phase ? Matrix{1, {turned(angles.at(0))}} : matrix_of(statement.name, angles, definitions);
  if (statement.inverted) matrix = adjoint(matrix);
  if (statement.controls != 0) matrix = controlled(matrix, statement.controls);
  if (matrix.dimension != std::size_t{1} << statement.qubits.size()) {
    throw std::runtime_error("gate " + statement.name + " on a wrong number of qubits");
  }
  return matrix;
}

Definitions own_gates(const Program& program) {
  constexpr long double tolerance = 1e-15L;
  Definitions own;
  for (const auto& [name, definition] : program.definitions) {
    const Complex factor = multiple_of_standard_gate(name, definition, program.definitions);
    if (is_zero(factor)) {
      own.emplace(name, definition);
    } else if (program.version != 2 &&
               squared_norm(factor - Complex{1, 0}) > tolerance * tolerance) {
      throw std::runtime_error("the definition of " + name + " has another phase");
    }
  }
  return own;
}

void apply(const Matrix& matrix, const std::vector<unsigned>& bits, std::vector<Complex>& vector) {
  std::vector<std::size_t> offsets(matrix.dimension, 0);
  std::size_t mask = 0;
  for (std::size_t k = 0; k < bits.size(); ++k) {
    mask |= std::size_t{1} << bits[k];
    for (std::size_t i = 0; i < matrix.dimension; ++i) {
      if ((i >> k & 1U) != 0) offsets[i] |= std::size_t{1} << bits[k];
    }
  }
  std::vector<Complex> old(matrix.dimension);
  for (std::size_t base = 0; base < vector.size(); ++base) {
    if ((base & mask) != 0) continue;
    for (std::size_t i = 0; i < matrix.dimension; ++i) old[i] = vector[base | offsets[i]];
    for (std::size_t i = 0; i < matrix.dimension; ++i) {
      Complex sum;
      for (std::size_t j = 0; j < matrix.dimension; ++j) sum += matrix.at(i, j) * old[j];
      vector[base | offsets[i]] = sum;
    }
  }
}

}  // namespace quartz::differential
