#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/random.hpp"

namespace quartz {

/// The most wires that a phase polynomial speaks of: a set of their parities is one word.
inline constexpr unsigned kParityWires = 6;

/// A parity of wires: bit k for wire k.
using WireParity = std::uint8_t;
/// Bit y for the parity y.
using ParitySet = std::uint64_t;

/// A diagonal unitary: |x> -> e^{i pi/8 phase} e^{i pi/4 sum_y eighths[y] (y.x)} |x>, where y.x is
/// the parity of the bits of x that are in y (Amy, Maslov, Mosca, arXiv 1303.2042).
struct PhasePolynomial {
  std::array<std::uint8_t, std::size_t{1} << kParityWires> eighths{};  ///< modulo 8
  unsigned phase = 0;                                                  ///< modulo 16

  /// The rotation rz(eighths pi/4) of a parity, or of its complement.
  void add_rotation(WireParity parity, bool complement, int turns);
  /// The phase e^{i pi/4 turns} where the parity, or its complement, is 1.
  void add_phase(WireParity parity, bool complement, int turns);
  /// The parities that a phase depends on.
  [[nodiscard]] ParitySet parities() const;
};

/// What a rotation by so many eighths is worth, modulo 8; half turns (4) are left out of account,
/// as they can join other rotations.
using RotationWeights = std::array<std::uint64_t, 8>;
[[nodiscard]] std::uint64_t weight_of(const PhasePolynomial& polynomial,
                                      const RotationWeights& weights);

/// Polynomials of one unitary are many: for m independent parities y_i
///   sum over nonempty S of (-1)^(|S| - 1) (parity of all in S) = 2^(m-1) product of the y_i,
/// which leaves no trace modulo 8 if it comes 1, 2, 4 times, for m = 4, 3, 2 (the codewords of
/// punctured Reed-Muller codes: Amy, Mosca, arXiv 1601.07363). Adds that for four parities with odd
/// eighths, chosen at random, with the signs that leave the least weight, unless that is more than
/// one rotation more than before: then returns false.
[[nodiscard]] bool change_odd_parities(PhasePolynomial& polynomial, const RotationWeights& weights,
                                       FastRandom& random);
/// Adds such sums that leave odd eighths odd, chosen at random among those that leave no more
/// weight than there was.
void change_even_parities(PhasePolynomial& polynomial, const RotationWeights& weights,
                          FastRandom& random);

}  // namespace quartz
