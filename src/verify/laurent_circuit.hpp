#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "algebra/laurent.hpp"
#include "verify/angle_lattice.hpp"
#include "verify/claim_core.hpp"

namespace quartz::verify {

/// A gate's matrix from the gate table in a flat layout, with exponents in half angles.
struct GateShape {
  struct Term {
    std::int64_t coefficient = 1;
    int sqrt2_power = 0;
    Rational pi_multiple;
    boost::container::small_vector<int, 4> half_multiples;  ///< one for each parameter
    bool is_one = false;                                    ///< whether the term is the number 1
  };
  struct Entry {
    unsigned row = 0;
    std::size_t first_term = 0;
    std::size_t end_term = 0;
  };

  std::vector<Term> terms;
  std::vector<Entry> entries;            ///< sorted by column, then row
  std::vector<std::size_t> first_entry;  ///< one for each column, and one more at the end
  std::vector<int> largest_multiples;    ///< greatest multiples of half parameters in all terms
};

/// Returns the shape of a gate of the table.
[[nodiscard]] const GateShape& gate_shape(GateKind kind);

/// Registers all angles of these operations with the lattice.
void collect_angles(std::span<const Operation> operations, AngleLattice& lattice);

/// One side of a claim, on the qubits in use, with its angles as monomials.
class LaurentCircuit {
 public:
  LaurentCircuit(std::span<const Operation> operations, const ClaimCore& core,
                 const AngleLattice& lattice);

  /// Computes column `index` of the unitary: one amplitude for each row.
  void column(std::size_t index, std::span<algebra::Laurent> amplitudes) const;

 private:
  struct Step {
    const GateShape* shape = nullptr;
    boost::container::small_vector<std::size_t, 8> offsets;  ///< maps a local index to global bits
    std::size_t mask = 0;                                    ///< the bits of all operands
    std::size_t first_monomial = 0;                          ///< the shape's terms have one each
  };

  void apply(const Step& step, std::span<algebra::Laurent> amplitudes) const;

  const algebra::LaurentRing* ring_;
  boost::container::small_vector<Step, 8> steps_;
  boost::container::small_vector<algebra::Monomial, 64> monomials_;
};

}  // namespace quartz::verify
