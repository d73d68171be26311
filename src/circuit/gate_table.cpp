#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "circuit/gate_table.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::circuit {
namespace {

using Terms = std::vector<PhaseTerm>;
using Matrix = std::vector<MatrixEntry>;

// --- the functions that a row of gates.inc uses ---

const Angle zero;

Angle pi(std::int64_t numerator, std::int64_t denominator = 1) {
  return Angle::pi_times(Rational(numerator, denominator));
}

Terms scaled(int coefficient, int sqrt2_power, Angle exponent = {}) {
  return {{coefficient, sqrt2_power, std::move(exponent)}};
}
Terms one() { return scaled(1, 0); }
Terms e(Angle exponent) { return scaled(1, 0, std::move(exponent)); }

/// Returns e^{i phase} cos(angle/2), from cos v = (e^{iv} + e^{-iv}) / 2.
Terms cosine(const Angle& angle, const Angle& phase = {}) {
  const Angle half = angle * Rational(1, 2);
  return {{1, 2, phase + half}, {1, 2, phase - half}};
}

/// Returns -i e^{i phase} sin(angle/2) = -e^{i phase} (e^{iv} - e^{-iv}) / 2.
Terms minus_i_sine(const Angle& angle, const Angle& phase = {}) {
  const Angle half = angle * Rational(1, 2);
  return {{-1, 2, phase + half}, {1, 2, phase - half}};
}

/// Returns -e^{i phase} sin(angle/2).
Terms minus_sine(const Angle& angle, const Angle& phase = {}) {
  return minus_i_sine(angle, phase + pi(-1, 2));
}

Matrix matrix(Matrix entries) { return entries; }

Matrix diagonal(const std::vector<Angle>& phases) {
  Matrix entries;
  for (unsigned i = 0; i < phases.size(); ++i) entries.push_back({i, i, e(phases[i])});
  return entries;
}

Matrix shifted(Matrix entries, const Angle& phase) {
  for (MatrixEntry& entry : entries) {
    for (PhaseTerm& term : entry.terms) term.exponent += phase;
  }
  return entries;
}

Operation on(GateKind kind, std::initializer_list<Qubit> qubits, AngleList angles = {}) {
  return make_operation(kind, qubits, std::move(angles));
}

Decomposition as(std::vector<Operation> operations, Angle phase = {}) {
  return {std::move(operations), std::move(phase), {}};
}

Decomposition when(AngleList angles, std::vector<Operation> operations, Angle phase = {}) {
  return {std::move(operations), std::move(phase), std::move(angles)};
}

/// Declares that the inverse consists of these operations.
Decomposition by(std::vector<Operation> operations) { return as(std::move(operations)); }
/// Declares that the gate is its own inverse; add_row, which knows the gate, fills in the
/// operation.
Decomposition self() { return as({}); }

// --- properties derived from a matrix ---

unsigned with_bits_swapped(unsigned index, unsigned a, unsigned b) {
  const unsigned differ = ((index >> a) ^ (index >> b)) & 1U;
  return index ^ (differ << a) ^ (differ << b);
}

struct PlacedTerm {
  unsigned column = 0;
  unsigned row = 0;
  Angle exponent;
  int sqrt2_power = 0;
  int coefficient = 1;
  friend auto operator<=>(const PlacedTerm&, const PlacedTerm&) = default;
};

/// Returns the terms of all entries in an order that does not depend on how the row was written,
/// with signs moved into the exponents, and exponents reduced modulo a full turn.
std::vector<PlacedTerm> sorted_terms(const Matrix& matrix) {
  std::vector<PlacedTerm> terms;
  for (const MatrixEntry& entry : matrix) {
    for (const PhaseTerm& term : entry.terms) {
      const Angle exponent = term.coefficient < 0 ? term.exponent + pi(1) : term.exponent;
      terms.push_back({entry.column, entry.row, exponent.reduced_modulo(2), term.sqrt2_power,
                       std::abs(term.coefficient)});
    }
  }
  std::sort(terms.begin(), terms.end());
  return terms;
}

/// Exchanging operands is an equivalence relation, because (a c) = (a b)(b c)(a b), so each operand
/// is compared only with the lowest operand of each class before it.
std::vector<unsigned> operand_symmetry(const Matrix& matrix, unsigned qubits) {
  const auto original = sorted_terms(matrix);
  std::vector<unsigned> symmetry;
  for (unsigned operand = 0; operand < qubits; ++operand) {
    unsigned lowest = operand;
    for (unsigned other = 0; other < operand && lowest == operand; ++other) {
      if (symmetry[other] != other) continue;
      Matrix exchanged = matrix;
      for (MatrixEntry& entry : exchanged) {
        entry.row = with_bits_swapped(entry.row, operand, other);
        entry.column = with_bits_swapped(entry.column, operand, other);
      }
      if (sorted_terms(exchanged) == original) lowest = other;
    }
    symmetry.push_back(lowest);
  }
  return symmetry;
}

// --- the table ---

class TableBuilder {
 public:
  std::vector<Gate> build();

 private:
  [[nodiscard]] const Matrix& matrix_of(GateKind kind) const {
    ensure(static_cast<std::size_t>(kind) < rows_.size(), "a gate's row uses earlier rows only");
    return rows_[static_cast<std::size_t>(kind)].matrix;
  }

  /// Returns the identity unless all of the first `controls` operands are 1, and `base` if they
  /// are.
  [[nodiscard]] Matrix controlled(unsigned controls, const Matrix& base) const {
    const unsigned ones = (1U << controls) - 1;
    unsigned base_dimension = 0;
    for (const MatrixEntry& entry : base) base_dimension = std::max(base_dimension, entry.row + 1);
    Matrix entries;
    for (unsigned i = 0; i < (base_dimension << controls); ++i) {
      if ((i & ones) != ones) entries.push_back({i, i, one()});
    }
    for (const MatrixEntry& entry : base) {
      entries.push_back(
          {(entry.row << controls) | ones, (entry.column << controls) | ones, entry.terms});
    }
    return entries;
  }
  [[nodiscard]] Matrix controlled(unsigned controls, GateKind base) const {
    return controlled(controls, matrix_of(base));
  }

  void add_row(GateKind kind, std::string_view name, std::vector<std::string_view> aliases,
               unsigned qubits, std::vector<std::string_view> parameters, Matrix entries,
               Decomposition inverse, std::vector<Decomposition> decompositions) {
    Gate row;
    row.kind = kind;
    row.name = name;
    row.aliases = std::move(aliases);
    row.qubits = qubits;
    row.parameters = std::move(parameters);
    row.matrix = std::move(entries);
    complete_row(row);
    row.inverse = std::move(inverse);
    if (row.inverse.operations.empty()) {
      row.inverse.operations.push_back(on_own_operands(row));
    }
    row.decompositions = std::move(decompositions);
    rows_.push_back(std::move(row));
  }

  std::vector<Gate> rows_;
};

std::vector<Gate> TableBuilder::build() {
  using enum GateKind;
  const Angle theta = Angle::symbol("theta");
  const Angle phi = Angle::symbol("phi");
  const Angle phi0 = Angle::symbol("phi0");
  const Angle phi1 = Angle::symbol("phi1");
  const Angle lambda = Angle::symbol("lambda");
  const Angle gamma = Angle::symbol("gamma");
#define QUARTZ_GATE(name, ...) add_row(name, #name, __VA_ARGS__);
#include "quartz/circuit/gates.inc"
#undef QUARTZ_GATE
  return std::move(rows_);
}

}  // namespace

std::vector<Gate> make_gate_table() { return TableBuilder().build(); }

void complete_row(Gate& row) {
  std::sort(row.matrix.begin(), row.matrix.end(), [](const auto& a, const auto& b) {
    return std::pair(a.column, a.row) < std::pair(b.column, b.row);
  });
  row.diagonal = std::all_of(row.matrix.begin(), row.matrix.end(),
                             [](const MatrixEntry& entry) { return entry.row == entry.column; });
  row.symmetry = operand_symmetry(row.matrix, row.qubits);
}

}  // namespace quartz::circuit
