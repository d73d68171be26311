#pragma once

#include <cstdint>
#include <map>

#include "base/random.hpp"
#include "optimize/products/product_network.hpp"

namespace quartz::optimizer {

/// A diagonal unitary |x> -> e^{i pi/4 sum of eighths(f) f(x)} |x>: its parities f, none of which
/// is zero, with their eighths, from 1 to 7. Different sums can be the same unitary
/// (`is_same_unitary`).
using ParityPhases = std::map<LinearForm, std::uint8_t>;

/// Adds the phase e^{i pi/4 eighths f(x)}, which does nothing if f is zero.
void add_phase(ParityPhases& phases, const LinearForm& form, int eighths);

/// Returns the phases of a network, with products expanded: for bits f, g and h,
///   4 f g h = f + g + h - (f + g) - (f + h) - (g + h) + (f + g + h)  modulo 8,
/// where the sums in parentheses are modulo 2.
[[nodiscard]] ParityPhases phases_of(const ProductNetwork& network);

/// Returns whether two sums of phases on as many wires are the same unitary, by the coefficients of
/// the polynomials in the bits of x that they are. For parities that differ by an odd number of
/// eighths, the time is the cube of their number of wires, and else the square.
[[nodiscard]] bool is_same_unitary(const ParityPhases& a, const ParityPhases& b);

/// Returns whether two sums of phases on as many wires give the same phase on 512 random states.
/// Different unitaries differ on an eighth of the states at least, so that this returns true for
/// them with a probability below 10^-29. The time is linear in the size of the forms.
[[nodiscard]] bool agree_on_random_states(const ParityPhases& a, const ParityPhases& b,
                                          FastRandom& random);

}  // namespace quartz::optimizer
