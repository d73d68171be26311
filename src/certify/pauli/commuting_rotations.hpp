#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "certify/pauli/pauli_tableau.hpp"

namespace quartz::certify {

/// The operator e^{-i quarters pi/4 P} of a Hermitian Pauli operator P.
struct QuarterTurn {
  std::vector<std::uint64_t> axis;  ///< a row of PauliTableau
  unsigned quarters = 0;            ///< 1 to 3
};

/// A product of commuting quarter turns and e^{i pi/8 sixteenths}.
struct QuarterTurns {
  std::vector<QuarterTurn> turns;
  unsigned sixteenths = 0;  ///< the power of e^{i pi/8}, modulo 16
};

/// Returns the product of the rotations e^{-i pi/8 P} about some operators P, if they commute and
/// if the product is a Clifford operator.
///
/// The operators are, up to signs, products of independent ones, each of which is (-1)^x for one
/// bit x of a basis in which all of them are diagonal. There the product is a phase, which is a
/// polynomial in these bits,
///
///   e^{i pi/4 (sum of l_i x_i - 2 sum of q_ij x_i x_j + 4 sum of c_ijk x_i x_j x_k)},
///
/// and a Clifford operator if all c_ijk, q_ij and l_i are even. Sums of parities with the same
/// cubic part differ by this: multipliers with fewer products, and the identities of spider nests
/// (de Beaudrap, Bian, Wang, arXiv 2004.05164).
///
/// `count_work` is called with the number of words that were read or changed, and may throw.
[[nodiscard]] std::optional<QuarterTurns> as_quarter_turns(
    const PauliTableau& paulis, std::span<const ConstPauliRow> axes,
    const std::function<void(std::size_t)>& count_work);

/// Number of rotations of a spider nest, about all products of four independent operators.
inline constexpr std::size_t kRotationsOfNest = 15;

/// Rotations e^{-i pi/8 P} and quarter turns that are equal to a greater number of rotations.
struct FewerRotations {
  std::size_t replaced = 0;                      ///< the number of rotations that they replace
  std::vector<std::vector<std::uint64_t>> axes;  ///< rows of the operators P
  QuarterTurns product;
};

/// Replaces the first rotations e^{-i pi/8 P} of a list if they are more than half of a spider
/// nest: the fifteen rotations about all products of four commuting operators are a Clifford
/// operator. The inverses of the other rotations of the nest take their place. Returns nothing if
/// the first rotations belong to no nest.
[[nodiscard]] std::optional<FewerRotations> with_rest_of_nest(
    const PauliTableau& paulis, std::span<const ConstPauliRow> axes,
    const std::function<void(std::size_t)>& count_work);

}  // namespace quartz::certify
