#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz {

/// Constant angles from one to another, both of them included, within [-pi, pi].
struct AngleRange {
  Angle least;
  Angle greatest;

  /// A constant that stands in the range as it is, not only up to whole turns.
  [[nodiscard]] bool contains(const Angle& angle) const;
};

/// One gate that a target offers.
struct GateSetEntry {
  GateKind gate{};
  /// The constant angles it may take, one list per choice; empty means any angle. Angles that
  /// differ by whole turns are one choice: that is a matter of global phase.
  std::vector<std::vector<Angle>> angles = {};
  /// Empty, or one for each parameter: the range that holds it, if any does. Not with choices.
  std::vector<std::optional<AngleRange>> ranges = {};
  /// Whether circuits of the set are written with its angles in turns; here they are in radians.
  bool written_in_turns = false;

  /// Whether it has parameters and takes all of their values, symbols as well.
  [[nodiscard]] bool takes_any_angle() const;
  /// Whether the angles lie in the ranges, as they are written.
  [[nodiscard]] bool in_ranges(std::span<const Angle> values) const;
};

/// How enumeration gives angles to the gates that take any: every tuple of the expressions, one a
/// parameter of the gate, in which no symbol occurs twice.
struct AlphabetRule {
  unsigned parameters = 0;         ///< m: the symbols are p0 .. p(m-1)
  std::vector<Angle> expressions;  ///< in p0, p1, ...; constants are allowed
};

/// A way to write a gate in others that the gate table does not have: in the gates of a set.
struct Translation {
  GateKind gate{};
  Decomposition decomposition;
};

/// The gates of a target, read from a JSON file (see gatesets/README.md).
struct GateSet {
  std::string name;
  std::string description;
  std::string source;  ///< where the definition comes from
  std::vector<GateSetEntry> entries;
  AlphabetRule alphabet;
  std::vector<Translation> translations = {};  ///< beside the decompositions of the gate table
  /// What the optimizer minimizes in circuits of the set unless told otherwise.
  Cost default_cost = CostKind::total;
  /// Digest of the gates, their angles and the alphabet. Neither the default cost nor the file's
  /// layout changes it.
  std::string digest;

  /// Whether the gate is offered with these angles: one of the choices, up to whole turns, or in
  /// the ranges as they are. A gate with ranges that is the identity is not.
  [[nodiscard]] bool contains(const Operation& operation) const;
};

/// The names of the gate sets that are part of the library, sorted.
[[nodiscard]] std::vector<std::string> bundled_gate_sets();
/// A bundled gate set by name, or one from a file. Throws InputError with the place of what is
/// wrong, UsageError for a name that is neither.
[[nodiscard]] GateSet load_gate_set(std::string_view name_or_path,
                                    const std::stop_token& stop = {});
/// From JSON text, called `name` in messages; defines the set's own gates
/// (circuit/custom_gate.hpp).
[[nodiscard]] GateSet parse_gate_set(std::string_view text, const std::string& name);

/// The letters of enumeration on `qubits` qubits in canonical order: every gate on every choice of
/// its operands (symmetric operands once) with every choice or tuple of angles. The order is that
/// of the gates in the set, then operands, then angles as in the set.
[[nodiscard]] std::vector<Operation> alphabet(const GateSet& set, unsigned qubits);

/// The circuit in the gates of the set only, by exact decompositions from the gate table. Gates
/// that the set has are kept as they are, other gates become those with the fewest gates on two or
/// more qubits, then the fewest gates; what is not a gate is kept. Written, it has its angles in
/// the set's units. The unitary with its global phase stays the same. A conditional gate becomes
/// gates under the same condition, without its phase: between branches of a classical alternative
/// no phase can be observed. Throws InputError for a gate that the set cannot express exactly,
/// Stopped once a stop is requested.
[[nodiscard]] Circuit translate(const Circuit& circuit, const GateSet& set,
                                const std::stop_token& stop = {});

}  // namespace quartz
