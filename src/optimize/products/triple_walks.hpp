#pragma once

#include <cstdint>
#include <vector>

namespace quartz::optimizer {

/// A CNOT on two of three wires, numbered from 0.
struct TripleStep {
  std::uint8_t control = 0;
  std::uint8_t target = 0;
};

/// CNOTs on three wires.
struct TripleWalk {
  std::vector<TripleStep> steps;
};

/// Returns walks after which the wires have carried all needed parities: bit s of `needed` is for
/// the parity of the wires whose bits are set in s. For each linear map that a walk may apply, this
/// is a shortest one, without those that are longer than the shortest of all by more than `detour`.
[[nodiscard]] std::vector<TripleWalk> walks_through(unsigned needed, unsigned detour);

/// Classes are nonzero vectors of three bits, one on each wire, and bit c of `present` is for class
/// c. Returns the number of CNOTs after which the classes on the wires are independent: the class
/// of the target is added to that of the control, and wires of class 0 do not count.
[[nodiscard]] unsigned cnots_to_independent_classes(unsigned present);

}  // namespace quartz::optimizer
