#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
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

/// Whether this is, step by step, the definition that the writer gives for the table gate of the
/// definition's name: then a call means that gate. False for gates that need no definition.
[[nodiscard]] bool is_written_definition(const GateDefinition& definition,
                                         unsigned language_version, const Source& source);

}  // namespace quartz::qasm
