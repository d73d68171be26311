#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz::optimizer {

/// A Pauli operator on a gate's operands: i^phase X^x Z^z, bit j of x and z for operand j.
/// Hermitian operators have phase = popcount(x & z) modulo 2, as Y = i X Z.
struct LocalPauli {
  unsigned x = 0;
  unsigned z = 0;
  unsigned phase = 0;  ///< power of i, modulo 4
  friend bool operator==(const LocalPauli&, const LocalPauli&) = default;
};

/// A gate expressed as e^{i phase} exp(-i angle/2 axis).
struct PauliRotation {
  LocalPauli axis;
  Angle angle;
  Angle phase;
};

/// Returns the gate as a rotation, if it is one (rz, p, t, rzz, ...), derived from its matrix.
[[nodiscard]] std::optional<PauliRotation> as_pauli_rotation(const Operation& operation);

/// Returns the rotation that all gates of a kind are; their parameter, if any, is the symbol with
/// its name in the gate table. Returns null if they are no rotations.
[[nodiscard]] const PauliRotation* pauli_rotation_of(GateKind kind);

/// Returns whether the angle is a multiple of pi/2, so that a rotation by it is a Clifford gate.
[[nodiscard]] bool is_quarter_turns(const Angle& angle);

/// Returns the angle in units of pi/2 modulo 4 pi, which is a period of every gate: 0 to 7, or
/// nothing if it is no multiple of pi/2.
[[nodiscard]] std::optional<unsigned> quarter_turns(const Angle& angle);

/// Returns a rotation's angle in units of pi/4 modulo 2 pi, which is a period up to the global
/// phase, or nothing if it is no multiple of it.
[[nodiscard]] std::optional<unsigned> eighths_of(const Angle& angle);

/// Returns a number that is the same for gates of one kind whose angles are equal multiples of pi/2
/// modulo 4 pi, or no multiples of pi/2, and different for all others.
[[nodiscard]] std::uint64_t key_of_quarter_turns(const Operation& operation);

/// Effect of a Clifford gate G on the Paulis of its operands: G^dagger X_j G and G^dagger Z_j G.
struct CliffordAction {
  std::vector<LocalPauli> x_images;
  std::vector<LocalPauli> z_images;
};

/// Returns the action of a gate that is a Clifford gate for its particular angles, and nothing for
/// any other gate. Derived from the gate's matrix, by numeric comparison with the 4^k Paulis.
[[nodiscard]] std::optional<CliffordAction> as_clifford(const Operation& operation);

}  // namespace quartz::optimizer
