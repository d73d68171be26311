#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "optimize/measured_ancillas/ancilla_step.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::optimizer {

/// A circuit in which rotations that commute are beside each other with ancillas, and figures about
/// it.
struct ParallelCircuit {
  Circuit circuit;
  /// The steps that lead there from the input: for each stretch of plain gates one that puts its
  /// rotations into layers (pauli_network/layered_network.hpp), and one for each of these layers
  /// that has ancillas.
  std::vector<AncillaStep> steps;
  std::uint32_t ancillas = 0;  ///< qubits that were added, after those of the input
  std::size_t layers = 0;      ///< how many layers of rotations follow each other
};

/// Returns a circuit with as few layers of rotations one after the other as a number of ancillas
/// permits. The rotations of a layer are those of independent parities, each on a qubit of its own,
/// and of further parities, each of which is copied to an ancilla in |0> by CNOTs, rotated there,
/// and removed by the same CNOTs (M. Amy, D. Maslov, M. Mosca, arXiv 1303.2042; P. Selinger, arXiv
/// 1210.0974). The ancillas are in |0> again after each layer, and are not measured.
///
/// The gates of the input are h, x, rz and cx; measurements, resets and gates under conditions end
/// a layer. Returns nothing if no layer has an ancilla, and if there are too many rotations, or
/// more than kMaxQubitsOfNetwork qubits, without such an operation between. Gates stay as they
/// are once the budget is spent.
[[nodiscard]] std::optional<ParallelCircuit> with_parallel_rotations(const Circuit& circuit,
                                                                     std::uint32_t ancillas,
                                                                     const Budget& budget);

}  // namespace quartz::optimizer
