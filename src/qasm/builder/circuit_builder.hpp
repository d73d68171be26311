#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "qasm/builder/work_budget.hpp"
#include "qasm/gates/gate_definition.hpp"
#include "qasm/gates/gate_sequence.hpp"
#include "qasm/text/source.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/qasm/include_path.hpp"

namespace quartz::qasm {

/// What the program has as it stands: the name of an opaque operation, or the text of a statement.
struct Kept {
  OpaqueKind kind{};
  std::string text;
  bool names_qubits = false;  ///< see ClassicalPart
};

/// Appends operations to a circuit: expands gate definitions, and applies modifiers and the
/// conditions in force.
class CircuitBuilder {
 public:
  CircuitBuilder(const Source& source, WorkBudget& budget, Circuit& circuit,
                 ControlExpansion expansion = {})
      : source_(source), budget_(budget), circuit_(circuit), expansion_(expansion) {}

  /// Puts everything that is appended until end_conditions under these conditions, in addition to
  /// those already in force. A program tests conditions once, before the first operation, but the
  /// circuit tests them at each operation. A measurement that writes to a tested bit must therefore
  /// be the last statement; a statement after it is an InputError at that statement.
  void begin_conditions(std::vector<Condition> conditions, std::string_view place);
  /// Ends the conditions that were begun last. Returns whether an operation has changed a bit that
  /// they test.
  bool end_conditions();

  /// Appends a call. `place` is the name in the call. The numbers of values and qubits must be
  /// those of the callee.
  void append_call(const Callable& callee, std::span<const Value> values,
                   std::span<const Qubit> qubits, std::string_view place);
  /// Appends the same gate as an earlier call did. Its angles have no terms.
  void append_again(const Operation& gate, std::string_view place);
  /// Appends a call under modifiers, of which the outermost is first; the qubits of their controls
  /// come first. The callee must not be an opaque gate.
  void append_modified_call(std::span<const Modifier> modifiers, const Callable& callee,
                            std::span<const Value> values, std::span<const Qubit> qubits,
                            std::string_view place);
  /// Appends a measurement into a bit, or with an outcome that is discarded.
  void append_measure(Qubit qubit, std::optional<ClassicalBit> bit, std::string_view place);
  void append_reset(Qubit qubit, std::string_view place);
  void append_barrier(std::span<const Qubit> qubits, std::string_view place);
  /// Appends an opaque operation.
  Operation& append_opaque(Kept kept, std::span<const Qubit> qubits, std::string_view place,
                           std::span<const ClassicalBit> bits = {});
  void append_global_phase(const Angle& phase, std::string_view place);
  /// Appends a statement that is kept as it stands, and that writes these bits.
  void append_statement(Kept statement, std::span<const ClassicalBit> bits, std::string_view place);
  /// Fills in the qubits of all kept statements, which are those of the complete circuit.
  void complete_statements();
  /// Adds the declaration of an input or an output. complete_statements() puts all of them before
  /// the operations.
  void add_interface_statement(Kept statement, std::span<const ClassicalBit> bits,
                               std::string_view place);
  /// Has calls of gates that the circuit declares appended as they are. Calls under modifiers and
  /// verbatim gates are expanded nevertheless.
  void keep_calls() { keeps_calls_ = true; }
  /// Appends the operations of a definition on the first qubits, with these values of its
  /// parameters. `place` is the definition.
  void append_body(const GateDefinition& definition, std::span<const Value> values,
                   std::string_view place);
  /// What return_to() restores.
  struct Mark {
    std::size_t operations = 0;
    Angle global_phase;
    std::vector<bool> stale_levels;
  };
  [[nodiscard]] Mark mark() const;
  /// Removes everything that was appended after the mark, and what is known of the bits that it
  /// wrote. No conditions may have begun or ended since.
  void return_to(const Mark& mark);
  /// Makes all gates that follow opaque operations, or ends that.
  void set_verbatim(bool is_verbatim) { is_verbatim_ = is_verbatim; }
  /// Has the place of one operation recorded, by its index in the circuit.
  void record_place_of(std::size_t operation) { recorded_operation_ = operation; }
  /// Returns the recorded place; empty if the circuit has no such operation so far.
  [[nodiscard]] std::string_view recorded_place() const { return recorded_place_; }
  /// Throws InputError at `place` if a condition in force tests bits that have changed since.
  void check_conditions(std::string_view place) const;

 private:
  /// The conditions of one `if`.
  struct ConditionLevel {
    std::vector<Condition> conditions;
    std::string_view place;
    bool is_stale = false;
    /// The conditions of this level and of all outer levels, shared by the gates under them.
    std::shared_ptr<const ClassicalPart> for_gates;
  };

  Operation& append(OperationKind kind, std::span<const Qubit> qubits, std::string_view place);
  /// Notes that a bit changes, which conditions in force may test.
  void note_write(ClassicalBit bit);
  Operation& append_gate_operation(GateKind gate, std::span<const Qubit> qubits,
                                   std::string_view place);
  void append_gate(GateKind gate, std::span<const Value> values, std::span<const Qubit> qubits,
                   std::string_view place);
  void append_vendor_gate(const VendorGate& gate, std::span<const Value> values,
                          std::span<const Qubit> qubits, std::string_view place);
  void set_angles(Operation& operation, std::span<const Value> values, std::string_view place);
  /// Appends a call, whose work is charged already, or the operations of the definition.
  void append_defined(const GateDefinition& definition, std::span<const Value> values,
                      std::span<const Qubit> qubits, std::string_view place);
  /// Appends the operations of the definition; `place` is the outermost call.
  void expand(const GateDefinition& definition, std::span<const Value> values,
              std::span<const Qubit> qubits, std::string_view place);
  void append_step(const BodyStep& step, std::span<const Value> values,
                   std::span<const Qubit> qubits, std::string_view place);
  /// Returns a new ClassicalPart with the conditions in force.
  [[nodiscard]] std::shared_ptr<ClassicalPart> conditional_part() const;
  /// A barrier orders gates independently of the conditions, so it needs none itself.
  void append_unconditional_barrier(std::span<const Qubit> qubits, std::string_view place);
  /// Returns up to kMaxControls qubits that a call on these qubits with many controls can borrow:
  /// qubits that have only gates so far, so that no gate comes after a final measurement.
  std::vector<Qubit> lent_beside(std::span<const Qubit> qubits, std::string_view place);
  /// Returns what `apply` returns; its errors are those of the modifier.
  template <typename Apply>
  GateSequence with_messages(std::string_view modifier, std::string_view place, Apply apply);
  /// Returns the inverse or a power.
  GateSequence modified(const Modifier& modifier, const GateSequence& sequence,
                        std::string_view place);
  GateSequence under_controls(const GateSequence& sequence, std::span<const Qubit> controls,
                              std::span<const Qubit> lent, std::string_view modifier,
                              std::string_view place);
  GateSequence repeated(const GateSequence& sequence, std::int64_t exponent,
                        std::string_view place);
  void append_sequence(const GateSequence& sequence, std::string_view place);

  std::vector<Operation> interface_;  ///< declarations of inputs and outputs
  const Source& source_;
  WorkBudget& budget_;
  Circuit& circuit_;
  ControlExpansion expansion_;
  std::vector<ConditionLevel> levels_;  ///< outermost `if` first
  bool is_verbatim_ = false;
  bool keeps_calls_ = false;
  bool has_statements_ = false;
  std::vector<bool> is_closed_;  ///< whether a qubit has an operation that is not a gate
  std::size_t recorded_operation_ = std::numeric_limits<std::size_t>::max();
  std::string_view recorded_place_;
};

}  // namespace quartz::qasm
