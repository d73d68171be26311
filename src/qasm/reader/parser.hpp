#pragma once

#include <boost/container/small_vector.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/fuzzing.hpp"
#include "qasm/gates/gate_definition.hpp"
#include "qasm/reader/branch_conditions.hpp"
#include "qasm/reader/circuit_builder.hpp"
#include "qasm/reader/declared_names.hpp"
#include "qasm/reader/gate_uses.hpp"
#include "qasm/reader/work_budget.hpp"
#include "qasm/text/expression.hpp"
#include "qasm/text/lexer.hpp"
#include "qasm/text/names.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::qasm {

/// Parses one program, statement by statement, into a circuit. The language version decides which
/// words begin statements; most of the grammar is common to both versions.
class Parser {
 public:
  /// parse() throws Stopped once a stop is requested.
  explicit Parser(const Source& source, const std::stop_token& stop = {});

  [[nodiscard]] Circuit parse();

 private:
  struct PhysicalQubits {
    bool used = false;
    std::uint32_t announced = 0;  ///< number stated by a comment of the writer
  };

  /// Depths of nesting at the current token.
  struct Nesting {
    unsigned blocks = 0;  ///< loops and conditions
    unsigned loops = 0;
  };

  /// A cache of values by their text, separate for angles in turns, because files repeat few angles
  /// many times. It is not used inside of loops.
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
  void parse_statement();
  void parse_keyword_statement(Keyword keyword);
  void parse_include();
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
  void parse_constant();
  void parse_alias();
  /// Parses the width of a type in bits; it has no effect, because values are exact.
  std::optional<std::int64_t> parse_width();
  std::uint32_t parse_size(bool is_quantum);
  void declare_register(const Token& name, std::uint32_t size, DeclaredRegister declared);
  void declare_value(const Token& name, Value value, bool is_free_parameter);
  void check_new_name(const Token& name) const;

  // --- gates (gate_declaration.cpp) ---
  void parse_gate_definition();
  /// Returns the custom gate that a definition with its name means, by its matrix.
  [[nodiscard]] std::optional<GateKind> custom_gate_of(const GateDefinition& definition,
                                                       std::string_view place);
  void parse_opaque();
  void check_new_gate_name(const Token& name) const;
  NameNumbers parse_formal_parameters();
  NameNumbers parse_formal_names();
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
  void parse_measure_assignment(const Token& target);
  void parse_measured_value(const Operand& target);
  void parse_reset();
  void parse_barrier();
  void parse_delay();
  void parse_global_phase();
  /// Parses values into radians, also if the file gives them in turns.
  void parse_values(bool in_turns = false);
  Value parse_value(bool in_turns);
  void append_measure(const Operand& qubits, const Operand& bits, std::string_view place);
  /// Returns the size of the registers among the operands, which must all have the same size; 1 if
  /// there are none.
  std::uint32_t broadcast_size() const;
  void append_broadcast(std::span<const Modifier> modifiers, const Token& name,
                        const Callable& callee);
  void check_distinct(std::span<const Qubit> qubits, std::string_view gate,
                      std::string_view place) const;
  [[nodiscard]] std::string qubit_name(Qubit qubit) const;

  // --- modifiers (modified_call.cpp) ---
  void parse_modified_call();
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
  std::vector<std::uint32_t> parse_element_list(const Operand& whole, bool is_quantum);
  [[nodiscard]] Operand operand_of(const DeclaredRegister& declared, const Token& name) const;
  [[nodiscard]] const DeclaredRegister& find_register(const Token& name, bool is_quantum) const;
  [[nodiscard]] const Register& register_of(const DeclaredRegister& declared) const;
  [[noreturn]] void fail_out_of_range(std::string_view index, std::string_view place,
                                      const Operand& whole, bool is_quantum) const;
  /// Parses a constant expression whose value is an integer.
  std::int64_t parse_integer(const ExpressionScope& scope);
  std::int64_t parse_integer() { return parse_integer(scope_); }

  // --- control (control_flow.cpp) ---
  void parse_conditional();
  bool parse_body_under(const Alternatives& alternatives, const Token& word);
  BranchConditions parse_condition();
  BranchConditions parse_condition(int weakest, unsigned depth);
  BranchConditions parse_condition_operand(unsigned depth);
  BranchConditions parse_comparison(bool is_negated);
  std::uint64_t parse_compared_value();
  /// Enters a block that starts at this token; fails if blocks are nested too deeply for recursion.
  void enter_block(const Token& start);
  void parse_body(std::string_view owner);
  void parse_body_statement(std::string_view owner);
  void parse_loop();
  std::vector<std::int64_t> parse_loop_values();
  void skip_body();

  // --- names ---
  void note_use(const Callable& callee, const Token& name);
  void note_use(GateKind kind, const Token& name) { gate_uses_.note(kind, name, version_); }
  [[noreturn]] void fail_unknown_gate(const Token& name) const;
  void check_counts(const Token& name, const Callable& callee, std::size_t parameters,
                    std::size_t qubits, std::span<const Modifier> modifiers = {}) const;

  const Source& source_;
  std::vector<std::string_view> comments_;
  Lexer lexer_;
  Circuit circuit_;
  WorkBudget budget_;
  CircuitBuilder builder_;
  bool includes_library_ = false;  ///< the standard file of the program's version
  unsigned version_ = 2;

  DeclaredNames names_;
  ExpressionScope scope_;  ///< outside of gate bodies
  GateUses gate_uses_;
  PhysicalQubits physical_qubits_;
  Nesting nesting_;
  KnownValues known_values_;
  StatementScratch scratch_;
};

}  // namespace quartz::qasm
