#pragma once

#include <boost/container/small_vector.hpp>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/fuzzing.hpp"
#include "qasm/builder/branch_conditions.hpp"
#include "qasm/builder/circuit_builder.hpp"
#include "qasm/builder/work_budget.hpp"
#include "qasm/files/included_files.hpp"
#include "qasm/gates/gate_definition.hpp"
#include "qasm/reader/known_statements.hpp"
#include "qasm/reader/program_version.hpp"
#include "qasm/scope/declared_names.hpp"
#include "qasm/scope/gate_uses.hpp"
#include "qasm/syntax/parser.hpp"
#include "qasm/syntax/resolve.hpp"
#include "qasm/syntax/tree.hpp"
#include "qasm/text/expression.hpp"
#include "qasm/text/lexer.hpp"
#include "qasm/text/names.hpp"
#include "quartz/circuit/circuit.hpp"
#include "quartz/qasm/include_path.hpp"

namespace quartz::qasm {

/// Executes one program, statement by statement, and makes the circuit of its operations.
class Executor {
 public:
  /// The program may call the custom gates by their names. read() throws Stopped once a stop is
  /// requested.
  Executor(Source& source, IncludedFiles files, CustomGates custom_gates, GateCalls calls,
           ControlExpansion expansion, const std::stop_token& stop = {});

  [[nodiscard]] Circuit read();
  /// Returns where the program has an operation of its circuit, by its index in the circuit: the
  /// outermost call. Call in place of read().
  [[nodiscard]] SourceLocation read_place_of(std::size_t operation);

 private:
  struct PhysicalQubits {
    bool used = false;
    std::uint32_t announced = 0;  ///< number stated by a comment of the writer
  };

  /// The state of the execution around the current statement.
  struct Execution {
    /// What ends the current block early.
    enum class Jump : std::uint8_t { none, next_iteration, end_of_loop, end_of_subroutine };
    /// A branch under conditions on measured bits.
    struct Branch {
      BitExpressionPointer condition;
      std::size_t depth = 0;  ///< number of scopes around what is declared in it
    };

    Jump jump = Jump::none;
    unsigned nesting = 0;          ///< blocks around it
    unsigned calls = 0;            ///< calls of subroutines around it
    std::size_t calls_so_far = 0;  ///< calls in any part of the program
    /// Values that the current expressions have read and that depend on bits.
    std::vector<BitExpressionPointer> bits_read;
    unsigned kept_loops = 0;             ///< loops around it that are not unrolled
    unsigned boxes = 0;                  ///< boxes around it
    std::vector<Branch> branches;        ///< outermost first
    unsigned loops = 0;                  ///< loops around it that are unrolled
    std::size_t branches_of_loop = 0;    ///< branches around the innermost of these
    std::size_t branches_of_caller = 0;  ///< branches around the current subroutine
    std::optional<Value> result;         ///< value of a `return` statement
    bool has_variables = false;          ///< in any part of the program so far
    bool has_branch_values = false;      ///< whether variables may have a value in a branch only
    bool has_local_registers = false;    ///< whether a block has declared classical bits
  };

  /// An argument of a subroutine.
  struct Argument {
    Operand qubits;
    Value value;
    std::shared_ptr<const Array> array;
    std::string_view place;
  };

  /// A duration, or a number in an expression of durations.
  struct DurationPart {
    std::string text;
    bool is_duration = false;
    std::optional<LengthOfTime> value = {};  ///< if it is known; numbers have no unit
  };

  struct ElementType {
    CastType type = CastType::real;
    std::uint64_t width = 0;  ///< in bits; 0 if the type has none
  };

  /// A cache of values by their text, separate for angles in turns, because files repeat few angles
  /// many times. It is not used where names may change their values.
  struct KnownValues {
    syntax::KnownValues radians;
    syntax::KnownValues turns;
  };

  /// Scratch space for the current statement.
  struct StatementScratch {
    Expression expression;
    std::vector<Value> values;
    boost::container::small_vector<Operand, 8> operands;
    std::vector<Qubit> qubits;
    bool names_qubits = false;  ///< whether the text that will be kept next names qubits
  };

  static constexpr std::uint32_t kMaxElements = syntax::kMaxElements;

  // --- the program (executor.cpp) ---
  /// Reads the version line. Returns its end in the text; null if there is none.
  const char* read_version();
  void use_version_3();
  void execute_file();
  void note_statement(const syntax::Statement& statement, std::string_view text,
                      std::size_t operations);
  void parse_next(syntax::Statement& statement);
  [[nodiscard]] bool is_known_name(std::string_view name) const;
  void execute(const syntax::Statement& statement);
  void execute(const syntax::Empty& /*unused*/) {}
  void execute(const syntax::Block& block) { execute_body(block); }
  void execute(const syntax::Include& include);
  void execute_included_file(const Token& file, std::string_view name);
  void read_written_comment(const char* end_of_statement);
  void read_global_phase_comment(const char* end_of_statement);
  void read_physical_qubits_comment(const char* end_of_statement);
  /// Removes the comment that contains this part from the recorded comments.
  void forget_comment(std::string_view part);
  /// Throws an InputError: "found X, expected `expected`".
  [[noreturn]] void fail_found(const Token& token, std::string_view expected) const;
  [[noreturn]] void fail_unknown_statement(const Token& word) const;

  // --- declarations (declaration.cpp) ---
  void execute(const syntax::RegisterDeclaration& declaration);
  void execute(const syntax::Input& input);
  void execute(const syntax::Output& output);
  void execute(const syntax::Constant& declaration);
  void execute(const syntax::Alias& alias);
  std::optional<std::int64_t> width_of(const syntax::Expression& expression);
  std::uint32_t register_size(const syntax::Expression& expression, bool is_quantum);
  /// Returns the size of a further register of bits, which must not be too large.
  [[nodiscard]] std::uint32_t checked_size(std::uint64_t size, std::string_view place) const;
  void declare_register(const Token& name, std::uint32_t size, DeclaredRegister declared);
  /// Returns the name, or one with a number if the circuit has that name already.
  std::string unique_register_name(std::string_view name, std::string_view place);
  void declare_constant(const Token& name, Value value);
  void check_new_name(const Token& name) const;
  [[nodiscard]] bool is_name_of_circuit(std::string_view name) const;

  // --- gates (gate_declaration.cpp) ---
  void execute(const syntax::GateDefinition& declaration);
  void execute(const syntax::Opaque& opaque);
  /// Returns the custom gate that a definition with its name means, by its matrix.
  [[nodiscard]] std::optional<GateKind> custom_gate_of(const GateDefinition& definition,
                                                       std::string_view place);
  /// Has the circuit declare the gate, unless calls are expanded or its body is not linear in its
  /// parameters.
  void keep_declaration(GateDefinition& definition, std::string_view place);
  /// Returns the name that the gate has in the circuit, which no other gate has.
  [[nodiscard]] std::string name_in_circuit(std::string_view name) const;
  void check_new_gate_name(const Token& name, bool is_definition) const;
  [[nodiscard]] NameNumbers numbers_of(std::span<const Token> names) const;
  /// Appends the steps of a body, in which loops are unrolled.
  void append_body(GateDefinition& definition, const syntax::Block& body);
  void append_gate_loop(GateDefinition& definition, const syntax::For& loop);
  BodyStep body_call(const GateDefinition& definition, const syntax::Call& call);
  BodyStep body_barrier(const GateDefinition& definition, const syntax::SetOperation& operation);
  std::vector<Expression> body_angles(const GateDefinition& definition,
                                      std::span<const syntax::Expression> arguments, bool in_turns);
  [[nodiscard]] boost::container::small_vector<std::uint32_t, 3> body_qubits(
      const GateDefinition& definition, std::span<const syntax::Reference> operands) const;
  void check_distinct_in_body(const GateDefinition& definition,
                              std::span<const std::uint32_t> qubits, std::string_view place) const;
  [[nodiscard]] ExpressionScope body_scope(const GateDefinition& definition) const;
  void add_to_work(GateDefinition& definition, const BodyStep& step, std::string_view place) const;

  // --- operations (statement.cpp) ---
  void execute(const syntax::Call& call);
  void execute(const syntax::Measure& measure);
  void execute(const syntax::Reset& reset);
  void execute(const syntax::SetOperation& operation);
  void append_call(std::span<const Modifier> modifiers, const syntax::Call& call,
                   const Callable& callee);
  void append_global_phase(const syntax::Call& call);
  /// Writes values in radians to scratch_.values, also if the file gives them in turns. One may be
  /// an angle with measured bits if `may_be_measured`.
  void evaluate_arguments(std::span<const syntax::Expression> arguments, bool in_turns = false,
                          bool may_be_measured = false);
  Value value_of_argument(const syntax::Expression& argument, bool in_turns, bool may_be_measured);
  void append_measure(const Operand& qubits, const Operand& bits, std::string_view place);
  /// Returns the size of the registers among the operands, which must all have the same size; 1 if
  /// there are none.
  std::uint32_t broadcast_size() const;
  void append_broadcast(std::span<const Modifier> modifiers, const Token& name,
                        const Callable& callee);
  void check_distinct(std::span<const Qubit> qubits, std::string_view gate,
                      std::string_view place) const;
  [[nodiscard]] std::string qubit_name(Qubit qubit) const;

  // --- angles with measured bits (measured_angle.cpp) ---
  void use_bits_of_angle(std::string_view name);
  void append_measured_call(std::span<const Modifier> modifiers, const Token& name,
                            const Callable& callee);

  // --- modifiers (modified_call.cpp) ---
  std::vector<Modifier> modifiers_of(std::span<const syntax::Modifier> declared,
                                     const ExpressionScope& scope);
  void set_exponent(Modifier& modifier, const syntax::Expression& exponent,
                    const ExpressionScope& scope);
  /// Returns the gate to which modifiers apply.
  Callable find_modified(const Token& name);
  /// Records the uses of gates that modifiers produce and that the file does not name.
  void note_uses_from(std::size_t first_operation, const Token& name);

  // --- operands (operand.cpp) ---
  void execute(const syntax::PhysicalQubit& declaration);
  Operand operand_of(const syntax::Reference& reference, bool is_quantum);
  Operand physical_qubit(std::string_view name, bool is_quantum);
  /// Represents the physical qubits by one register, as large as the largest number requires.
  void use_physical_qubits(std::uint32_t count);
  void read_qubit_set(const syntax::SetOperation& operation);
  Operand elements_of(const Operand& whole, const syntax::Selection& selection, bool is_quantum);
  Operand range_of(const Operand& whole, const syntax::Index& range, bool is_quantum);
  std::uint32_t element_of(const Operand& whole, const syntax::Expression& index, bool is_quantum);
  /// Returns the element with an index, which counts from the end if it is negative.
  [[nodiscard]] std::uint32_t element_at(std::int64_t index, std::string_view place,
                                         const Operand& whole, bool is_quantum) const;
  /// Returns the element with an index that is a decimal number.
  [[nodiscard]] std::uint32_t plain_index(std::string_view number, const Operand& whole,
                                          bool is_quantum) const;
  [[nodiscard]] Operand whole_register(const DeclaredRegister& declared,
                                       std::string_view name) const;
  [[nodiscard]] const DeclaredRegister& find_register(std::string_view name, bool is_quantum) const;
  [[nodiscard]] const Register& register_of(const DeclaredRegister& declared) const;
  [[noreturn]] void fail_out_of_range(std::string_view index, std::string_view place,
                                      const Operand& whole, bool is_quantum) const;
  /// Returns the value of a constant expression, which must be an integer.
  std::int64_t integer_in(const ExpressionScope& scope, const syntax::Expression& expression);
  std::int64_t integer_in(const syntax::Expression& expression) {
    return integer_in(scope_, expression);
  }

  // --- classical values (variable.cpp) ---
  void execute(const syntax::Variable& declaration);
  void execute(const syntax::Assignment& assignment);
  /// Returns the value of a name in an expression; null if it has none. Throws InputError for a
  /// variable whose value is not known.
  [[nodiscard]] const Value* known_value(std::string_view name, bool constants_only) const;
  /// Returns the value of classical bits, or of an element of an array, in an expression; nothing
  /// for any other name.
  std::optional<Value> read_reference(const syntax::Reference& reference);
  /// Returns the value of a call of a subroutine in an expression; nothing for any other function.
  std::optional<Value> call_function(const syntax::FunctionCall& call);
  /// Resolves an expression. The subroutines that it calls must not change a bit that it has read.
  void resolve_in(const ExpressionScope& scope, const syntax::Expression& expression,
                  Expression& result);
  /// Returns the value of an expression, which may depend on measured bits.
  Value value_of(const syntax::Expression& expression, bool is_assigned = false);
  /// Returns a value that is converted to the type of a variable.
  Value value_of(const syntax::Initializer& initializer, bool is_assigned = false);
  [[nodiscard]] static std::string_view place_of(const syntax::Initializer& value);
  void check_not_measured(const Value& value, std::string_view place) const;
  /// Returns whether names always have the same value here.
  [[nodiscard]] bool is_plain_program() const {
    return names_.depth() == 0 && !execution_.has_variables;
  }
  /// Returns a value as one of the type of a variable.
  [[nodiscard]] Value converted(const Value& value, const NamedValue& variable,
                                std::string_view place) const;
  [[nodiscard]] bool is_classical_register(std::string_view name) const;
  void check_angle_assignment(const Operand& target, const Token& sign) const;
  void change_bits(const Operand& target, const syntax::Assignment& assignment);
  void assign_to_variable(const syntax::Assignment& assignment, NamedValue& variable);
  [[nodiscard]] Value compound_value(const Token& sign, const Value& old, const Value& value) const;
  void assign(NamedValue& variable, Value value, std::string_view place);
  /// Returns the value that is `then` if the condition holds. Throws InputError without a location.
  [[nodiscard]] static Value selected(const BitExpressionPointer& condition, const Value& then,
                                      const Value& otherwise);
  void forget_bit(ClassicalBit bit, std::string_view place);
  void initialize_bits(const Operand& bits, const syntax::Initializer& value);
  void declare_initial_bits(const Operand& bits, const syntax::Initializer& initial);
  void assign_bits(const Operand& target, const Value& value, std::string_view place);
  [[nodiscard]] std::string text_of_bits(std::span<const ClassicalBit> bits,
                                         std::string_view place) const;
  [[nodiscard]] std::string text_of_value(const Value& value, std::size_t bits,
                                          std::string_view place) const;
  [[nodiscard]] std::string text_of_expression(const BitExpression& expression,
                                               std::string_view place) const;

  // --- arrays (array.cpp) ---
  void execute(const syntax::ArrayDeclaration& declaration);
  ElementType element_type_of(const syntax::Type& declared);
  std::uint32_t array_size(const syntax::Expression& expression);
  void check_dimensions(std::size_t dimensions, const Token& name) const;
  Array array_part(const syntax::Reference& reference);
  void select_index(Array& part, std::size_t& dimension, const syntax::Index& index,
                    std::string_view name);
  Value array_element(const syntax::Reference& reference);
  [[nodiscard]] const Value& value_of_element(const NamedValue& element,
                                              std::string_view name) const;
  Value array_size_of(const syntax::FunctionCall& call);
  std::vector<NamedValue> array_values(const syntax::Initializer& initializer, const Array& target);
  void append_list_values(const syntax::List& list, const Array& target, std::size_t dimension,
                          std::vector<NamedValue>& values);
  void assign_elements(const Array& target, const std::vector<NamedValue>& values,
                       std::string_view place);
  void assign_to_array(const syntax::Assignment& assignment);
  std::vector<std::int64_t> array_of_integers(const syntax::Reference& reference);
  SubroutineParameter array_parameter(const syntax::Parameter& declared);
  std::shared_ptr<const Array> array_argument(const SubroutineParameter& parameter,
                                              const syntax::Expression& argument);

  // --- conditions (control_flow.cpp) ---
  void execute(const syntax::If& statement);
  void execute(const syntax::Switch& statement);
  bool execute_under(const Alternatives& alternatives, const syntax::Block& body,
                     const Token& word);
  void begin_branch(const std::vector<Condition>& conditions, const Token& word);
  /// Returns whether an operation has changed a bit that the branch tests.
  bool end_branch(const Token& word);
  /// Charges for a text that is executed once more.
  void charge_again(std::string_view text, const Token& word);
  BranchConditions condition_of(const syntax::If& statement);
  BranchConditions condition_of(const syntax::Case& labels, const Value& value,
                                std::string_view place, std::set<std::int64_t>& so_far);
  [[nodiscard]] BranchConditions branches_of(const Value& value, std::string_view place) const;
  BranchConditions comparison_of(const syntax::Comparison& comparison);
  BranchConditions wide_comparison_of(const Register& tested, const Condition& condition,
                                      std::string_view name, const Token& value);
  /// Enters a block that starts at this token; fails if blocks are nested too deeply for recursion.
  void enter_block(const Token& start);
  void execute_body(const syntax::Block& block);

  // --- loops and jumps (loop.cpp) ---
  void execute(const syntax::For& loop);
  void execute(const syntax::While& loop);
  void execute(const syntax::Jump& jump);
  void check_loop_variable(const syntax::For& loop);
  NamedValue variable_in_loop(const syntax::For& loop, std::int64_t number);
  std::vector<std::int64_t> loop_values(const syntax::For& loop, const ExpressionScope& scope);
  void execute_iteration(const syntax::Block& body);
  bool continues_loop();
  void end_loop();
  [[nodiscard]] static std::string_view text_of_loop(const syntax::While& loop);
  void keep_loop(const syntax::While& loop);
  void forget_changed_variables(const syntax::While& loop);
  /// Fails at a jump under a condition on measured bits.
  void check_unconditional(const Token& word) const;

  // --- subroutines (subroutine.cpp) ---
  void execute(const syntax::Subroutine& declaration);
  void execute(const syntax::Return& statement);
  SubroutineParameter subroutine_parameter(const syntax::Parameter& declared);
  std::optional<Value> call_subroutine(std::string_view name,
                                       std::span<const syntax::Expression> arguments);
  std::vector<Argument> arguments_of(std::string_view name, const Subroutine& subroutine,
                                     std::span<const syntax::Expression> expressions);
  void bind_arguments(std::string_view name, const Subroutine& subroutine,
                      std::span<const Argument> arguments);
  Value returned_value(const syntax::Initializer& value);
  /// Declares a register for bits that a call returns.
  Operand declare_returned_bits(std::uint32_t size, std::string_view place);

  // --- functions that are defined elsewhere (extern_function.cpp) ---
  void execute(const syntax::Extern& declaration);
  ExternType extern_type(const syntax::Type& declared);
  std::string text_of_extern_call(std::string_view name,
                                  std::span<const syntax::Expression> expressions);
  std::string text_of_extern_argument(const ExternType& type, const syntax::Expression& expression);
  [[nodiscard]] std::string text_of_measured_argument(const ExternType& type, const Value& value,
                                                      std::string_view place) const;
  Operand keep_extern_call(const syntax::FunctionCall& call, const Operand* target);
  Value call_extern(const syntax::FunctionCall& call);
  bool keep_extern_value(const Operand& target, const syntax::Initializer& value);

  // --- statements that are kept (kept_statement.cpp) ---
  void execute(const syntax::Box& box);
  void execute(const syntax::Pragma& pragma);
  /// Appends a statement as it stands, which writes these bits.
  void keep(OpaqueKind kind, std::string text, std::span<const ClassicalBit> bits,
            std::string_view place) {
    builder_.append_statement({kind, std::move(text), take_names_of_qubits()}, bits, place);
  }
  bool take_names_of_qubits() { return std::exchange(scratch_.names_qubits, false); }
  void check_names_of_pragma(const syntax::Pragma& pragma) const;
  [[nodiscard]] static bool is_feedback_gate(std::string_view name) {
    return name == "measure_ff" || name == "cc_prx";
  }
  void keep_feedback_gate(const syntax::Call& call);

  // --- annotations (annotation.cpp) ---
  /// A statement that is kept with its annotations, and the bits that it writes.
  struct AnnotatedText {
    std::string text;
    std::vector<ClassicalBit> bits;
  };
  void execute(const syntax::Annotated& annotated);
  void annotate_assignment(const syntax::Annotated& annotated,
                           const syntax::Assignment& assignment);
  void annotate_call(const syntax::Annotated& annotated, const syntax::Call& call);
  void annotate_kept_statements(const std::string& lines, std::size_t first);
  void keep_annotated_operation(const syntax::Annotated& annotated);
  [[nodiscard]] std::vector<AnnotatedText> texts_of_annotated(const syntax::Annotated& annotated,
                                                              std::size_t first) const;
  [[nodiscard]] std::vector<AnnotatedText> texts_of_call(const syntax::Annotated& annotated,
                                                         const syntax::Call& call) const;
  [[nodiscard]] AnnotatedText text_of_operation(const Operation& operation,
                                                std::string_view place) const;
  void check_values_of_annotated(const syntax::Annotated& annotated) const;
  [[nodiscard]] std::string_view local_part_of(std::string_view text) const;
  [[nodiscard]] bool is_gate_of_standard_file(std::string_view name) const;
  void check_not_local(std::string_view modifiers, std::string_view name,
                       std::string_view place) const;

  // --- durations (duration.cpp) ---
  void execute(const syntax::DurationDeclaration& declaration);
  void assign_to_duration(const syntax::Assignment& assignment);
  std::string text_of_duration(const syntax::Expression& expression);
  void check_not_negative(const DurationPart& part, const syntax::Expression& expression) const;
  /// Returns the value of an expression of durations, which must be a duration.
  DurationPart duration_of(const syntax::Expression& expression);
  DurationPart duration_part(const syntax::Expression& expression);
  DurationPart duration_operand(const syntax::Term& term);
  void change_sign(DurationPart& part, const Token& sign) const;
  void combine_durations(DurationPart& left, const DurationPart& right, const Token& sign) const;
  void add_durations(DurationPart& sum, const DurationPart& next, const Token& sign) const;
  void multiply_durations(DurationPart& product, const DurationPart& next, const Token& sign) const;
  [[nodiscard]] static DurationPart literal_duration(std::string_view number,
                                                     std::string_view unit);
  DurationPart named_duration(const syntax::Reference& reference);
  [[nodiscard]] DurationPart number_in_duration(const Value& value, std::string_view place) const;
  DurationPart duration_of_gates(const syntax::DurationOf& duration);
  std::string text_of_timed_call(const syntax::TimedCall& call);

  // --- names ---
  void note_use(const Callable& callee, const Token& name);
  void note_use(GateKind kind, const Token& name) { gate_uses_.note(kind, name, language_.number); }
  [[noreturn]] void fail_unknown_gate(const Token& name) const;
  void check_counts(const Token& name, const Callable& callee, std::size_t parameters,
                    std::size_t qubits, std::span<const Modifier> modifiers = {}) const;

  Source& source_;
  IncludedFiles files_;
  std::vector<std::string_view> comments_;
  ProgramVersion language_;
  syntax::Parser parser_;
  GateCalls calls_;
  Circuit circuit_;
  WorkBudget budget_;
  CircuitBuilder builder_;

  DeclaredNames names_;
  ExpressionScope scope_;  ///< outside of gate bodies
  GateUses gate_uses_;
  PhysicalQubits physical_qubits_;
  Execution execution_;
  KnownValues known_values_;
  KnownStatements known_statements_;
  StatementScratch scratch_;
};

}  // namespace quartz::qasm
