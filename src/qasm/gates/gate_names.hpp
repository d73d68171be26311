#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/qasm/dialect.hpp"

namespace quartz::qasm {

/// Returns the operations that determine which names a program has, in their order: all opaque
/// ones, and the first with each gate of the table. The list of a large circuit is read only once
/// for them.
[[nodiscard]] std::vector<const Operation*> naming_operations(
    std::span<const Operation> operations);

/// The names of the table's gates in a program that the writer produces. Names that the circuit
/// gives to its registers, parameters and opaque gates have priority. If one of these is a gate of
/// the standard include file, the program does not include that file, and a gate of such a name is
/// called `quartz_` followed by its name. A circuit whose own file included the standard file
/// nevertheless keeps it.
class GateNames {
 public:
  /// `naming` are the naming_operations() of the circuit.
  GateNames(const Circuit& circuit, std::span<const Operation* const> naming,
            unsigned language_version, const Dialect& dialect);

  /// Returns whether the program includes the standard file of its version, or another one that the
  /// dialect has in its place.
  [[nodiscard]] bool includes_library() const noexcept { return includes_library_; }
  [[nodiscard]] std::string_view operator[](GateKind kind) const {
    return names_[static_cast<std::size_t>(kind)];
  }
  /// Returns whether the program has to declare the gate if it uses it.
  [[nodiscard]] bool needs_declaration(GateKind kind) const;
  /// Returns the body of the declaration that a gate needs, in version 2 without a phase; nothing
  /// for a custom gate that is defined by its matrix only.
  [[nodiscard]] std::optional<Decomposition> definition_of(GateKind kind) const;

 private:
  unsigned version_;
  bool has_declarations_;
  bool includes_library_ = true;
  std::vector<std::string> names_;
};

/// Returns whether a register or parameter of the circuit has the name of a gate of the standard
/// include file, and no opaque gate has. See Circuit::hides_library_names.
[[nodiscard]] bool hides_library_names(const Circuit& circuit);

/// Returns the gate that a name may mean in a program written with GateNames, a built-in gate or
/// one of the custom gates; null if there is none.
[[nodiscard]] const Gate* gate_of_written_name(std::string_view name,
                                               const CustomGates& custom_gates);

}  // namespace quartz::qasm
