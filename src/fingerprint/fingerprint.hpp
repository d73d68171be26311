#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algebra/goldilocks.hpp"
#include "fingerprint/field_gate.hpp"
#include "fingerprint/field_point.hpp"
#include "quartz/circuit/operation.hpp"

/// Fingerprints: two circuits that are equal up to a global phase have the same key. Two circuits
/// that are not have different keys, except with a probability of about
/// (degree of their entries) / 2^64.
///
/// With a random vector v and two random linear functionals f and g, the key of a unitary U is
/// f(U v) / g(U v) in the Goldilocks field. It is projective: a common factor, such as a global
/// phase, cancels. f(Uv) g(U'v) = g(Uv) f(U'v) is a polynomial identity in v, f and g if and only
/// if U and U' are multiples of each other, so random choices distinguish all other pairs
/// (Schwartz-Zippel).
namespace quartz::fingerprint {

/// Less than the field's order, except for the two special keys below.
using FingerprintKey = std::uint64_t;

/// The key if the denominator is zero, which happens by chance once in 2^64.
inline constexpr FingerprintKey kInfiniteKey = Goldilocks::kModulus;
/// A value that is never the key of a circuit.
inline constexpr FingerprintKey kNoKey = ~FingerprintKey{0};

/// The random vector and functionals that define a projective key.
struct FingerprintProbe {
  std::vector<Goldilocks> state;        ///< v, of 2^q elements
  std::vector<Goldilocks> numerator;    ///< f
  std::vector<Goldilocks> denominator;  ///< g
};

/// Makes the probe of a seed. Throws UsageError unless there are 1 to 20 qubits.
[[nodiscard]] FingerprintProbe make_probe(unsigned qubits, const FieldSeed& seed);

/// Computes keys of whole circuits, one at a time.
class Fingerprinter {
 public:
  /// Accepts circuits whose angles are those of `operations`, or sums and multiples of them. Keys
  /// are comparable only if they come from the same operations and seed. Throws UsageError unless
  /// there are 1 to 20 qubits.
  Fingerprinter(std::span<const Operation> operations, unsigned qubits, const FieldSeed& seed);

  /// Returns the key of a circuit.

  [[nodiscard]] FingerprintKey key(std::span<const Operation> circuit) const;

 private:
  unsigned qubits_;
  FieldPoint point_;
  FingerprintProbe probe_;
};

/// All data needed to extend circuits by the letters of an alphabet, in flat arrays for bulk work
/// on any device.
struct FingerprintTables {
  unsigned qubits = 0;
  FingerprintProbe probe;
  std::vector<FieldGate> letters;
  /// Functionals f U and g U for each letter U, 2 * 2^q elements. With them the key of a state
  /// extended by the letter is a quotient of two dot products.
  std::vector<Goldilocks> functionals;

  [[nodiscard]] std::size_t dimension() const noexcept { return std::size_t{1} << qubits; }
};

/// Makes the tables of an alphabet with the probe of the seed.

[[nodiscard]] FingerprintTables make_fingerprint_tables(std::span<const Operation> letters,
                                                        unsigned qubits, const FieldSeed& seed);
/// Makes the tables of an alphabet with a given probe.
[[nodiscard]] FingerprintTables make_fingerprint_tables(std::span<const Operation> letters,
                                                        unsigned qubits, const FieldSeed& seed,
                                                        FingerprintProbe probe);

}  // namespace quartz::fingerprint
