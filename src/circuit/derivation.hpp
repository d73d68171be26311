#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "circuit/history.hpp"
#include "quartz/algebra/angle.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/operation.hpp"
#include "quartz/circuit/output_permutation.hpp"

namespace quartz::circuit {

/// How gates were derived from others: by which rewrites, and whether all of them are exact. There
/// is no default, so that gates cannot be replaced without saying how.
class Derivation {
 public:
  /// Returns the derivation of gates that have not changed.
  [[nodiscard]] static Derivation unchanged() { return {nullptr, false}; }
  /// Returns that of gates to which recorded rewrites lead; with a null history they have not
  /// changed. The rewrites are numeric if they were computed in floating-point arithmetic.
  [[nodiscard]] static Derivation by(HistoryPointer history, bool is_numeric = false) {
    return {std::move(history), is_numeric};
  }
  /// Returns that of gates by which a number of gates on some wires were replaced at once, as one
  /// recorded rewrite.
  [[nodiscard]] static Derivation by_exchange(std::size_t replaced,
                                              std::span<const Operation> gates,
                                              std::uint32_t wires);
  /// Returns that of gates which were replaced by equal ones in a way that was not recorded.
  [[nodiscard]] static Derivation unrecorded(bool is_numeric = false) {
    return {unknown_history(), is_numeric};
  }

  /// Returns this derivation, of some gates, as one that other lists of the same gates share on any
  /// qubits. The qubits of the gates are numbered in the order in which they first occur.
  [[nodiscard]] Derivation as_lemma(std::span<const Operation> before) const;

  /// Returns the derivation that consists of this one and a further step. If one of them was not
  /// recorded, the result is not either.
  [[nodiscard]] Derivation then(Derivation step) const;

  /// Returns whether the rewrites of all steps are recorded.
  [[nodiscard]] bool is_recorded() const;
  /// Returns whether a step was computed in floating-point arithmetic.
  [[nodiscard]] bool is_numeric() const { return is_numeric_; }
  /// Returns the rewrites; null if nothing has changed.
  [[nodiscard]] const HistoryPointer& history() const { return history_; }
  /// Returns the number of recorded rewrites.
  [[nodiscard]] std::uint64_t steps() const { return steps_of(history_.get()); }

 private:
  Derivation(HistoryPointer history, bool is_numeric)
      : history_(std::move(history)), is_numeric_(is_numeric) {}

  HistoryPointer history_;
  bool is_numeric_;
};

/// Collects the derivations of parts of a list of gates, which together are that of the list.
class DerivedParts {
 public:
  /// Adds a part: the gates at these indices of the list before, in order. Each wire runs through
  /// the parts in their order. `qubits` are the numbers of the qubits of the part; empty if they
  /// are those of the list.
  void add(NumberList gates, std::vector<Qubit> qubits, const Derivation& derivation);
  /// Returns the derivation of the list, in which the parts follow each other.
  [[nodiscard]] Derivation finish() &&;

 private:
  std::vector<History::Part> parts_;
  bool is_recorded_ = true;
  bool is_numeric_ = false;
};

/// The product of some gates times e^{i phase}, which equals the gates from which they were
/// derived.
struct DerivedGates {
  std::vector<Operation> gates;
  Angle phase;
  Derivation derivation;

  /// Returns gates as they are.
  [[nodiscard]] static DerivedGates unchanged(std::span<const Operation> gates) {
    return {{gates.begin(), gates.end()}, {}, Derivation::unchanged()};
  }
};

/// A circuit, and how it was derived from another one, which it equals up to the order of its
/// qubits.
struct DerivedCircuit {
  Circuit circuit;
  Derivation derivation;
  /// The qubits on which those of the first circuit end; empty if each is in its place.
  OutputPermutation permutation = {};

  /// Returns the circuit at the start of a derivation.
  [[nodiscard]] static DerivedCircuit first(Circuit circuit) {
    return {std::move(circuit), Derivation::unchanged()};
  }
  /// Continues with a circuit that was derived from this one.
  void append(DerivedCircuit step);
};

}  // namespace quartz::circuit
