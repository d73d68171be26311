#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algebra/goldilocks.hpp"
#include "fingerprint/field_gate.hpp"
#include "fingerprint/field_point.hpp"
#include "quartz/circuit/operation.hpp"

/// Fingerprints: two circuits equal up to a global phase have one key; two that are not have
/// different ones, but for a probability of about (degree of their entries) / 2^64.
///
/// With a random vector v and two random linear functionals f and g, the key of a unitary U is
/// f(U v) / g(U v) in the Goldilocks field. It is projective: a common factor, such as a global
/// phase, cancels. f(Uv) g(U'v) = g(Uv) f(U'v) is a polynomial identity in v, f and g exactly if U
/// and U' are multiples of each other, which is why a random choice tells the others apart
/// (Schwartz-Zippel).
namespace quartz {

/// Below the field's order, but for the two special ones.
using FingerprintKey = std::uint64_t;

/// The denominator is zero, which happens by chance once in 2^64.
inline constexpr FingerprintKey infinite_key = Goldilocks::modulus;
/// Never the key of a circuit.
inline constexpr FingerprintKey no_key = ~FingerprintKey{0};

/// The random choices behind a projective key.
struct FingerprintProbe {
  std::vector<Goldilocks> state;        ///< v, of 2^q elements
  std::vector<Goldilocks> numerator;    ///< f
  std::vector<Goldilocks> denominator;  ///< g
};

[[nodiscard]] FingerprintProbe make_probe(unsigned qubits, const FieldSeed& seed);

/// Keys of whole circuits, one at a time.
class Fingerprinter {
 public:
  /// For circuits whose angles are those of `operations`, or sums and multiples of them. All keys
  /// that are compared must come from the same operations and seed. Throws UsageError for more than
  /// 20 qubits.
  Fingerprinter(std::span<const Operation> operations, unsigned qubits, const FieldSeed& seed);

  [[nodiscard]] FingerprintKey key(std::span<const Operation> circuit) const;

 private:
  unsigned qubits_;
  FieldPoint point_;
  FingerprintProbe probe_;
};

/// All that is needed to extend circuits by the letters of an alphabet, laid out flat for bulk work
/// on any device.
struct FingerprintTables {
  unsigned qubits = 0;
  FingerprintProbe probe;
  std::vector<FieldGate> letters;
  /// For each letter U the functionals f U and g U, 2 * 2^q elements: the letter pushed into the
  /// functionals, so that the key of a state extended by it is a quotient of two dot products.
  std::vector<Goldilocks> functionals;

  [[nodiscard]] std::size_t dimension() const noexcept { return std::size_t{1} << qubits; }
};

[[nodiscard]] FingerprintTables make_fingerprint_tables(std::span<const Operation> letters,
                                                        unsigned qubits, const FieldSeed& seed);
/// With a probe of one's own.
[[nodiscard]] FingerprintTables make_fingerprint_tables(std::span<const Operation> letters,
                                                        unsigned qubits, const FieldSeed& seed,
                                                        FingerprintProbe probe);

}  // namespace quartz
