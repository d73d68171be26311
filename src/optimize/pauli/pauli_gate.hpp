#pragma once

#include <optional>
#include <vector>

#include "quartz/circuit/operation.hpp"

namespace quartz {

/// A Pauli operator on a gate's operands: i^phase X^x Z^z, bit j of x and z for operand j.
/// Hermitian ones have phase = popcount(x & z) modulo 2, as Y = i X Z.
struct LocalPauli {
  unsigned x = 0;
  unsigned z = 0;
  unsigned phase = 0;  ///< power of i, modulo 4
  friend bool operator==(const LocalPauli&, const LocalPauli&) = default;
};

/// A gate seen as e^{i phase} exp(-i angle/2 axis).
struct PauliRotation {
  LocalPauli axis;
  Angle angle;
  Angle phase;
};

/// The rotation a gate is, if it is one: rz, p, t, rzz, ... Follows from the gate's matrix.
[[nodiscard]] std::optional<PauliRotation> as_pauli_rotation(const Operation& operation);

/// The same of all gates of a kind: their parameter, if they have one, is the symbol of its name in
/// the gate table. Null where they are none.
[[nodiscard]] const PauliRotation* pauli_rotation_of(GateKind kind);

/// Whether the angle is a multiple of pi/2: a rotation by it is a Clifford gate.
[[nodiscard]] bool is_quarter_turns(const Angle& angle);

/// What a Clifford gate G does to the Paulis of its operands: G^dagger X_j G and G^dagger Z_j G.
struct CliffordAction {
  std::vector<LocalPauli> x_images;
  std::vector<LocalPauli> z_images;
};

/// The action of a gate that is a Clifford gate with its very angles; nothing for any other.
/// Follows from the gate's matrix, by numeric comparison with the 4^k Paulis.
[[nodiscard]] std::optional<CliffordAction> as_clifford(const Operation& operation);

}  // namespace quartz
