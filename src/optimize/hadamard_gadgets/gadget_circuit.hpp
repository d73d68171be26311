#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "base/random.hpp"
#include "optimize/measured_ancillas/ancilla_step.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::optimizer {

/// A circuit with ancillas, and figures about it.
struct GadgetCircuit {
  Circuit circuit;
  /// The regions as gates of the data qubits, in the same order.
  Circuit grouped;
  /// The steps that lead from there to `circuit`, without its barriers on ancillas: one a region.
  std::vector<AncillaStep> steps;
  std::uint32_t ancillas = 0;  ///< qubits that were added, after those of the input
  std::size_t gadgets = 0;     ///< Hadamard gates that were replaced
  std::size_t products = 0;    ///< products of three parities with an ancilla and four T gates
  std::size_t rotations = 0;   ///< T gates that regions with products are expected to take

  /// Returns the number of measurements that were added.
  [[nodiscard]] std::size_t measurements() const { return gadgets + products; }
};

/// Whether products of three parities have ancillas.
enum class Products : std::uint8_t { measured, as_phases };

/// Returns a circuit in which Hadamard gates between rotations by odd multiples of pi/4 are gadgets
/// with ancillas, so that these rotations are diagonal together, in as few regions as the number of
/// ancillas permits, and in which products of three parities have an ancilla and four T gates
/// (MeasuredProducts) in all regions that take fewer T gates with them. Such a product is a Toffoli
/// gate, a pair of them that computes and uncomputes a bit, or what such gates together leave. The
/// gates of the input are h, x, rz and cx; measurements, resets and gates under conditions end a
/// region. Returns nothing if this needs no ancilla, or if the circuit has more than
/// kMaxQubitsOfPauliString qubits or too many rotations.
///
/// A gadget replaces a Hadamard gate on a qubit q as follows (L. Heyfron, E. Campbell,
/// arXiv 1712.01557): an ancilla a is prepared in |+>, a CZ follows, q is measured in the basis of
/// X, and X is applied to a if the outcome is 1. Then a has the state that q would have. All
/// ancillas of a region are prepared at its beginning, the diagonal gates follow, and each outcome
/// has a correction by Clifford gates: X, and what the phases differ by if the variable of the
/// gadget is flipped. At the end of a region, the states return to the qubits of the input.
///
/// One ancilla is enough for the products of a region, one after the other. If the ancillas do not
/// suffice for all Hadamard gates, fewer of these become gadgets as well, and the circuit that is
/// expected to take the fewest T gates is returned. The budget is for the search for fewer
/// products.
///
/// Without `Products::measured`, only Hadamard gates become gadgets: such circuits take more T
/// gates and are easier to prove.
///
/// A barrier on ancillas is before the diagonal gates of each region, so that a search finds them
/// as gates of their own; without_region_barriers() removes it.
[[nodiscard]] std::optional<GadgetCircuit> with_gadgets(const Circuit& circuit,
                                                        std::uint32_t ancillas, Products products,
                                                        const Budget& budget, FastRandom& random);

/// Returns a circuit without the barriers on qubits behind the first ones.
[[nodiscard]] Circuit without_region_barriers(Circuit circuit, std::uint32_t data_qubits);

}  // namespace quartz::optimizer
