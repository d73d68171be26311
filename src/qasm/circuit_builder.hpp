#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "qasm/gate_definition.hpp"
#include "qasm/gate_sequence.hpp"
#include "qasm/source.hpp"
#include "qasm/work_budget.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::qasm {

/// Appends operations to a circuit: expands gate definitions, applies modifiers and the conditions
/// in force.
class CircuitBuilder {
 public:
  CircuitBuilder(const Source& source, WorkBudget& budget, Circuit& circuit)
      : source_(source), budget_(budget), circuit_(circuit) {}

  /// Everything appended until end_conditions is done only where all of these hold, besides those
  /// in force already. A program tests them once, before the first operation; the circuit tests
  /// them for each. So nothing may follow a measurement that writes to what is tested: an
  /// InputError at that statement.
  void begin_conditions(std::vector<Condition> conditions, std::string_view place);
  /// Of those begun last; whether an operation has changed what they test.
  bool end_conditions();

  /// `place` is the name in the call. The counts of values and qubits are the callee's.
  void append_call(const Callable& callee, std::span<const Value> values,
                   std::span<const Qubit> qubits, std::string_view place);
  /// The same under modifiers, the outermost first; the qubits of their controls come first. Not
  /// for an opaque gate.
  void append_modified_call(std::span<const Modifier> modifiers, const Callable& callee,
                            std::span<const Value> values, std::span<const Qubit> qubits,
                            std::string_view place);
  /// Into a bit, or with an outcome that is not kept.
  void append_measure(Qubit qubit, std::optional<ClassicalBit> bit, std::string_view place);
  void append_reset(Qubit qubit, std::string_view place);
  void append_barrier(std::span<const Qubit> qubits, std::string_view place);
  void append_delay(std::string_view duration, std::span<const Qubit> qubits,
                    std::string_view place);
  void append_global_phase(const Angle& phase, std::string_view place);

 private:
  /// What one `if` says.
  struct ConditionLevel {
    std::vector<Condition> conditions;
    std::string_view place;
    bool is_stale = false;
    /// With those of the levels before; shared by the gates under them.
    std::shared_ptr<const ClassicalPart> for_gates;
  };

  Operation& append(OperationKind kind, std::span<const Qubit> qubits, std::string_view place);
  void append_gate(GateKind gate, std::span<const Value> values, std::span<const Qubit> qubits,
                   std::string_view place);
  Operation& append_opaque(std::string name, std::span<const Qubit> qubits, std::string_view place);
  void set_angles(Operation& operation, std::span<const Value> values, std::string_view place);
  /// Steps of the definition; `place` is the outermost call.
  void expand(const GateDefinition& definition, std::span<const Value> values,
              std::span<const Qubit> qubits, std::string_view place);
  void append_step(const BodyStep& step, std::span<const Value> values,
                   std::span<const Qubit> qubits, std::string_view place);
  /// A new one that is under the conditions in force.
  [[nodiscard]] std::shared_ptr<ClassicalPart> conditional_part() const;
  /// A barrier orders gates whatever the condition's value, so it needs none itself.
  void append_unconditional_barrier(std::span<const Qubit> qubits, std::string_view place);
  GateSequence modified(const Modifier& modifier, GateSequence sequence,
                        std::span<const Qubit> controls, std::string_view place);
  GateSequence repeated(const GateSequence& sequence, std::int64_t exponent,
                        std::string_view place);
  void append_sequence(const GateSequence& sequence, std::string_view place);

  const Source& source_;
  WorkBudget& budget_;
  Circuit& circuit_;
  std::vector<ConditionLevel> levels_;  ///< the outermost `if` first
};

}  // namespace quartz::qasm
