#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/random.hpp"

namespace quartz::optimizer {

/// Maximum number of wires of a phase polynomial: a set of their parities fits one word.
inline constexpr unsigned kParityWires = 6;

/// A parity of wires: bit k for wire k.
using WireParity = std::uint8_t;
/// A set of parities: bit y for the parity y.
using ParitySet = std::uint64_t;

/// A diagonal unitary: |x> -> e^{i pi/8 phase} e^{i pi/4 sum_y eighths[y] (y.x)} |x>, where y.x is
/// the parity of the bits of x that are in y (Amy, Maslov, Mosca, arXiv 1303.2042).
struct PhasePolynomial {
  std::array<std::uint8_t, std::size_t{1} << kParityWires> eighths{};  ///< modulo 8
  unsigned phase = 0;                                                  ///< modulo 16

  /// Adds the rotation rz(turns pi/4) of a parity, or of its complement.
  void add_rotation(WireParity parity, bool complement, int turns);
  /// Adds the phase e^{i pi/4 turns} on states whose parity, or its complement, is 1.
  void add_phase(WireParity parity, bool complement, int turns);
  /// Returns the parities on which a phase depends.
  [[nodiscard]] ParitySet parities() const;
};

/// Weights of rotations by each number of eighths, modulo 8; half turns (4) are not counted, as
/// they can join other rotations.
using RotationWeights = std::array<std::uint64_t, 8>;
[[nodiscard]] std::uint64_t weight_of(const PhasePolynomial& polynomial,
                                      const RotationWeights& weights);

/// The polynomials of a unitary are not unique: for m independent parities y_i
///   sum over nonempty S of (-1)^(|S| - 1) (parity of all in S) = 2^(m-1) product of the y_i,
/// which vanishes modulo 8 with the factors 1, 2, 4 for m = 4, 3, 2 (the codewords of punctured
/// Reed-Muller codes: Amy, Mosca, arXiv 1601.07363). Adds such an identity for four parities with
/// odd eighths, chosen at random, with the signs that give the least weight. If that exceeds the
/// old weight by more than one rotation, does nothing and returns false.
[[nodiscard]] bool change_odd_parities(PhasePolynomial& polynomial, const RotationWeights& weights,
                                       FastRandom& random);
/// Adds identities that keep odd eighths odd, chosen at random among those that do not increase the
/// weight.
void change_even_parities(PhasePolynomial& polynomial, const RotationWeights& weights,
                          FastRandom& random);

}  // namespace quartz::optimizer
