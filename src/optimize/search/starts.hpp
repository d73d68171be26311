#pragma once

#include <cstdint>

#include "optimize/search/search.hpp"

/// Searches that make another circuit of the given one, for others to begin with
/// (search/portfolio.hpp).
namespace quartz::optimizer {

/// Returns a search that resynthesizes the Clifford blocks of a circuit which consists of large
/// ones for a good part. It has no result for other circuits, and if no block becomes cheaper.
/// Makes the circuit simpler first, by `simplification`, and the result at last, by `simplify`.
[[nodiscard]] SearchPointer make_clifford_start(const Problem& problem,
                                                SearchPointer simplification,
                                                SearchPointer simplify);

/// Which network of CNOTs is made of a circuit.
enum class NetworkChoice : std::uint8_t {
  cheapest,  ///< the cheapest of the networks that are made without random choices
  random,    ///< the cheapest of several random ones: another network each time
  layered,   ///< the cheapest of several in layers (pauli_network/layered_network.hpp)
};

/// Returns a search that continues with networks of the Pauli rotations
/// (pauli_network/pauli_network.hpp), simplified, whatever they cost. It applies if all qubits are
/// coupled.
[[nodiscard]] SearchPointer make_network_start(const Problem& problem, SearchPointer simplify,
                                               NetworkChoice choice);

/// Returns whether networks cost at least a tenth less than the simplified gates of a large
/// circuit, as they do in programs that consist of Pauli exponentials. A sample from the middle
/// tells, in which the gates at the end of its network do not count as often as the rotations: the
/// circuit has them once. Takes a tenth of a second, once for all costs of a problem.
[[nodiscard]] bool networks_pay(const Problem& problem);

/// Returns a search that continues with a circuit of fewer products (product_layers), simplified,
/// whatever it costs. Has no result if there are no fewer.
[[nodiscard]] SearchPointer make_product_start(const Problem& problem, SearchPointer simplify);

/// Returns a search that begins with the given products of a circuit beside each other, which makes
/// the circuit less deep. Has no result for circuits of other kinds.
[[nodiscard]] SearchPointer make_parallel_start(const Problem& problem, SearchPointer simplify);

/// Returns a search that continues with a circuit of fewer rotations by odd multiples of pi/4
/// (rank_reduction), simplified, whatever it costs. Has no result if there are no fewer. It applies
/// if the first objective charges more for T than for S.
[[nodiscard]] SearchPointer make_rank_start(const Problem& problem, SearchPointer simplify);

/// Returns a search that does the same in circuits with products of which there could be fewer, and
/// reduces the products first.
[[nodiscard]] SearchPointer make_product_rank_start(const Problem& problem, SearchPointer simplify);

}  // namespace quartz::optimizer
