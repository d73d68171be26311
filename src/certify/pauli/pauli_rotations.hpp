#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "certify/problem/comparison.hpp"
#include "certify/problem/problem.hpp"

namespace quartz::certify {

/// In place of a number of distant rotations: any number.
inline constexpr std::size_t kAnyDistant = std::numeric_limits<std::size_t>::max();

/// Compares circuits by writing the left circuit followed by the inverse of the right one as a
/// sequence of rotations about Pauli operators followed by a Clifford operator (Litinski, arXiv
/// 1808.02892). Each gate consists of Hadamards, affine maps of the basis states, and
/// e^{-i angle/2 Z...Z}; a rotation is pulled back through the Clifford gates before it to the
/// start. There it merges with the last rotation about the same operator if it commutes with all
/// rotations in between, and multiples of pi/2 are moved to the Clifford operator. Rotations by
/// pi/4 that are left are Clifford operators if they commute and their phase polynomial is one
/// (commuting_rotations.hpp). If only a
/// Clifford operator that maps every Pauli operator to itself is left, the circuits are equal up to
/// a global phase. The phase is that of the Clifford operator, exactly a multiple of pi/4, which is
/// computed from its effect on |0...0> (StabilizerState), and those of gates and of turns by 2 pi.
///
/// This undoes phase folding, at a cost of some hundred nanoseconds for each gate, regardless of
/// the number of qubits. The phase costs less for up to some hundred qubits; beyond, the cost of
/// some of the Hadamard gates grows with the square of the number of qubits. If that exceeds the
/// budget, the circuits are equal without a phase. The method finds no differences.
///
/// A rotation is merged with one of the last 4096, so that the time is linear. The comparison ends
/// early, out of budget, if more than `most_distant` rotations might be merged with one before
/// these.
[[nodiscard]] Comparison compare_pauli_rotations(const Problem& problem, const Budget& budget,
                                                 std::size_t most_distant = kAnyDistant);

/// A gate on wires. Its qubits are not used, so that one operation describes many gates.
struct PlacedGate {
  const Operation* operation = nullptr;
  std::span<const Wire> wires;
};

class GateParts;
struct MovableGate;

/// Compares many pairs of circuits by their Pauli rotations. What it computes about each kind of
/// gate is kept.
class PauliRotations {
 public:
  PauliRotations();
  ~PauliRotations();
  PauliRotations(const PauliRotations&) = delete;
  PauliRotations& operator=(const PauliRotations&) = delete;

  /// Compares a circuit with the one in which some of its gates are removed and others inserted, as
  /// compare_moved_rotations and compare_carried_cliffords do: the first one comes first if all of
  /// these gates are rotations, the second one otherwise.
  [[nodiscard]] Comparison compare_moved(std::size_t wires, std::span<const MovableGate> gates,
                                         const Budget& budget);
  /// Returns which of these gates matter to such a comparison, as difference_cone does.
  [[nodiscard]] std::vector<bool> cone_of(std::size_t wires, std::span<const MovableGate> gates);
  /// Compares two circuits that consist of gates on this number of wires, as
  /// compare_pauli_rotations does.
  [[nodiscard]] Comparison compare(std::size_t wires, std::span<const PlacedGate> left,
                                   std::span<const PlacedGate> right, const Budget& budget);

 private:
  std::unique_ptr<GateParts> gates_;
};

}  // namespace quartz::certify
