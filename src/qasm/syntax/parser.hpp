#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/fuzzing.hpp"
#include "qasm/syntax/tree.hpp"
#include "qasm/text/lexer.hpp"
#include "qasm/text/names.hpp"
#include "qasm/text/source.hpp"

namespace quartz::qasm::syntax {

/// Limit for nested blocks, because the parser and everything that walks the tree recurse into
/// them.
inline constexpr unsigned kMaxBlockNesting = 100;
/// Limit for nested expressions, for the same reason.
inline constexpr unsigned kMaxExpressionNesting = 200;

/// Limit for the size of a register, far beyond all machines and files, so that a mistyped size
/// cannot use up the memory.
inline constexpr std::uint32_t kMaxElements = 1U << (kIsFuzzingBuild ? 12U : 24U);

/// Limit for the parts of one tree, which is held in memory: about 4 GiB.
inline constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << (kIsFuzzingBuild ? 17U : 26U);

/// Values by their text.
using KnownValues = std::unordered_map<std::string_view, Value>;
/// Limit for the length of these texts.
inline constexpr std::size_t kMaxKnownText = 48;

/// Parses a program into syntax trees, one statement after another. The words and signs decide how
/// a statement is parsed, and never what its names mean.
class Parser {
 public:
  /// Comments are appended to `comments` until lexer().stop_recording_comments().
  Parser(const Source& source, std::vector<std::string_view>& comments, unsigned version)
      : source_(source), version_(version), lexer_(source, comments, version) {}

  [[nodiscard]] Lexer& lexer() noexcept { return lexer_; }
  [[nodiscard]] bool at_end() const noexcept { return lexer_.at(TokenKind::end); }
  /// Parses the next statement of the program into `statement`, whose memory is used again. Throws
  /// InputError for an error of syntax, except in a block in braces whose brackets match.
  void parse_statement(Statement& statement);
  /// Sets values of arguments of calls outside of blocks by their text, or null. Such an argument
  /// is not parsed again: large files repeat few angles.
  void use_known_values(const KnownValues* values) noexcept { known_values_ = values; }
  /// Parses an expression with the operators of a language version.
  [[nodiscard]] Expression parse_expression(unsigned version) {
    return parse_expression(version, false);
  }

 private:
  /// What is around a statement.
  struct Context {
    std::string_view owner = {};  ///< what the block belongs to; empty outside of blocks
    bool is_gate = false;         ///< whether it is the body of a gate
  };

  template <typename Node>
  static Node& make(Statement& statement) {
    return *statement.node.emplace<std::unique_ptr<Node>>(std::make_unique<Node>());
  }

  // --- statements (parser.cpp) ---
  void parse_into(Statement& statement, const Context& context);
  void parse_node(Statement& statement, const Context& context);
  void parse_gate_node(Statement& statement, const Context& context);
  void parse_keyword_statement(Statement& statement, Keyword keyword, const Context& context);
  void parse_top_statement(Statement& statement, Keyword keyword);
  [[noreturn]] void fail_unsupported(const Token& word) const;
  Block parse_block(const Context& context);
  void parse_braces(Block& block, const Context& context);
  void skip_block(const Token& brace);

  // --- operations (parser.cpp) ---
  void parse_call_or_assignment(Statement& statement, const Context& context);
  void parse_modified_call(Statement& statement, const Context& context);
  Call& make_call(Statement& statement);
  void parse_call(Call& call, const Context& context);
  void parse_assignment(Assignment& assignment, const Token& name);
  void parse_modifiers(std::vector<Modifier>& modifiers);
  void parse_measure(Measure& measure);
  Measured parse_measured();
  void parse_set_operation(SetOperation& operation, const Context& context);
  void parse_arguments(std::vector<Expression>& arguments, const Context& context);
  bool accept_known(Expression& argument);
  void parse_operands(std::vector<Reference>& operands, const Context& context);

  // --- declarations (declarations.cpp) ---
  void parse_include(Include& include);
  void parse_register(RegisterDeclaration& declaration);
  void parse_typed_register(Statement& statement);
  Expression parse_register_size();
  void parse_input(Statement& statement);
  void parse_output(Output& output);
  void parse_constant(Statement& statement);
  void parse_variable(Variable& variable);
  void parse_array(ArrayDeclaration& declaration);
  void parse_alias(Alias& alias);
  void parse_duration_declaration(DurationDeclaration& declaration, std::string_view qualifier);
  void parse_gate_definition(GateDefinition& definition);
  void parse_opaque(Opaque& opaque);
  std::vector<Token> parse_formal_parameters();
  std::vector<Token> parse_formal_names();
  void parse_subroutine(Subroutine& subroutine);
  Parameter parse_parameter();
  void parse_extern(Extern& declaration);
  Type parse_element_type();
  Type parse_extern_type();
  Expression parse_width();
  Initializer parse_initializer(unsigned nesting = 0);

  // --- control flow, and what is kept (control_flow.cpp) ---
  void parse_if(If& statement);
  Comparison parse_comparison();
  void parse_for(For& loop, const Context& context);
  void parse_loop_values(For& loop);
  void parse_while(While& loop);
  void parse_switch(Switch& statement);
  Case parse_case();
  void parse_jump(Statement& statement);
  void parse_box(Statement& statement, std::string lines, bool is_verbatim = false);
  /// Consumes the rest of the line in which the current token is, and returns the line from there.
  std::string_view take_line();
  void parse_pragma(Statement& statement);
  void parse_annotations(Statement& statement, const Context& context);

  // --- expressions (expressions.cpp) ---
  [[nodiscard]] Expression parse_expression() { return parse_expression(version_); }
  Expression parse_duration() { return parse_expression(version_, true); }
  Expression parse_expression(unsigned version, bool is_duration);
  /// Parses an expression within another one, with the same operators.
  Expression parse_inner_expression() { return parse_expression(expression_version_, false); }
  void parse_operators(Expression& result, int weakest);
  void parse_operand(Expression& result);
  void parse_number(Expression& result);
  void parse_name(Expression& result);
  void parse_cast(Expression& result, const Token& name, CastType type);
  DurationOf parse_duration_of(const Token& name);
  void parse_reference(Reference& reference);
  std::string_view parse_physical_qubit();
  void parse_selections(Reference& reference);
  Selection parse_selection();
  void parse_index(Index& index);
  void expect_text(std::string_view text);
  template <typename Node>
  void add(Expression& result, Node node) {
    count_node();
    result.terms.emplace_back(std::move(node));
  }
  /// Limits the memory for the tree of one statement.
  void count_node() {
    if (++nodes_ > kMaxNodes) fail_too_large();
  }
  [[noreturn]] void fail_too_large() const;

  const Source& source_;
  unsigned version_;
  Lexer lexer_;
  const KnownValues* known_values_ = nullptr;
  unsigned expression_version_ = 0;
  bool is_duration_ = false;  ///< whether the current expression must be a duration
  unsigned nesting_ = 0;      ///< expressions around the current token
  unsigned blocks_ = 0;       ///< blocks around it
  std::uint64_t nodes_ = 0;   ///< in the tree of the current statement
  std::vector<std::vector<Term>> spare_terms_;  ///< memory for expressions
  unsigned errors_ = 0;                         ///< in blocks so far
};

}  // namespace quartz::qasm::syntax
