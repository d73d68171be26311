#pragma once

#include <boost/container/small_vector.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/fuzzing.hpp"
#include "qasm/files/included_files.hpp"
#include "qasm/gates/gate_definition.hpp"
#include "qasm/reader/branch_conditions.hpp"
#include "qasm/reader/circuit_builder.hpp"
#include "qasm/reader/program_version.hpp"
#include "qasm/reader/work_budget.hpp"
#include "qasm/scope/declared_names.hpp"
#include "qasm/scope/gate_uses.hpp"
#include "qasm/text/expression.hpp"
#include "qasm/text/lexer.hpp"
#include "qasm/text/names.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::qasm {

/// Parses one program, statement by statement, into a circuit. The language version decides which
/// words begin statements; most of the grammar is common to both versions.
class Parser {
 public:
  /// The program may call the custom gates by their names. parse() throws Stopped once a stop is
  /// requested.
  Parser(Source& source, IncludedFiles files, CustomGates custom_gates,
         const std::stop_token& stop = {});

  [[nodiscard]] Circuit parse();
  /// Returns where the program has an operation of its circuit, by its index in the circuit: the
  /// outermost call. Call in place of parse().
  [[nodiscard]] SourceLocation parse_place_of(std::size_t operation);

 private:
  struct PhysicalQubits {
    bool used = false;
    std::uint32_t announced = 0;  ///< number stated by a comment of the writer
  };

  /// Where the program is that is followed while it is read.
  struct Execution {
    /// What ends the current block early.
    enum class Jump : std::uint8_t { none, next_iteration, end_of_loop, end_of_subroutine };
    /// A branch under conditions on measured bits.
    struct Branch {
      BitExpressionPointer condition;
      std::size_t depth = 0;  ///< number of scopes around what is declared in it
    };

    Jump jump = Jump::none;
    unsigned nesting = 0;          ///< blocks around the current token
    unsigned calls = 0;            ///< subroutines around it
    std::size_t calls_so_far = 0;  ///< calls in any part of the program
    /// Values that the expressions which are being parsed have read and that depend on bits.
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

  /// Names of variables and arrays that a part of the program may change.
  struct ChangedNames {
    std::unordered_set<std::string_view> variables;
    std::unordered_set<std::string_view> arrays;
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
    std::unordered_map<std::string_view, Value> radians;
    std::unordered_map<std::string_view, Value> turns;
  };

  /// Scratch space for the current statement.
  struct StatementScratch {
    Expression expression;
    std::vector<Value> values;
    boost::container::small_vector<Operand, 8> operands;
    std::vector<Qubit> qubits;
  };

  /// Limit for the size of a register, far beyond all machines and files, so that a mistyped size
  /// cannot use up the memory.
  static constexpr std::uint32_t max_elements = 1U << (is_fuzzing_build ? 12U : 24U);

  // --- the program (parser.cpp) ---
  /// Returns the end of the statement in the text; null if there is none.
  const char* parse_version();
  void use_version_3();
  void parse_statement();
  void parse_keyword_statement(Keyword keyword);
  void parse_include();
  void parse_included_file(const Token& file, std::string_view name);
  void read_written_comment(const char* end_of_statement);
  void read_global_phase_comment(const char* end_of_statement);
  void read_physical_qubits_comment(const char* end_of_statement);
  /// Removes the comment that contains this part from the recorded comments.
  void forget_comment(std::string_view part);
  [[noreturn]] void fail_unknown_statement(const Token& word) const;

  // --- declarations (declaration.cpp) ---
  void parse_register(bool is_quantum);        ///< qreg and creg
  void parse_typed_register(bool is_quantum);  ///< qubit and bit
  void parse_input();
  void parse_input_truth_value();
  void parse_output();
  void parse_constant();
  void parse_alias();
  /// Parses the width of a type in bits; it has no effect, because values are exact.
  std::optional<std::int64_t> parse_width();
  std::uint32_t parse_size(bool is_quantum);
  /// Returns the size of a further register of bits, which must not be too large.
  [[nodiscard]] std::uint32_t checked_size(std::uint64_t size, std::string_view place) const;
  void declare_register(const Token& name, std::uint32_t size, DeclaredRegister declared);
  /// Returns the name, or one with a number if the circuit has that name already.
  std::string unique_register_name(std::string_view name, std::string_view place);
  void declare_constant(const Token& name, Value value);
  void check_new_name(const Token& name) const;
  [[nodiscard]] bool is_name_of_circuit(std::string_view name) const;

  // --- gates (gate_declaration.cpp) ---
  void parse_gate_definition();
  /// Returns the custom gate that a definition with its name means, by its matrix.
  [[nodiscard]] std::optional<GateKind> custom_gate_of(const GateDefinition& definition,
                                                       std::string_view place);
  void parse_opaque();
  void check_new_gate_name(const Token& name, bool is_definition) const;
  NameNumbers parse_formal_parameters();
  NameNumbers parse_formal_names();
  /// Parses a statement of the body, which may be a loop, and appends its steps.
  void parse_gate_statement(GateDefinition& definition);
  void parse_gate_loop(GateDefinition& definition);
  BodyStep parse_body_step(const GateDefinition& definition);
  std::vector<Expression> parse_body_angles(const GateDefinition& definition, bool in_turns);
  BodyStep parse_body_call(const GateDefinition& definition, const Token& word,
                           const Callable& callee, std::vector<Modifier> modifiers);
  void parse_body_operands(const GateDefinition& definition, BodyStep& step,
                           std::string_view place);
  [[nodiscard]] ExpressionScope body_scope(const GateDefinition& definition) const;
  void add_to_work(GateDefinition& definition, const BodyStep& step, std::string_view place) const;

  // --- operations (statement.cpp) ---
  /// Parses an operation if the current token starts one, and returns whether it did.
  bool parse_operation();
  void parse_call(std::span<const Modifier> modifiers, const Token& name, const Callable& callee);
  void parse_measure();
  void parse_measured_value(const Operand& target);
  void parse_reset();
  void parse_barrier();
  void parse_delay();
  void parse_no_operation();
  void parse_global_phase();
  /// Parses values into radians, also if the file gives them in turns. One may be an angle with
  /// measured bits if `may_be_measured`.
  void parse_values(bool in_turns = false, bool may_be_measured = false);
  Value parse_value(bool in_turns, bool may_be_measured);
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
  void use_bits_of_angle(const Token& name);
  void append_measured_call(std::span<const Modifier> modifiers, const Token& name,
                            const Callable& callee);

  // --- modifiers (modified_call.cpp) ---
  void parse_modified_call();
  std::optional<Rational> parse_literal_quotient();
  void parse_exponent(const ExpressionScope& scope, Modifier& modifier);
  std::vector<Modifier> parse_modifiers(const ExpressionScope& scope);
  /// Returns the gate to which modifiers apply; its name has been consumed.
  Callable find_modified(const Token& name);
  /// Records the uses of gates that modifiers produce and that the file does not name.
  void note_uses_from(std::size_t first_operation, const Token& name);

  // --- operands (operand.cpp) ---
  Operand parse_operand(bool is_quantum);
  Operand parse_operand(const Token& name, bool is_quantum);
  Operand parse_physical_qubit();
  /// Represents the physical qubits by one register, as large as the largest number requires.
  void use_physical_qubits(std::uint32_t count);
  /// Parses all operands up to the ';' into scratch_.qubits, each qubit once.
  void parse_qubit_set();
  Operand parse_elements(const Operand& whole, bool is_quantum);
  std::uint32_t parse_element(const Operand& whole, bool is_quantum);
  /// Returns the element with an index, which counts from the end if it is negative.
  [[nodiscard]] std::uint32_t element_at(std::int64_t index, std::string_view place,
                                         const Operand& whole, bool is_quantum) const;
  std::vector<std::uint32_t> parse_element_list(const Operand& whole, bool is_quantum);
  [[nodiscard]] Operand operand_of(const DeclaredRegister& declared, const Token& name) const;
  [[nodiscard]] const DeclaredRegister& find_register(const Token& name, bool is_quantum) const;
  [[nodiscard]] const Register& register_of(const DeclaredRegister& declared) const;
  [[noreturn]] void fail_out_of_range(std::string_view index, std::string_view place,
                                      const Operand& whole, bool is_quantum) const;
  /// Parses a constant expression whose value is an integer.
  std::int64_t parse_integer(const ExpressionScope& scope);
  std::int64_t parse_integer() { return parse_integer(scope_); }

  // --- classical values (variable.cpp) ---
  /// Returns the value of a name in an expression; null if it has none. Throws InputError for a
  /// variable whose value is not known.
  [[nodiscard]] const Value* known_value(std::string_view name, bool constants_only) const;
  /// Reads classical bits, or the call of a subroutine, in an expression.
  std::optional<Value> read_value(const Token& name);
  /// Parses an expression. The subroutines that it calls must not change a bit that it has read.
  void parse_expression_in(const ExpressionScope& scope, Expression& expression);
  /// Parses an expression that may depend on measured bits.
  Value parse_classical_value();
  void check_not_measured(const Value& value, std::string_view place) const;
  /// Returns whether names always have the same value here.
  [[nodiscard]] bool is_plain_program() const {
    return names_.depth() == 0 && !execution_.has_variables;
  }
  void parse_variable();
  /// Returns a value as one of the type of a variable.
  [[nodiscard]] Value converted(const Value& value, const NamedValue& variable,
                                std::string_view place) const;
  [[nodiscard]] bool at_assignment() const;
  [[nodiscard]] bool is_classical_register(std::string_view name) const;
  void parse_assignment(const Token& target);
  void check_angle_assignment(const Operand& target) const;
  void parse_compound_assignment(const Operand& target);
  void parse_variable_assignment(const Token& target, NamedValue& variable);
  [[nodiscard]] Value compound_value(const Token& sign, const Value& old, const Value& value) const;
  void assign(NamedValue& variable, Value value, std::string_view place);
  /// Returns the value that is `then` if the condition holds. Throws InputError without a location.
  [[nodiscard]] static Value selected(const BitExpressionPointer& condition, const Value& then,
                                      const Value& otherwise);
  void forget_bit(ClassicalBit bit, std::string_view place);
  void parse_initial_bits(const Operand& bits);
  void assign_bits(const Operand& target, const Value& value, std::string_view place);
  [[nodiscard]] std::string text_of_bits(std::span<const ClassicalBit> bits,
                                         std::string_view place) const;
  [[nodiscard]] std::string text_of_value(const Value& value, std::size_t bits,
                                          std::string_view place) const;
  [[nodiscard]] std::string text_of_expression(const BitExpression& expression,
                                               std::string_view place) const;

  // --- arrays (array.cpp) ---
  void parse_array();
  ElementType parse_element_type();
  std::uint32_t parse_array_size();
  void check_dimensions(std::size_t dimensions, const Token& name) const;
  Array parse_array_part(const Token& name);
  void parse_array_index(Array& part, std::size_t& dimension, const Token& name);
  Value parse_array_element(const Token& name);
  [[nodiscard]] const Value& value_of_element(const NamedValue& element, const Token& name) const;
  Value parse_array_size_of();
  std::vector<NamedValue> parse_array_values(const Array& target);
  void parse_array_list(const Array& target, std::size_t dimension,
                        std::vector<NamedValue>& values);
  void assign_elements(const Array& target, const std::vector<NamedValue>& values,
                       std::string_view place);
  void parse_array_assignment(const Token& target);
  std::vector<std::int64_t> parse_array_of_integers(const Token& name);
  SubroutineParameter parse_array_parameter();
  std::shared_ptr<const Array> parse_array_argument(const SubroutineParameter& parameter);

  // --- conditions (control_flow.cpp) ---
  void parse_conditional();
  bool parse_body_under(const Alternatives& alternatives, const Token& word);
  void begin_branch(const std::vector<Condition>& conditions, const Token& word);
  /// Returns whether an operation has changed a bit that the branch tests.
  bool end_branch(const Token& word);
  /// Charges for the text from a token to the current one, which is read once more.
  void charge_reading_again(const Token& from, const Token& word);
  BranchConditions parse_condition();
  [[nodiscard]] BranchConditions branches_of(const Value& value, std::string_view place) const;
  BranchConditions parse_comparison();
  BranchConditions parse_wide_comparison(const Register& tested, const Condition& condition,
                                         const Token& name, const Token& value);
  void parse_switch();
  BranchConditions parse_case_labels(const Value& value, std::string_view place);
  /// Enters a block that starts at this token; fails if blocks are nested too deeply for recursion.
  void enter_block(const Token& start);
  void parse_body(std::string_view owner);
  void parse_block(std::string_view owner);
  void parse_body_statement(std::string_view owner);
  void skip_statement();

  // --- loops and jumps (loop.cpp) ---
  void parse_loop();
  /// Parses the type, if there is one, and the name of the variable of a loop, and `in`.
  Token parse_loop_variable();
  std::vector<std::int64_t> parse_loop_values(const ExpressionScope& scope);
  void parse_iteration();
  bool continues_loop();
  void end_loop();
  void parse_while();
  void parse_kept_loop(const Token& word, const Token& condition);
  ChangedNames find_changed_names(std::string_view text, const Token& word);
  void forget_changed_variables(std::string_view text, const Token& word);
  void parse_jump();
  /// Fails at a jump under a condition on measured bits.
  void check_unconditional(const Token& word) const;

  // --- subroutines (subroutine.cpp) ---
  void parse_subroutine();
  SubroutineParameter parse_subroutine_parameter();
  std::optional<Value> call_subroutine(const Token& name);
  std::vector<Argument> parse_arguments(const Token& name, const Subroutine& subroutine);
  void bind_arguments(const Token& name, const Subroutine& subroutine,
                      std::span<const Argument> arguments);
  void parse_return(const Token& word);
  Value parse_returned_measurement();
  /// Declares a register for bits that a call returns.
  Operand declare_returned_bits(std::uint32_t size, std::string_view place);

  // --- functions that are defined elsewhere (extern_function.cpp) ---
  void parse_extern();
  ExternType parse_extern_type();
  std::string parse_extern_call(const Token& name);
  std::string parse_extern_argument(const ExternType& type);
  [[nodiscard]] std::string text_of_measured_argument(const ExternType& type, const Value& value,
                                                      std::string_view place) const;
  Operand keep_extern_call(const Token& name, const Operand* target);
  Value call_extern(const Token& name);
  bool at_extern_value();
  void parse_extern_value(const Operand& target);

  // --- statements that are kept (kept_statement.cpp) ---
  /// `line` are the lines before a box that belong to it.
  void parse_box(std::string_view lines, bool is_verbatim = false);
  /// Consumes the rest of the line in which the current token is, and returns the line from there.
  std::string_view take_line();
  void parse_pragma();
  void check_names_of_pragma(std::string_view text, const Token& start) const;
  void parse_annotations();
  void parse_annotated_operation(const std::string& lines, const Token& start);
  void check_names_of_annotated(std::string_view text, const Token& start) const;
  void parse_feedback_gate(const Token& name);

  // --- durations (duration.cpp) ---
  void parse_duration_declaration(std::string_view qualifier);
  void parse_duration_assignment(const Token& target);
  std::string parse_length_of_time();
  void check_not_negative(const DurationPart& part, const Token& first) const;
  /// Parses an expression of durations whose value is one.
  DurationPart parse_duration();
  DurationPart parse_duration_sum(unsigned nesting);
  DurationPart parse_duration_product(unsigned nesting);
  DurationPart parse_duration_factor(unsigned nesting);
  [[nodiscard]] static DurationPart literal_duration(std::string_view number,
                                                     std::string_view unit);
  DurationPart parse_duration_name();
  DurationPart parse_duration_of();
  std::string parse_timed_call();

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
  Lexer lexer_;
  Circuit circuit_;
  WorkBudget budget_;
  CircuitBuilder builder_;

  DeclaredNames names_;
  ExpressionScope scope_;  ///< outside of gate bodies
  GateUses gate_uses_;
  PhysicalQubits physical_qubits_;
  Execution execution_;
  KnownValues known_values_;
  StatementScratch scratch_;
};

}  // namespace quartz::qasm
