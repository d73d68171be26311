#include "circuit/exact_matrix.hpp"

#include <algorithm>
#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::circuit {

ExactMatrix::ExactMatrix(unsigned qubits)
    : qubits_(qubits), entries_(std::size_t{dimension()} * dimension()) {
  for (unsigned i = 0; i < dimension(); ++i) at(i, i) = ExactSum::integer(1);
}

ExactMatrix::ExactMatrix(unsigned qubits, std::span<const MatrixEntry> entries)
    : qubits_(qubits), entries_(std::size_t{dimension()} * dimension()) {
  for (const MatrixEntry& entry : entries) at(entry.row, entry.column) += ExactSum(entry.terms);
}

ExactMatrix ExactMatrix::of(const Operation& gate_operation) {
  const Gate& row = gate(gate_operation.gate);
  return ExactMatrix(row.qubits, row.matrix).substitute(angles_by_name(row, gate_operation.angles));
}

ExactMatrix ExactMatrix::of(std::span<const Operation> operations, unsigned qubits) {
  ExactMatrix result(qubits);
  for (const Operation& operation : operations) result.apply(operation);
  return result;
}

void ExactMatrix::apply(const Operation& operation) {
  ensure(!operation.is_boundary(), "only gates have a unitary");
  const ExactMatrix own = of(operation);
  std::vector<unsigned> offsets(own.dimension(), 0);
  for (unsigned local = 0; local < own.dimension(); ++local) {
    for (unsigned i = 0; i < own.qubits_; ++i) {
      if (((local >> i) & 1U) != 0) offsets[local] |= 1U << operation.qubits[i];
    }
  }
  std::vector<ExactSum> before(own.dimension());
  for (unsigned column = 0; column < dimension(); ++column) {
    for (unsigned base = 0; base < dimension(); ++base) {
      if ((base & offsets.back()) != 0) continue;
      for (unsigned i = 0; i < own.dimension(); ++i) {
        before[i] = std::exchange(at(base | offsets[i], column), ExactSum());
      }
      for (unsigned i = 0; i < own.dimension(); ++i) {
        for (unsigned j = 0; j < own.dimension(); ++j) {
          at(base | offsets[i], column) += own.at(i, j) * before[j];
        }
      }
    }
  }
}

ExactMatrix operator*(const ExactMatrix& a, const ExactMatrix& b) {
  ensure(a.qubits_ == b.qubits_, "both matrices have the same size");
  ExactMatrix result(a.qubits_, {});
  for (unsigned row = 0; row < a.dimension(); ++row) {
    for (unsigned k = 0; k < a.dimension(); ++k) {
      for (unsigned column = 0; column < a.dimension(); ++column) {
        result.at(row, column) += a.at(row, k) * b.at(k, column);
      }
    }
  }
  return result;
}

ExactMatrix ExactMatrix::adjoint() const {
  ExactMatrix result(qubits_, {});
  for (unsigned row = 0; row < dimension(); ++row) {
    for (unsigned column = 0; column < dimension(); ++column) {
      result.at(column, row) = at(row, column).conjugate();
    }
  }
  return result;
}

ExactMatrix ExactMatrix::substitute(const std::map<std::string, Angle>& replacements) const {
  ExactMatrix result = *this;
  if (replacements.empty()) return result;
  for (ExactSum& entry : result.entries_) entry = entry.substitute(replacements);
  return result;
}

ExactMatrix ExactMatrix::turned(const Angle& angle) const {
  ExactMatrix result = *this;
  if (angle.is_zero()) return result;
  const ExactSum factor = ExactSum::phase(angle);
  for (ExactSum& entry : result.entries_) entry = factor * entry;
  return result;
}

std::vector<MatrixEntry> ExactMatrix::entries() const {
  std::vector<MatrixEntry> result;
  for (unsigned column = 0; column < dimension(); ++column) {
    for (unsigned row = 0; row < dimension(); ++row) {
      if (at(row, column).is_zero()) continue;
      result.push_back({row, column, at(row, column).terms()});
    }
  }
  return result;
}

std::string ExactMatrix::fault() const {
  const ExactMatrix product = adjoint() * *this;
  const ExactSum one = ExactSum::integer(1);
  for (unsigned column = 0; column < dimension(); ++column) {
    if (product.at(column, column) != one) {
      return "column " + std::to_string(column + 1) + " does not have length 1";
    }
    for (unsigned other = 0; other < column; ++other) {
      if (product.at(other, column).is_zero()) continue;
      return "columns " + std::to_string(other + 1) + " and " + std::to_string(column + 1) +
             " are not orthogonal";
    }
  }
  return {};
}

bool ExactMatrix::equals_turned(const ExactMatrix& other, const Angle& turn) const {
  const ExactSum factor = ExactSum::phase(turn);
  return std::equal(entries_.begin(), entries_.end(), other.entries_.begin(),
                    [&](const ExactSum& a, const ExactSum& b) { return factor * a == b; });
}

std::optional<Angle> ExactMatrix::phase_to(const ExactMatrix& other) const {
  if (qubits_ != other.qubits_) return std::nullopt;
  const auto first = std::find_if(entries_.begin(), entries_.end(),
                                  [](const ExactSum& entry) { return !entry.is_zero(); });
  if (first == entries_.end()) return std::nullopt;
  for (const Angle& turn : first->turns_to(other.entries_[first - entries_.begin()])) {
    if (equals_turned(other, turn)) return turn;
  }
  return std::nullopt;
}

}  // namespace quartz::circuit
