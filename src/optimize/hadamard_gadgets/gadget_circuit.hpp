#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "quartz/circuit/circuit.hpp"

namespace quartz::optimizer {

/// A circuit with ancillas, and figures about it.
struct GadgetCircuit {
  Circuit circuit;
  std::uint32_t ancillas = 0;  ///< qubits that were added, after those of the input
  std::size_t gadgets = 0;     ///< Hadamard gates that were replaced
};

/// Returns why a circuit gets no gadgets, as a clause; nothing if it may get some.
[[nodiscard]] std::optional<std::string> obstacle_to_gadgets(const Circuit& circuit);

/// Returns a circuit in which Hadamard gates between rotations by odd multiples of pi/4 are gadgets
/// with ancillas, so that these rotations are diagonal together, in as few regions as the number of
/// ancillas permits. The gates of the input are h, x, rz and cx; measurements, resets and gates
/// under conditions end a region. Returns nothing if no Hadamard gate is replaced, or if the
/// circuit has more than kMaxQubitsOfPauliString qubits or too many rotations.
///
/// A gadget replaces a Hadamard gate on a qubit q as follows (L. Heyfron, E. Campbell,
/// arXiv 1712.01557): an ancilla a is prepared in |+>, a CZ follows, q is measured in the basis of
/// X, and X is applied to a if the outcome is 1. Then a has the state that q would have. All
/// ancillas of a region are prepared at its beginning, the diagonal gates follow, and each outcome
/// has a correction by Clifford gates: X, and what the phases differ by if the variable of the
/// gadget is flipped. At the end of a region, the states return to the qubits of the input.
///
/// A barrier on ancillas is before the diagonal gates of each region, so that a search finds them
/// as gates of their own; without_region_barriers() removes it.
[[nodiscard]] std::optional<GadgetCircuit> with_hadamard_gadgets(const Circuit& circuit,
                                                                 std::uint32_t ancillas);

/// Returns a circuit without the barriers on qubits behind the first ones.
[[nodiscard]] Circuit without_region_barriers(Circuit circuit, std::uint32_t data_qubits);

}  // namespace quartz::optimizer
