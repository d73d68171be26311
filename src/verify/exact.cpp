#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/verify/prover.hpp"
#include "verify/angle_lattice.hpp"
#include "verify/claim_core.hpp"
#include "verify/laurent_circuit.hpp"
#include "verify/witness.hpp"

namespace quartz {
namespace {

/// The unitary has 2^q columns with 2^q entries, which limits q.
constexpr std::size_t kMaxUnitaryQubits = 10;

struct Comparison {
  std::optional<Angle> phase;  ///< right = e^{i phase} left
  bool refutes = true;         ///< whether a missing phase means that none exists
};

/// Returns the monomial m with right = m left, found at the first non-zero entry and checked at all
/// others.
///
/// If the two sides are equal up to any phase at all, the phase is such a monomial. It is a
/// quotient of entries, so it is a rational function of the symbols. Its 2^q-th power is the
/// quotient of two determinants, which are monomials times roots of unity because the determinant
/// of every gate is. Therefore the phase itself is a monomial times a root of unity of the field,
/// which the cyclotomic ring contains.
std::optional<algebra::Monomial> relative_monomial(const verify::LaurentCircuit& left,
                                                   const verify::LaurentCircuit& right,
                                                   std::size_t dimension,
                                                   const algebra::LaurentRing& ring) {
  std::optional<algebra::Monomial> phase;
  std::vector<algebra::Laurent> left_column(dimension);
  std::vector<algebra::Laurent> right_column(dimension);
  for (std::size_t column = 0; column < dimension; ++column) {
    left.column(column, left_column);
    right.column(column, right_column);
    for (std::size_t row = 0; row < dimension; ++row) {
      if (!phase && !ring.is_zero(left_column[row])) {
        phase = ring.ratio(right_column[row], left_column[row]);
        if (!phase) return std::nullopt;
        continue;
      }
      if (phase) ring.scale(left_column[row], 1, 0, *phase);
      if (!ring.equal(left_column[row], right_column[row])) return std::nullopt;
    }
  }
  return phase;
}

/// Compares both sides. Throws OverflowError if the claim is too large for exact arithmetic.
Comparison compare(std::span<const Operation> left, std::span<const Operation> right,
                   unsigned qubits) {
  const verify::ClaimCore core = verify::core_of(left, right, qubits);
  if (core.qubits.empty()) return {Angle(), true};
  if (core.qubits.size() > kMaxUnitaryQubits) {
    throw OverflowError("an exact unitary has at most " + std::to_string(kMaxUnitaryQubits) +
                        " qubits");
  }
  verify::AngleLattice lattice;
  verify::collect_angles(core.left, lattice);
  verify::collect_angles(core.right, lattice);
  lattice.close();
  const auto monomial = relative_monomial(verify::LaurentCircuit(core.left, core, lattice),
                                          verify::LaurentCircuit(core.right, core, lattice),
                                          std::size_t{1} << core.qubits.size(), lattice.ring());
  if (monomial) return {lattice.angle_of(*monomial), true};
  return {std::nullopt, !lattice.has_related_constants()};
}

/// Returns whether e^{i a} = e^{i b} for all values of the parameters.
bool same_phase(const Angle& a, const Angle& b) {
  return (a - b).reduced_modulo(Rational(2)).is_zero();
}

class ExactProver final : public Prover {
 public:
  [[nodiscard]] std::string_view name() const override { return "exact"; }

  [[nodiscard]] ProofResult prove(const Claim& claim) override {
    try {
      const Comparison comparison = compare(claim.left, claim.right, claim.qubits);
      if (comparison.phase && same_phase(*comparison.phase, claim.phase)) {
        return {ProofVerdict::proved, {}};
      }
      return verify::refutation(claim, comparison.refutes);
    } catch (const OverflowError& error) {
      return {ProofVerdict::unknown, error.what()};
    }
  }
};

}  // namespace

std::unique_ptr<Prover> make_exact_prover() { return std::make_unique<ExactProver>(); }

std::optional<Angle> exact_relative_phase(std::span<const Operation> left,
                                          std::span<const Operation> right, unsigned qubits) {
  try {
    return compare(left, right, qubits).phase;
  } catch (const OverflowError&) {
    return std::nullopt;
  }
}

}  // namespace quartz
