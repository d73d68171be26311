#pragma once

#include <cstdint>

namespace quartz::optimizer {

/// A Pauli operator i^phase X^x Z^z on at most 64 qubits; bit q of x and z for qubit q.
struct PauliString {
  std::uint64_t x = 0;
  std::uint64_t z = 0;
  unsigned phase = 0;  ///< power of i, modulo 4

  [[nodiscard]] std::uint64_t support() const { return x | z; }
  friend bool operator==(const PauliString&, const PauliString&) = default;
};

inline constexpr std::uint32_t kMaxQubitsOfPauliString = 64;

[[nodiscard]] constexpr std::uint64_t bit_of(std::uint32_t qubit) {
  return std::uint64_t{1} << qubit;
}

/// Returns the number of qubits on which an operator is not the identity.
[[nodiscard]] inline unsigned weight_of(const PauliString& pauli) {
  return static_cast<unsigned>(__builtin_popcountll(pauli.support()));
}

[[nodiscard]] inline bool anticommute(const PauliString& a, const PauliString& b) {
  return __builtin_parityll((a.x & b.z) ^ (a.z & b.x)) != 0;
}

[[nodiscard]] inline PauliString product(const PauliString& a, const PauliString& b) {
  // Z^z1 X^x2 = (-1)^(z1 . x2) X^x2 Z^z1.
  const auto crossing = static_cast<unsigned>(__builtin_parityll(a.z & b.x));
  return {a.x ^ b.x, a.z ^ b.z, (a.phase + b.phase + 2 * crossing) % 4};
}

/// Returns whether a Hermitian operator, which is a product of X, Y and Z up to a sign, has the
/// sign -1.
[[nodiscard]] inline bool is_negative(const PauliString& pauli) {
  // Y = i X Z.
  const auto ys = static_cast<unsigned>(__builtin_popcountll(pauli.x & pauli.z));
  return (pauli.phase + 4 - ys % 4) % 4 == 2;
}

/// The Clifford gates of Pauli networks.
enum class CliffordKind : std::uint8_t { h, s, x, cx };

struct CliffordGate {
  CliffordKind kind{};
  std::uint32_t first = 0;   ///< the qubit, or the control of cx
  std::uint32_t second = 0;  ///< the target of cx
  unsigned quarters = 1;     ///< s: rz by this many quarter turns, 1 to 3
  friend bool operator==(const CliffordGate&, const CliffordGate&) = default;
};

/// Returns G P G^dagger.
[[nodiscard]] inline PauliString pushed(PauliString pauli, const CliffordGate& gate) {
  const std::uint64_t bit = bit_of(gate.first);
  const bool has_x = (pauli.x & bit) != 0;
  const bool has_z = (pauli.z & bit) != 0;
  switch (gate.kind) {
    case CliffordKind::h:
      if (has_x != has_z) {
        pauli.x ^= bit;
        pauli.z ^= bit;
      }
      if (has_x && has_z) pauli.phase = (pauli.phase + 2) % 4;
      break;
    case CliffordKind::s:
      if (!has_x) break;
      if (gate.quarters % 2 != 0) pauli.z ^= bit;
      pauli.phase = (pauli.phase + gate.quarters) % 4;
      break;
    case CliffordKind::x:
      if (has_z) pauli.phase = (pauli.phase + 2) % 4;
      break;
    case CliffordKind::cx: {
      const std::uint64_t target = bit_of(gate.second);
      if (has_x) pauli.x ^= target;
      if ((pauli.z & target) != 0) pauli.z ^= bit;
      break;
    }
  }
  return pauli;
}

}  // namespace quartz::optimizer
