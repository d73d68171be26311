#pragma once

#include <array>
#include <cstdint>

#include "optimize/clifford_synthesis/symplectic_map.hpp"

namespace quartz::optimizer {

/// The operators of two images on one qubit, as bits_of() has them, or 0 for the identity.
struct PauliPair {
  unsigned first = 0;
  unsigned second = 0;
};

/// What Clifford gates on the qubit of a pair cannot change. The number of a class other than
/// `none` and `full` says which of both operators are not the identity: 1, 2, or 3 for both.
enum class PairClass : std::uint8_t {
  none,    ///< both are the identity
  first,   ///< only the first one is not
  second,  ///< only the second one is not
  equal,   ///< both are the same operator
  full,    ///< they anticommute
};
inline constexpr std::size_t kPairClasses = 5;
/// The classes whose operators depend on one Pauli operator.
inline constexpr std::array kSingleClasses{PairClass::first, PairClass::second, PairClass::equal};

[[nodiscard]] constexpr PairClass class_of(const PauliPair& pair) {
  if (pair.first == 0 && pair.second == 0) return PairClass::none;
  if (pair.second == 0) return PairClass::first;
  if (pair.first == 0) return PairClass::second;
  return pair.first == pair.second ? PairClass::equal : PairClass::full;
}

[[nodiscard]] constexpr bool is_single(PairClass kind) {
  return kind != PairClass::none && kind != PairClass::full;
}

/// Returns the pair of a class with the operators X and Z.
[[nodiscard]] constexpr PauliPair pair_of(PairClass kind) {
  constexpr std::array<PauliPair, kPairClasses> kPairs{{{0, 0}, {1, 0}, {0, 1}, {1, 1}, {1, 2}}};
  return kPairs.at(static_cast<std::size_t>(kind));
}

/// Returns whether two operators on a qubit anticommute.
[[nodiscard]] constexpr bool do_anticommute(unsigned one, unsigned other) {
  return one != 0 && other != 0 && one != other;
}

/// Puts a gate with these axes behind two qubits.
constexpr void push_pairs(PauliPair& one, PauliPair& other, SymplecticAxis axis,
                          SymplecticAxis other_axis) {
  const unsigned bits = bits_of(axis);
  const unsigned other_bits = bits_of(other_axis);
  const PauliPair before = one;
  if (do_anticommute(other.first, other_bits)) one.first ^= bits;
  if (do_anticommute(other.second, other_bits)) one.second ^= bits;
  if (do_anticommute(before.first, bits)) other.first ^= other_bits;
  if (do_anticommute(before.second, bits)) other.second ^= other_bits;
}

}  // namespace quartz::optimizer
