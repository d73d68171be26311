#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz {

/// A closed range of constant angles within [-pi, pi].
struct AngleRange {
  Angle least;
  Angle greatest;

  /// Returns whether the angle is a constant in the range; whole turns are not added or removed.
  [[nodiscard]] bool contains(const Angle& angle) const;
};

/// One gate that a target offers.
struct GateSetEntry {
  GateKind gate{};
  /// The permitted tuples of constant angles; empty means any angle. Angles that differ by whole
  /// turns are the same choice, because they differ by a global phase only.
  std::vector<AngleList> angles = {};
  /// Empty, or for each parameter the range of its angles, if it has one. Never together with
  /// `angles`.
  std::vector<std::optional<AngleRange>> ranges = {};
  /// Whether circuits of the set are written with this gate's angles in turns; in memory they are
  /// in radians.
  bool written_in_turns = false;

  /// Returns whether the gate has parameters and accepts all their values, including symbols.
  [[nodiscard]] bool takes_any_angle() const;
  /// Returns whether the angles lie in the ranges; whole turns are not added or removed.
  [[nodiscard]] bool in_ranges(std::span<const Angle> values) const;
};

/// How enumeration assigns angles to the gates that accept any angle: every tuple of the
/// expressions, one for each parameter of the gate, in which no symbol occurs twice.
struct AlphabetRule {
  unsigned parameters = 0;         ///< m: the symbols are p0 .. p(m-1)
  std::vector<Angle> expressions;  ///< in p0, p1, ...; constants are allowed
};

/// A decomposition of a gate in the gates of a set that is not in the gate table.
struct Translation {
  GateKind gate{};
  Decomposition decomposition;
};

/// The gates of a target, read from a JSON file (see gatesets/README.md).
struct GateSet {
  std::string name;
  std::string description;
  std::string source;  ///< reference for the definition
  std::vector<GateSetEntry> entries;
  AlphabetRule alphabet;
  std::vector<Translation> translations = {};  ///< in addition to those of the gate table
  /// What the optimizer minimizes in circuits of the set by default.
  Cost default_cost = CostKind::total;
  /// Digest of the gates, their angles and the alphabet. Neither the default cost nor the file's
  /// layout changes it.
  std::string digest;
  /// The text that the set was parsed from, with which another process can have the same set; null
  /// for a set that was not parsed.
  std::shared_ptr<const std::string> text = {};

  /// Returns whether the set offers the gate with these angles: one of the choices, up to whole
  /// turns, or angles within the ranges as they are. A gate with ranges that is the identity is not
  /// offered.
  [[nodiscard]] bool contains(const Operation& operation) const;
  /// Returns the custom gates of the set, which texts about it call by their names.
  [[nodiscard]] CustomGates custom_gates() const;
};

/// Returns the names of the gate sets that are part of the library, sorted.
[[nodiscard]] std::vector<std::string> bundled_gate_sets();
/// Loads a bundled gate set by name, or a gate set from a file. Throws InputError with the location
/// of the error, and UsageError if the argument is neither a name nor a file.
[[nodiscard]] GateSet load_gate_set(std::string_view name_or_path,
                                    const std::stop_token& stop = {});
/// Parses a gate set from JSON text, called `name` in messages. Its custom gates have their names
/// in this set only (GateSet::custom_gates).
[[nodiscard]] GateSet parse_gate_set(std::string_view text, const std::string& name);

/// Returns the letters of enumeration on `qubits` qubits in canonical order: every gate on every
/// choice of its operands (symmetric operands once) with every choice or tuple of angles. The order
/// is that of the gates in the set, then operands, then angles as in the set.
[[nodiscard]] std::vector<Operation> alphabet(const GateSet& set, unsigned qubits);

/// A gate of a circuit for which there is no translation.
class UntranslatableGate : public InputError {
 public:
  UntranslatableGate(const std::string& message, const Operation& operation)
      : InputError(message), operation_(operation) {}

  [[nodiscard]] const Operation& operation() const noexcept { return operation_; }

 private:
  Operation operation_;
};

/// A gate of a circuit that a gate set cannot express.
class InexpressibleGate : public UntranslatableGate {
 public:
  using UntranslatableGate::UntranslatableGate;
};

/// Translates the circuit into the gates of the set, by exact decompositions from the gate table.
/// Gates that the set contains are kept as they are; every other gate is written with the fewest
/// gates on two or more qubits, then the fewest gates; operations other than gates are kept. When
/// written, the result has its angles in the set's units. The unitary stays the same, including its
/// global phase. A conditional gate becomes gates under the same condition, without its phase,
/// because no phase between branches of a classical alternative can be observed. Throws
/// InexpressibleGate for a gate that the set cannot express exactly, UntranslatableGate for one
/// whose angles in the set need numbers of more than 64 bits, and Stopped once a stop is requested.
[[nodiscard]] Circuit translate(const Circuit& circuit, const GateSet& set,
                                const std::stop_token& stop = {});

}  // namespace quartz
