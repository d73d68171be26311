#include "verify/laurent_circuit.hpp"

#include <algorithm>
#include <cstdlib>

#include "circuit/custom_gates/per_gate.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::verify {
namespace {

GateShape::Term shape_of(const PhaseTerm& term, const Gate& row) {
  GateShape::Term shape;
  shape.coefficient = term.coefficient;
  shape.sqrt2_power = term.sqrt2_power;
  shape.pi_multiple = term.exponent.pi_part();
  shape.half_multiples.resize(row.parameters.size());
  for (const Angle::Term& part : term.exponent.terms()) {
    const Rational halves = part.coefficient * Rational(2);
    const auto found = std::find(row.parameters.begin(), row.parameters.end(), part.symbol);
    ensure(found != row.parameters.end() && halves.is_integer(),
           "a gate's entries are exponentials of its parameters' halves");
    shape.half_multiples[static_cast<std::size_t>(found - row.parameters.begin())] =
        static_cast<int>(halves.numerator());
  }
  shape.is_one = shape.coefficient == 1 && shape.sqrt2_power == 0 && term.exponent.is_zero();
  return shape;
}

GateShape shape_of(const Gate& row) {
  GateShape shape;
  shape.largest_multiples.resize(row.parameters.size());
  shape.first_entry.assign(row.dimension() + 1, 0);
  for (const MatrixEntry& entry : row.matrix) {
    const std::size_t first = shape.terms.size();
    for (const PhaseTerm& term : entry.terms) {
      shape.terms.push_back(shape_of(term, row));
      for (std::size_t i = 0; i < row.parameters.size(); ++i) {
        shape.largest_multiples[i] =
            std::max(shape.largest_multiples[i], std::abs(shape.terms.back().half_multiples[i]));
      }
    }
    shape.entries.push_back({entry.row, first, shape.terms.size()});
    ++shape.first_entry[entry.column + 1];
  }
  for (std::size_t i = 1; i < shape.first_entry.size(); ++i) {
    shape.first_entry[i] += shape.first_entry[i - 1];
  }
  return shape;
}

}  // namespace

const GateShape& gate_shape(GateKind kind) {
  static circuit::PerGate<GateShape> shapes(shape_of);
  return shapes.of(kind);
}

void collect_angles(std::span<const Operation> operations, AngleLattice& lattice) {
  for (const Operation& operation : operations) {
    const GateShape& shape = gate_shape(operation.gate);
    for (std::size_t i = 0; i < operation.angles.size(); ++i) {
      lattice.collect(operation.angles[i], shape.largest_multiples[i]);
    }
    for (const GateShape::Term& term : shape.terms) lattice.collect_pi(term.pi_multiple);
  }
}

LaurentCircuit::LaurentCircuit(std::span<const Operation> operations, const ClaimCore& core,
                               const AngleLattice& lattice)
    : ring_(&lattice.ring()) {
  boost::container::small_vector<algebra::Monomial, 4> half_angles;
  for (const Operation& operation : operations) {
    Step& step = steps_.emplace_back();
    step.shape = &gate_shape(operation.gate);
    step.offsets.assign(std::size_t{1} << operation.qubits.size(), 0);
    for (std::size_t i = 0; i < operation.qubits.size(); ++i) {
      const std::size_t bit = std::size_t{1} << core.position(operation.qubits[i]);
      step.mask |= bit;
      for (std::size_t local = 0; local < step.offsets.size(); ++local) {
        if (((local >> i) & 1U) != 0) step.offsets[local] |= bit;
      }
    }
    half_angles.clear();
    for (const Angle& angle : operation.angles) half_angles.push_back(lattice.half_angle(angle));
    step.first_monomial = monomials_.size();
    for (const GateShape::Term& term : step.shape->terms) {
      algebra::Monomial monomial =
          term.pi_multiple.is_zero() ? algebra::Monomial{} : lattice.pi_phase(term.pi_multiple);
      for (std::size_t i = 0; i < half_angles.size(); ++i) {
        if (term.half_multiples[i] == 0) continue;
        monomial = ring_->product(monomial, ring_->power(half_angles[i], term.half_multiples[i]));
      }
      monomials_.push_back(monomial);
    }
  }
}

void LaurentCircuit::column(std::size_t index, std::span<algebra::Laurent> amplitudes) const {
  for (algebra::Laurent& amplitude : amplitudes) amplitude = algebra::Laurent{};
  amplitudes[index] = ring_->one();
  for (const Step& step : steps_) apply(step, amplitudes);
}

void LaurentCircuit::apply(const Step& step, std::span<algebra::Laurent> amplitudes) const {
  const GateShape& shape = *step.shape;
  boost::container::small_vector<algebra::Laurent, 8> before(step.offsets.size());
  for (std::size_t base = 0; base < amplitudes.size(); ++base) {
    if ((base & step.mask) != 0) continue;
    for (std::size_t local = 0; local < before.size(); ++local) {
      algebra::Laurent& amplitude = amplitudes[base | step.offsets[local]];
      before[local].terms.clear();
      before[local].sqrt2_power = 0;
      if (!amplitude.terms.empty()) std::swap(before[local], amplitude);
    }
    for (std::size_t local = 0; local < before.size(); ++local) {
      if (before[local].terms.empty()) continue;
      for (std::size_t e = shape.first_entry[local]; e < shape.first_entry[local + 1]; ++e) {
        const GateShape::Entry& entry = shape.entries[e];
        algebra::Laurent& target = amplitudes[base | step.offsets[entry.row]];
        for (std::size_t t = entry.first_term; t < entry.end_term; ++t) {
          const GateShape::Term& term = shape.terms[t];
          algebra::Laurent addend = before[local];
          if (!term.is_one) {
            ring_->scale(addend, term.coefficient, term.sqrt2_power,
                         monomials_[step.first_monomial + t]);
          }
          ring_->add(target, addend);
        }
      }
    }
  }
}

}  // namespace quartz::verify
