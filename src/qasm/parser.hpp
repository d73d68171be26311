#pragma once

#include <boost/container/small_vector.hpp>
#include <deque>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "qasm/circuit_builder.hpp"
#include "qasm/expression.hpp"
#include "qasm/gate_definition.hpp"
#include "qasm/lexer.hpp"
#include "qasm/names.hpp"
#include "quartz/circuit/circuit.hpp"

namespace quartz::qasm {

/// Reads one program, statement by statement, into a circuit. The language version decides which
/// words are statements; most of the grammar is common to both.
class Parser {
 public:
  explicit Parser(const Source& source);

  [[nodiscard]] Circuit parse();

 private:
  struct DeclaredRegister {
    bool is_quantum = false;
    bool is_scalar = false;   ///< `qubit q;`: one qubit, not a register of one
    std::uint32_t index = 0;  ///< in Circuit::qubit_registers or Circuit::bit_registers
  };

  /// A register or one element of it, as an operand.
  struct Operand {
    std::uint32_t first = 0;
    std::uint32_t size = 1;
    bool is_whole = false;  ///< a register: the statement is repeated for its elements
    std::string_view place;
  };

  // --- the program (parser.cpp) ---
  void parse_version();
  void parse_statement();
  void parse_keyword_statement(Keyword keyword);
  void parse_include();
  void read_global_phase_comment(const char* end_of_include);
  [[noreturn]] void fail_unknown_statement(const Token& word) const;

  // --- declarations (declaration.cpp) ---
  void parse_register(bool is_quantum);        ///< qreg and creg
  void parse_typed_register(bool is_quantum);  ///< qubit and bit
  void parse_input();
  void parse_gate_definition();
  void parse_opaque();
  void hide_gate(GateKind kind, const Token& name);
  std::uint32_t parse_size(bool is_quantum);
  void declare_register(const Token& name, std::uint32_t size, DeclaredRegister declared);
  void check_new_name(const Token& name) const;
  void check_new_gate_name(const Token& name) const;
  NameNumbers parse_formal_parameters();
  NameNumbers parse_formal_names();
  BodyStep parse_body_step(const GateDefinition& definition);
  std::vector<Expression> parse_body_angles(const GateDefinition& definition);
  void parse_body_operands(const GateDefinition& definition, BodyStep& step,
                           std::string_view place);
  void add_to_work(GateDefinition& definition, const BodyStep& step, std::string_view place) const;

  // --- operations (statement.cpp) ---
  /// Parses one if the current token starts one.
  bool parse_operation();
  void parse_call(const Token& name, const Callable& callee);
  void parse_measure();
  void parse_measure_assignment(const Token& target);
  void parse_measured_value(const Operand& target);
  void parse_reset();
  void parse_barrier();
  void parse_global_phase();
  void parse_conditional();
  Condition parse_condition();
  void parse_conditional_body();
  void parse_values();
  Value parse_value();
  Operand parse_operand(bool is_quantum);
  Operand parse_operand(const Token& name, bool is_quantum);
  [[nodiscard]] const DeclaredRegister& find_register(const Token& name, bool is_quantum) const;
  [[nodiscard]] const Register& register_of(const DeclaredRegister& declared) const;
  void append_measure(const Operand& qubits, const Operand& bits, std::string_view place);
  /// The size of the registers among operands_, which must be one; 1 if there are none.
  std::uint32_t broadcast_size() const;
  void append_broadcast(const Token& name, const Callable& callee);
  void check_distinct(std::span<const Qubit> qubits, std::string_view gate,
                      std::string_view place) const;
  [[nodiscard]] std::string qubit_name(Qubit qubit) const;

  // --- names ---
  const Callable* find_callable(std::string_view name) const;
  /// Notes that the file uses a standard gate. No opaque declaration may hide it, nor a gate of the
  /// definition that the writer gives for it.
  void note_use(const Callable& callee, const Token& name);
  void note_use(GateKind kind, const Token& name);
  [[noreturn]] void fail_unknown_gate(const Token& name) const;
  void check_counts(const Token& name, const Callable& callee, std::size_t parameters,
                    std::size_t qubits) const;

  const Source& source_;
  std::vector<std::string_view> comments_;
  Lexer lexer_;
  Circuit circuit_;
  CircuitBuilder builder_;
  unsigned version_ = 2;

  std::unordered_map<std::string_view, DeclaredRegister> registers_;
  std::unordered_set<std::string_view> free_parameters_;
  std::unordered_map<std::string_view, Callable> callables_;
  std::deque<GateDefinition> definitions_;  ///< at fixed addresses
  ExpressionScope scope_;                   ///< outside of gate bodies
  /// Where the file first used each gate of the table, and where it declared its name opaque.
  std::vector<std::string_view> first_use_;
  std::vector<std::string_view> hidden_by_;

  /// Files repeat few angles many times: their values by text.
  std::unordered_map<std::string_view, Value> known_values_;
  // Scratch space of the statement at hand.
  Expression expression_;
  std::vector<Value> values_;
  boost::container::small_vector<Operand, 8> operands_;
  std::vector<Qubit> qubits_;
};

}  // namespace quartz::qasm
