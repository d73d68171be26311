#pragma once

#include <boost/container/small_vector.hpp>
#include <string>
#include <vector>

#include "quartz/algebra/angle.hpp"
#include "verify/claim_core.hpp"

/// A claim in the form that is encoded for Z3: matrices whose entries are sums of exponentials,
/// with all exponents as integers. It is built from the gate table and the angles alone, and shares
/// nothing with the arithmetic of the exact prover.
namespace quartz::verify {

/// A free parameter, or one of the numbers in angles (radians, a long literal), and the angle alpha
/// = unit * symbol of which all its multiples in the claim are integer multiples. Numbers are
/// treated as free: what is proved for all values holds for the number itself.
struct ExponentialSymbol {
  std::string name;  ///< empty for radians
  Rational unit;

  [[nodiscard]] bool is_number() const {
    return name.empty() || (name[0] >= '0' && name[0] <= '9');
  }
};

/// coefficient / sqrt(2)^sqrt2_power * zeta^root * product over s of e^{i multiples[s] alpha_s}.
struct ExponentialTerm {
  int coefficient = 1;
  int sqrt2_power = 0;
  unsigned root = 0;
  std::vector<int> multiples;
};

struct ExponentialEntry {
  unsigned row = 0;
  unsigned column = 0;
  std::vector<ExponentialTerm> terms;
};

struct ExponentialGate {
  /// Positions of the gate's operands among the core's qubits.
  boost::container::small_vector<unsigned, 4> positions;
  std::vector<ExponentialEntry> entries;
};

struct ExponentialClaim {
  unsigned order = 8;  ///< order of zeta = e^{2 pi i/order}; a multiple of 8
  std::vector<ExponentialSymbol> symbols;
  std::vector<ExponentialGate> left;
  std::vector<ExponentialGate> right;
  ExponentialTerm phase;
};

/// Throws OverflowError if the angles need a root of unity of an order above `largest_order`, or a
/// multiple above `largest_multiple`.
[[nodiscard]] ExponentialClaim exponential_claim(const ClaimCore& core, const Angle& phase,
                                                 unsigned largest_order, int largest_multiple);

}  // namespace quartz::verify
