#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "qasm/expression.hpp"
#include "qasm/modifier.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::qasm {

struct GateDefinition;

/// What a name means where a gate is called.
struct Callable {
  enum class Kind : std::uint8_t { table_gate, definition, opaque, global_phase };
  Kind kind = Kind::table_gate;
  GateKind gate{};                             ///< table_gate
  const GateDefinition* definition = nullptr;  ///< definition
  /// Takes parameters that mean nothing: u0(n) is the identity of length n.
  bool ignores_parameters = false;
  /// The file gives its parameters in turns: the parser makes radians of them where it reads them.
  bool in_turns = false;
  std::size_t parameters = 0;
  std::size_t qubits = 0;
  std::string_view declared;  ///< the name in the source, for definition and opaque
};

/// `gphase`: no qubits of its own, one parameter.
[[nodiscard]] inline Callable global_phase_call() {
  Callable call;
  call.kind = Callable::Kind::global_phase;
  call.parameters = 1;
  return call;
}

/// One statement of a gate body. Qubits are numbers of the definition's own operands.
struct BodyStep {
  enum class Kind : std::uint8_t { call, barrier };
  Kind kind = Kind::call;
  std::vector<Modifier> modifiers;  ///< the outermost first
  Callable callee;
  boost::container::small_vector<std::uint32_t, 3> qubits;
  std::vector<Expression> angles;
};

/// A `gate` definition, checked; it is expanded wherever it is called.
struct GateDefinition {
  std::string_view name;
  NameNumbers parameters;
  NameNumbers qubits;
  std::vector<BodyStep> body;
  unsigned nesting = 1;    ///< 1 if no other definition is called
  std::uint64_t work = 1;  ///< what an expansion costs (WorkBudget::charge), saturated
};

/// Whether this is, step by step, a definition that the writer gives for the table gate that
/// gate_of_written_name finds: then a call means that gate.
[[nodiscard]] bool is_written_definition(const GateDefinition& definition,
                                         unsigned language_version, const Source& source);
/// The same of the definition that the writer gives where the angles are in turns, token for token
/// in its expressions: 2*pi*phi is no linear one, so it is compared as it is written.
[[nodiscard]] bool is_written_definition_in_turns(const GateDefinition& definition,
                                                  unsigned language_version);
/// The writer's name for a gate parameter. They are in the order of their names, for Qiskit's
/// OpenQASM 3 importer (up to 2.6) sorts them by name.
[[nodiscard]] std::string formal_parameter(std::size_t i);
/// The body of a definition of a gate in the writer's formal parameters; in turns with these
/// multiplied by 2, for the writer puts a factor of pi before each.
[[nodiscard]] Decomposition written_body(GateKind kind, const Decomposition& definition,
                                         bool in_turns);
/// That factor.
[[nodiscard]] inline std::string_view formal_parameter_factor(bool in_turns) {
  return in_turns ? "pi*" : "";
}

}  // namespace quartz::qasm
