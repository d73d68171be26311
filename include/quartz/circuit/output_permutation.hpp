#pragma once

#include <cstdint>
#include <vector>

#include "quartz/circuit/circuit.hpp"

namespace quartz {

/// Says where the qubits of a circuit are after a circuit that replaces it: element q is the qubit
/// of the replacement that ends in the state of qubit q of the original. An empty permutation is
/// the identity.
using OutputPermutation = std::vector<Qubit>;

/// A circuit that replaces another one up to a permutation of its qubits at the end.
struct PermutedCircuit {
  Circuit circuit;
  OutputPermutation permutation;  ///< empty if it is the identity
};

/// Returns the circuit without its SWAP gates: the operations behind each of them are on the other
/// one of its qubits instead, measurements included. Three consecutive CNOTs that make a SWAP gate
/// count as one. SWAP gates under a condition stay. Before a pragma, whose text may name qubits,
/// SWAP gates bring all qubits back to their places, and at the end of a loop's body to where they
/// were at its start, because a loop that is executed any number of times has no permutation of its
/// own. Throws UsageError if a block ends that has not begun.
[[nodiscard]] PermutedCircuit without_swaps(const Circuit& circuit);

/// What becomes of the SWAP gates of a circuit whose qubits may end in any order.
enum class SwapGates : std::uint8_t {
  removed,  ///< without_swaps()
  kept      ///< they stay, because gates behind them must not move to other pairs of qubits
};

/// Returns for each operation whether it is final: a measurement without conditions, behind which
/// there are no other operations on its qubit and none that involve classical bits, or a barrier or
/// a reset without conditions behind which there are no other operations on its qubits; final
/// operations do not count, except that only the last measurement of a qubit is final.
[[nodiscard]] std::vector<bool> final_operations(const Circuit& circuit);

/// Returns a replacement of the circuit with this output permutation, which depends on nothing
/// else: the circuit with or without its SWAP gates, and others before its final operations, which
/// then are on the qubits to which these SWAP gates lead. Throws UsageError if the permutation does
/// not consist of the circuit's qubits.
[[nodiscard]] Circuit with_output_permutation(const Circuit& circuit,
                                              const OutputPermutation& permutation,
                                              SwapGates swaps);

/// Returns the permutation of a replacement of a replacement.
[[nodiscard]] OutputPermutation composed(const OutputPermutation& first,
                                         const OutputPermutation& second);

/// Returns the permutation with composed(first, it) == both.
[[nodiscard]] OutputPermutation remaining_permutation(const OutputPermutation& first,
                                                      const OutputPermutation& both);

/// Returns a circuit with SWAP gates that undo the permutation, so that it replaces the original
/// without one. They are at its end, or before the first of the statements that are on all qubits,
/// such as a loop, because most permutations come from SWAP gates of the input before it; what is
/// behind them is on the qubits of the original. Throws UsageError if the permutation is none of
/// the circuit's qubits.
[[nodiscard]] Circuit with_permutation_undone(const Circuit& circuit,
                                              const OutputPermutation& permutation);

/// Returns the circuit with a header comment that states the permutation, such as
/// "output permutation: [1, 0, 2]", in place of any other one; with none for the identity.
[[nodiscard]] Circuit with_stated_permutation(Circuit circuit,
                                              const OutputPermutation& permutation);
/// Returns the permutation that a header comment of the circuit states; the identity if there is
/// none. Throws InputError for one that is no permutation of the circuit's qubits.
[[nodiscard]] OutputPermutation stated_permutation(const Circuit& circuit);

}  // namespace quartz
