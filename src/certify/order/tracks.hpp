#pragma once

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "quartz/certify/fault.hpp"
#include "quartz/circuit/circuit.hpp"

/// Circuits whose qubits are followed through SWAP gates.
///
/// A *track* is what a qubit carries: there is one for each qubit, with its number at the start,
/// and a SWAP gate exchanges those of two qubits. An operation on qubits is one on the tracks that
/// these carry, so a circuit is the list of its operations on tracks, without its SWAP gates,
/// followed by the permutation that says which track each qubit carries at the end. Circuits with
/// the same operations on tracks and the same tracks at the end are equal, whichever SWAP gates
/// they have.
///
/// A loop needs more than that. Let B be its body, as an operation on the qubits, and P the
/// permutation with which the tracks are on the qubits where the loop begins. On tracks, the first
/// execution of the body is P^-1 B P. So is the second one only if the tracks are on the qubits as
/// they were before the first one. If the SWAP gates of the body leave another permutation Q P, the
/// list of operations has Q as an operation of its own at the end of the body, after which the
/// tracks are where they were at its start: what the loop does, which is a sum over the numbers of
/// its executions, is then the same sum on tracks, followed by P, for any number of executions.
namespace quartz::certify {

using Track = Qubit;

/// An operation on tracks, or a permutation of what the tracks carry.
struct TrackOperation {
  const Operation* operation = nullptr;  ///< null for a permutation
  /// The tracks of the operation's qubits in order; none for a statement, which is on all tracks.
  /// For a permutation: the track to which what is on each track moves.
  std::vector<Track> tracks;
};

/// The operations of a circuit on tracks. Points into the circuit.
struct TrackList {
  std::vector<TrackOperation> operations;
  std::vector<Track> track_of_qubit;  ///< at the end
};

/// Returns the operations of a circuit on tracks, or why it has none: its blocks do not end in the
/// order in which they begin.
[[nodiscard]] std::variant<TrackList, Fault> list_on_tracks(const Circuit& circuit);

/// Returns whether two lists are the same up to the order of operations that have no track in
/// common and are not both classical.
[[nodiscard]] bool have_same_operations(const TrackList& left, const TrackList& right,
                                        std::size_t qubits);

}  // namespace quartz::certify
