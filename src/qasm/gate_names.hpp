#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quartz/circuit/circuit.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::qasm {

/// What a program that the writer makes calls the gates of the table. Names that the circuit gives
/// to its registers, parameters and opaque gates come first: the standard include file, all of
/// whose gates are names as well, is left out where it has one of them, and a gate of such a name
/// is called `quartz_` and its name. Circuits whose own file included it all the same keep it.
class GateNames {
 public:
  GateNames(const Circuit& circuit, unsigned language_version);

  /// Whether the program includes the standard file of its version.
  [[nodiscard]] bool includes_library() const noexcept { return includes_library_; }
  [[nodiscard]] std::string_view operator[](GateKind kind) const {
    return names_[static_cast<std::size_t>(kind)];
  }
  /// Whether the program has to declare the gate where it uses it.
  [[nodiscard]] bool needs_declaration(GateKind kind) const;
  /// The body of the declaration that a gate needs; null for a custom gate that is known by its
  /// matrix only.
  [[nodiscard]] const Decomposition* definition_of(GateKind kind) const;

 private:
  unsigned version_;
  bool includes_library_ = true;
  std::vector<std::string> names_;
};

/// Whether a register or parameter of the circuit has the name of a gate of the standard include
/// file, and no opaque gate has. See Circuit::hides_library_names.
[[nodiscard]] bool hides_library_names(const Circuit& circuit);

/// The gate that a program written with GateNames may mean by a name; null for none.
[[nodiscard]] const Gate* gate_of_written_name(std::string_view name);

}  // namespace quartz::qasm
