#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "qasm/expression.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::qasm {

struct GateDefinition;

/// What a name means where a gate is called.
struct Callable {
  enum class Kind : std::uint8_t { table_gate, definition, opaque };
  Kind kind = Kind::table_gate;
  GateKind gate{};                             ///< table_gate
  const GateDefinition* definition = nullptr;  ///< definition
  /// Takes parameters that mean nothing: u0(n) is the identity of length n.
  bool ignores_parameters = false;
  std::size_t parameters = 0;
  std::size_t qubits = 0;
  std::string_view declared;  ///< the name in the source, for definition and opaque
};

/// One statement of a gate body. Qubits are numbers of the definition's own operands.
struct BodyStep {
  enum class Kind : std::uint8_t { call, barrier, global_phase };
  Kind kind = Kind::call;
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
  std::uint64_t work = 1;  ///< what an expansion costs (CircuitBuilder::charge), saturated
};

/// Whether this is, step by step, the definition that the writer gives for the table gate of the
/// definition's name: then a call means that gate. False for gates that need no definition.
[[nodiscard]] bool is_written_definition(const GateDefinition& definition,
                                         unsigned language_version, const Source& source);

}  // namespace quartz::qasm
