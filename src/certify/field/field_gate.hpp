#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "certify/field/prime_field.hpp"
#include "certify/field/random_point.hpp"
#include "certify/problem/problem.hpp"

/// Gates over a prime field, prepared for repeated application to state vectors.
///
/// An update costs up to four multiplications, and a multiplication takes as long as five
/// additions. So each form of gate has its own loop with as few multiplications as possible: a
/// Hadamard gate without its factor, and an X with any number of controls, need none.
namespace quartz::certify {

/// A gate that acts on a state vector in place.
class FieldGate {
 public:
  using Element = PrimeField::Element;

  /// `matrix` is row-major on the wires; the first wire is the least significant bit.
  FieldGate(const std::vector<Element>& matrix, std::span<const Wire> wires,
            const PrimeField& field);

  /// `state` has an entry for each basis state of a number of wires that includes those of the
  /// gate.
  void apply(const PrimeField& field, std::span<Element> state) const;

 private:
  /// A number by which amplitudes are multiplied.
  struct Factor {
    Factor(Element number, const PrimeField& field);
    [[nodiscard]] Element times(const PrimeField& field, Element amplitude) const;

    enum class Kind { one, minus_one, other };
    Kind kind = Kind::other;
    Element value = 0;
  };
  struct Entry {
    std::size_t row = 0;
    std::size_t column = 0;
    Factor factor;
  };
  enum class Form {
    diagonal,  ///< one entry for each state that changes
    exchange,  ///< two states change, and each becomes a multiple of the other
    mixing,    ///< two states change: diag(1, f3) ((1, 1), (1, f2)) diag(f0, f1)
    general,
  };

  void set_form_of_pair(const std::vector<Element>& pair, const PrimeField& field);
  void exchange(const PrimeField& field, std::span<Element> state) const;
  void mix(const PrimeField& field, std::span<Element> state) const;
  void apply_entries(const PrimeField& field, std::span<Element> state) const;

  Form form_ = Form::general;
  std::size_t wire_bits_ = 0;
  std::vector<std::size_t> offsets_;  ///< offsets of the local basis states that the gate changes
  std::vector<Entry> entries_;        ///< matrix entries between these states
  std::vector<Factor> factors_;       ///< those of Form::exchange or Form::mixing
};

/// Gates in order, and a number by which their product is multiplied.
struct FieldGates {
  std::vector<FieldGate> gates;
  PrimeField::Element scale = 0;
};

/// Returns gates for the steps whose conditions hold, in order. Adjacent steps on one wire are
/// fused.
[[nodiscard]] FieldGates make_field_gates(const std::vector<Step>& steps,
                                          const std::vector<bool>& truth, const RandomPoint& point,
                                          const OpaqueMatrices& opaque);

}  // namespace quartz::certify
