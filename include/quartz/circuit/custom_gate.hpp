#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/gate.hpp"

/// Custom gates: gates of a gate set beyond those of gates.inc. Their definitions are interned by
/// content, as compilers intern types: a definition becomes a row of the gate table, equal
/// definitions become the same row, and no row is ever changed or removed. A GateKind therefore has
/// one meaning as long as the process lives, and reading rows takes no lock. A name has no meaning
/// by itself: it belongs to the gate set that declares the gate (CustomGates), and several rows may
/// have it.
namespace quartz {

/// Most values of GateKind: the rows of gates.inc and all different custom gates of a process.
inline constexpr std::size_t kMaxGateKinds = std::size_t{1} << 16U;
/// The searches rewrite windows of gates on at most this many qubits.
inline constexpr unsigned kMaxCustomQubits = 3;
/// Greatest number of parameters of a custom gate.
inline constexpr std::size_t kMaxCustomParameters = 4;

/// A gate defined by its matrix, by gates that it consists of, or by both.
struct CustomGate {
  std::string name;
  unsigned qubits = 0;
  std::vector<std::string> parameters;
  /// The non-zero entries, as in Gate. If empty, the matrix follows from the body.
  std::vector<MatrixEntry> matrix;
  /// Gates on the operands, with angles in the parameters. If there is a matrix, the phase of the
  /// body is computed and its stated phase is ignored. Empty for a gate that is defined by its
  /// matrix only.
  std::optional<Decomposition> body;
};

/// Returns the kind of a custom gate, and adds it to the table if no equal definition is there:
/// with the same name, operands, matrix and body. Afterwards gate() knows the gate and its inverse:
/// the gate itself with other angles if possible, otherwise a row of its own with the name
/// `name`_inverse. Throws InputError, without a location, for an invalid definition: a name that is
/// not an identifier or is that of a built-in gate, a matrix that is not unitary for all angles,
/// entries that are not sums of e^{i angle} (PhaseTerm) with angles in multiples of pi/4096 at the
/// finest, a body that does not equal the matrix up to a phase; and if kMaxGateKinds is used up.
/// Thread-safe.
GateKind define_gate(const CustomGate& custom);

/// Throws InputError, without a location, for a name that define_gate would refuse.
void require_gate_name(const std::string& name);

/// The custom gates that a gate set declares, which texts about the set call by their names.
class CustomGates {
 public:
  /// Defines a gate as define_gate does, and adds it. Returns the row that has its name here, which
  /// may be the inverse of a gate that was added before, with the same definition.
  GateKind define(const CustomGate& custom);
  /// Adds a custom gate, and its inverse if that is a row of its own; neither if they are here.
  /// Throws InputError, without a location, if another gate has one of the names.
  void add(GateKind kind);
  /// Returns the gates in the order in which they were added.
  [[nodiscard]] const std::vector<GateKind>& kinds() const { return kinds_; }
  /// Returns the gate with a name; null if there is none.
  [[nodiscard]] const Gate* find(std::string_view name) const;

 private:
  std::vector<GateKind> kinds_;
  std::map<std::string_view, GateKind> by_name_;
};

/// Finds a gate of gates.inc by its name or an alias, or one of the custom gates by its name;
/// returns null if there is no such gate.
[[nodiscard]] const Gate* find_gate(std::string_view name, const CustomGates& custom_gates);

/// Returns the gate of which a row is the inverse and with which it was defined, for a row that
/// define_gate added beside the one that was asked for; nothing for all others.
[[nodiscard]] std::optional<GateKind> defined_with(GateKind kind);

/// Returns the number of kinds so far, which are 0 .. count - 1 with those of gates.inc first.
[[nodiscard]] std::size_t gate_count();
/// Returns the name, parameters and matrix of a gate as text: two rows mean the same gate exactly
/// if the texts are equal.
[[nodiscard]] std::string meaning_of(const Gate& row);
/// Returns the preferred decomposition that holds for all angles; null for a custom gate without
/// one.
[[nodiscard]] const Decomposition* general_decomposition(const Gate& row);

}  // namespace quartz
