#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "qasm/gates/library.hpp"
#include "qasm/gates/modifier.hpp"
#include "qasm/text/expression.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::qasm {

struct GateDefinition;

/// The meaning of a name in a gate call.
struct Callable {
  enum class Kind : std::uint8_t { table_gate, vendor_gate, definition, opaque, global_phase };
  Kind kind = Kind::table_gate;
  GateKind gate{};                             ///< for table_gate
  const GateDefinition* definition = nullptr;  ///< for definition
  const VendorGate* vendor = nullptr;          ///< for vendor_gate
  /// Whether the gate takes parameters without a meaning: u0(n) is the identity of length n.
  bool ignores_parameters = false;
  /// Whether the file gives the parameters in turns; the parser converts them to radians when it
  /// reads them.
  bool in_turns = false;
  std::size_t parameters = 0;
  std::size_t qubits = 0;
  std::string_view declared;  ///< for definition and opaque: the name in the source
};

/// Returns `gphase`, which has no qubits of its own and one parameter.
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
  std::vector<Modifier> modifiers;  ///< outermost first
  Callable callee;
  boost::container::small_vector<std::uint32_t, 3> qubits;
  std::vector<Expression> angles;
};

/// A checked `gate` definition, which is expanded wherever it is called.
struct GateDefinition {
  std::string_view name;
  NameNumbers parameters;
  NameNumbers qubits;
  std::vector<BodyStep> body;
  unsigned nesting = 1;    ///< 1 if no other definition is called
  std::uint64_t work = 1;  ///< cost of an expansion (WorkBudget::charge), saturated
  std::string kept_as;     ///< name of the gate that the circuit declares; empty: it is expanded
};

/// Returns whether the definition equals, step by step, the one that the writer gives for the table
/// gate that gate_of_written_name finds. A call then means that gate.
[[nodiscard]] bool is_written_definition(const GateDefinition& definition,
                                         unsigned language_version, const Source& source,
                                         const CustomGates& custom_gates);
/// Returns whether the definition equals the one that the writer gives if the angles are in turns.
/// The expressions are compared token by token, because 2*pi*phi is not a linear expression.
[[nodiscard]] bool is_written_definition_in_turns(const GateDefinition& definition,
                                                  unsigned language_version,
                                                  const CustomGates& custom_gates);
/// Returns the writer's name for a gate parameter. The order of the parameters is the order of
/// their names, because Qiskit's OpenQASM 3 importer (up to 2.6) sorts them by name.
[[nodiscard]] std::string formal_parameter(std::size_t i);
/// Returns the body of a gate's definition in the writer's formal parameters. For angles in turns
/// the parameters are multiplied by 2, because the writer puts a factor of pi before each.
[[nodiscard]] Decomposition written_body(GateKind kind, const Decomposition& definition,
                                         bool in_turns);
/// Returns the factor that the writer puts before each formal parameter.
[[nodiscard]] inline std::string_view formal_parameter_factor(bool in_turns) {
  return in_turns ? "pi*" : "";
}

}  // namespace quartz::qasm
