// Statements and blocks, and the statements that are operations.
#include "qasm/syntax/parser.hpp"

#include <fmt/core.h>

#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::qasm::syntax {
namespace {

/// Limit for the characters in which the lines of errors that may never be reported are counted, so
/// that a program with many such errors takes little time.
constexpr std::uint64_t max_recovered_characters = std::uint64_t{1}
                                                   << (is_fuzzing_build ? 20U : 31U);

}  // namespace

void Parser::parse_statement(Statement& statement) {
  nodes_ = 0;
  blocks_ = 0;
  try {
    parse_into(statement, {});
  } catch (const InputError&) {
    statement.node.emplace<Empty>();
    statement.error = std::current_exception();
  }
}

/// Parses a statement, which contains the error of its syntax, if there is one.
void Parser::parse_into(Statement& statement, const Context& context) {
  statement.error = nullptr;
  count_node();
  try {
    if (context.is_gate) {
      parse_gate_node(statement, context);
    } else {
      parse_node(statement, context);
    }
  } catch (const InputError&) {
    nesting_ = 0;
    recovered_characters_ += source_.text_around(lexer_.current().text.data()).size();
    if (recovered_characters_ > max_recovered_characters) throw;
    const bool is_partial = node_of<Call>(statement) != nullptr ||
                            node_of<Assignment>(statement) != nullptr;
    if (!is_partial) statement.node.emplace<Empty>();
    statement.error = std::current_exception();
  }
}

void Parser::parse_node(Statement& statement, const Context& context) {
  const Token word = lexer_.current();
  if (version_ >= 3 && word.text == "#") return parse_pragma(statement);
  if (version_ >= 3 && word.text == "@") return parse_annotations(statement, context);
  const bool is_top = context.owner.empty();
  if (word.kind == TokenKind::identifier) {
    const Keyword keyword = find_keyword(word.text, version_);
    switch (keyword) {
      case Keyword::none:
      case Keyword::global_phase:
      case Keyword::modifier:
        return parse_call_or_assignment(statement, context);
      case Keyword::measure:
        return parse_measure(make<Measure>(statement));
      case Keyword::reset: {
        Reset& reset = make<Reset>(statement);
        reset.word = lexer_.take();
        reset.qubits = parse_reference();
        lexer_.expect(TokenKind::semicolon);
        return;
      }
      case Keyword::barrier:
      case Keyword::delay:
      case Keyword::no_operation:
        return parse_set_operation(statement.node.emplace<SetOperation>(), context);
      case Keyword::unsupported:
        fail_unsupported(word);
      default:
        return parse_keyword_statement(statement, keyword, context);
    }
  }
  if (is_top && lexer_.accept(TokenKind::semicolon)) {
    statement.node.emplace<Empty>();
    return;
  }
  if (!is_top && version_ >= 3 && word.kind == TokenKind::left_brace) {
    make<Block>(statement) = parse_block(context);
    return;
  }
  lexer_.fail_expecting(is_top ? "a statement" : fmt::format("an operation under {}", context.owner));
}

void Parser::fail_unsupported(const Token& word) const {
  const std::string_view subject = subject_of(word.text);
  source_.fail(word.text,
               subject.empty()
                   ? fmt::format("{} is not supported in OpenQASM 3 programs yet",
                                 in_quotes(word.text))
                   : fmt::format("{} is not supported: circuits have no {}", in_quotes(word.text),
                                 subject));
}

/// Parses a statement that may be in a block.
void Parser::parse_keyword_statement(Statement& statement, Keyword keyword,
                                     const Context& context) {
  const bool is_top = context.owner.empty();
  switch (keyword) {
    case Keyword::condition:
      if (!is_top && version_ < 3) {
        source_.fail(lexer_.current().text, "OpenQASM 2 has no condition within a condition");
      }
      return parse_if(make<If>(statement));
    case Keyword::loop:
      return parse_for(make<For>(statement), {"the loop"});
    case Keyword::while_loop:
      return parse_while(make<While>(statement));
    case Keyword::selection:
      return parse_switch(make<Switch>(statement));
    case Keyword::jump:
      return parse_jump(statement);
    case Keyword::box:
      return parse_box(statement, {});
    case Keyword::pragma:
      return parse_pragma(statement);
    case Keyword::variable:
      return parse_variable(make<Variable>(statement));
    case Keyword::array:
      return parse_array(make<ArrayDeclaration>(statement));
    case Keyword::duration:
      return parse_duration_declaration(make<DurationDeclaration>(statement), {});
    case Keyword::constant:
      return parse_constant(statement);
    case Keyword::alias:
      return parse_alias(make<Alias>(statement));
    case Keyword::bit:
      return parse_typed_register(statement);
    default:
      if (is_top) return parse_top_statement(statement, keyword);
      lexer_.fail_expecting(fmt::format("an operation under {}", context.owner));
  }
}

/// Parses a statement that is outside of blocks.
void Parser::parse_top_statement(Statement& statement, Keyword keyword) {
  switch (keyword) {
    case Keyword::include:
      return parse_include(make<Include>(statement));
    case Keyword::qubit_register:
    case Keyword::bit_register:
      return parse_register(make<RegisterDeclaration>(statement));
    case Keyword::qubit:
      return parse_typed_register(statement);
    case Keyword::input:
      return parse_input(statement);
    case Keyword::output:
      return parse_output(make<Output>(statement));
    case Keyword::gate:
      return parse_gate_definition(make<GateDefinition>(statement));
    case Keyword::opaque:
      return parse_opaque(make<Opaque>(statement));
    case Keyword::subroutine:
      return parse_subroutine(make<Subroutine>(statement));
    case Keyword::external:
      return parse_extern(make<Extern>(statement));
    case Keyword::version:
      source_.fail(lexer_.current().text, "'OPENQASM' must be the first statement of a file");
    default:
      throw InternalError("a keyword does not begin any statement");
  }
}

/// Parses a statement in the body of a gate.
void Parser::parse_gate_node(Statement& statement, const Context& context) {
  if (version_ >= 3 && lexer_.current().text == "for") {
    return parse_for(make<For>(statement), context);
  }
  const Token word = lexer_.current();
  if (!lexer_.at(TokenKind::identifier)) lexer_.expect(TokenKind::identifier);
  switch (find_keyword(word.text, version_)) {
    case Keyword::none:
    case Keyword::global_phase:
    case Keyword::modifier:
      return parse_call_or_assignment(statement, context);
    case Keyword::barrier:
      return parse_set_operation(statement.node.emplace<SetOperation>(), context);
    case Keyword::unsupported:
      fail_unsupported(word);
    default:
      source_.fail(word.text,
                   fmt::format("{} is not allowed in a gate definition", in_quotes(word.text)));
  }
}

// --- blocks ---

/// Parses statements in braces, or one statement; in OpenQASM 2 always one.
Block Parser::parse_block(const Context& context) {
  Block block;
  block.first = lexer_.current();
  const bool has_braces = version_ >= 3 && lexer_.at(TokenKind::left_brace);
  if (++blocks_ > max_block_nesting) {
    Statement& statement = block.statements.emplace_back();
    try {
      source_.fail(block.first.text,
                   fmt::format("blocks are nested more than {} deep", max_block_nesting));
    } catch (const InputError&) {
      statement.error = std::current_exception();
    }
    skip_statement(block.first);
  } else if (has_braces) {
    parse_braces(block, context);
  } else {
    Statement& statement = block.statements.emplace_back();
    parse_into(statement, context);
    if (statement.error != nullptr) skip_statement(block.first);
  }
  --blocks_;
  const char* const begin = block.first.text.data();
  block.text = {begin, static_cast<std::size_t>(lexer_.current().text.data() - begin)};
  return block;
}

/// Parses statements up to and including the '}'. After an error, the rest of the block is skipped,
/// because it cannot be executed.
void Parser::parse_braces(Block& block, const Context& context) {
  const Token brace = lexer_.expect(TokenKind::left_brace);
  while (!lexer_.accept(TokenKind::right_brace)) {
    Statement& statement = block.statements.emplace_back();
    if (lexer_.at(TokenKind::end)) {
      unterminated_ = brace.text;
      try {
        source_.fail(brace.text, fmt::format("the {} that starts here has no '}}'",
                                             context.is_gate && blocks_ == 0 ? "gate body"
                                                                             : "block"));
      } catch (const InputError&) {
        statement.error = std::current_exception();
      }
      return;
    }
    parse_into(statement, context);
    if (statement.error != nullptr) skip_to_end_of_block();
  }
}

void Parser::skip_to_end_of_block() {
  for (std::size_t braces = 0; !lexer_.at(TokenKind::end); lexer_.advance()) {
    if (lexer_.at(TokenKind::left_brace)) ++braces;
    if (lexer_.at(TokenKind::right_brace) && braces-- == 0) return;
  }
}

/// Skips the rest of a statement with an error, up to its ';' or '}'.
void Parser::skip_statement(const Token& first) {
  std::size_t braces = 0;
  while (!lexer_.at(TokenKind::end)) {
    if (lexer_.at(TokenKind::right_brace) && braces == 0) return;
    const TokenKind kind = lexer_.take().kind;
    if (kind == TokenKind::left_brace) ++braces;
    if (kind == TokenKind::right_brace) --braces;
    if (braces == 0 && (kind == TokenKind::semicolon || kind == TokenKind::right_brace)) return;
  }
  unterminated_ = first.text;
}

// --- operations ---

void Parser::parse_call_or_assignment(Statement& statement, const Context& context) {
  const bool is_known = node_of<Call>(statement) != nullptr;
  Call& call = is_known ? std::get<Call>(statement.node) : statement.node.emplace<Call>();
  call.modifiers.clear();
  call.arguments.clear();
  call.operands.clear();
  call.name = lexer_.current();
  if (version_ >= 3 && find_keyword(call.name.text, version_) == Keyword::modifier) {
    call.name = {};
    parse_modifiers(call.modifiers);
    call.name = lexer_.expect(TokenKind::identifier);
    return parse_call(call, context);
  }
  lexer_.advance();
  const bool is_assignment = lexer_.at(TokenKind::assign) || lexer_.at(TokenKind::left_bracket) ||
                             lexer_.at(TokenKind::compound_assign);
  if (!is_assignment || context.is_gate) return parse_call(call, context);
  const Token name = call.name;
  parse_assignment(make<Assignment>(statement), name);
}

/// Parses what follows the name of a call.
void Parser::parse_call(Call& call, const Context& context) {
  call.next = lexer_.current();
  call.has_parentheses = lexer_.at(TokenKind::left_parenthesis);
  parse_arguments(call.arguments);
  call.next = lexer_.current();
  if (!lexer_.at(TokenKind::semicolon)) parse_operands(call.operands, context);
  lexer_.expect(TokenKind::semicolon);
}

void Parser::parse_arguments(std::vector<Expression>& arguments) {
  if (!lexer_.accept(TokenKind::left_parenthesis)) return;
  if (lexer_.accept(TokenKind::right_parenthesis)) return;
  do {
    arguments.push_back(parse_expression());
  } while (lexer_.accept(TokenKind::comma));
  lexer_.expect(TokenKind::right_parenthesis);
}

void Parser::parse_operands(std::vector<Reference>& operands, const Context& context) {
  do {
    if (!context.is_gate) {
      operands.push_back(parse_reference());
      continue;
    }
    operands.push_back({lexer_.expect(TokenKind::identifier).text, {}, {}});
    count_node();
    if (lexer_.at(TokenKind::left_bracket)) {
      source_.fail(lexer_.current().text, "a qubit of a gate definition has no index");
    }
  } while (lexer_.accept(TokenKind::comma));
}

void Parser::parse_modifiers(std::vector<Modifier>& modifiers) {
  while (lexer_.at(TokenKind::identifier) &&
         find_keyword(lexer_.current().text, version_) == Keyword::modifier) {
    const Token word = lexer_.take();
    Modifier& modifier = modifiers.emplace_back();
    modifier.word = word;
    count_node();
    if (modifier.word.text == "pow" && !lexer_.at(TokenKind::left_parenthesis)) {
      lexer_.fail_expecting("'(' and the exponent");
    }
    if (modifier.word.text != "inv" && lexer_.accept(TokenKind::left_parenthesis)) {
      modifier.argument = parse_expression();
      lexer_.expect(TokenKind::right_parenthesis);
    }
    expect_text("@");
  }
}

void Parser::parse_assignment(Assignment& assignment, const Token& name) {
  assignment.target.name = name.text;
  assignment.next = lexer_.current();
  parse_selections(assignment.target);
  assignment.sign = lexer_.current();
  if (!lexer_.accept(TokenKind::compound_assign)) lexer_.expect(TokenKind::assign);
  assignment.value = parse_initializer();
  lexer_.expect(TokenKind::semicolon);
}

void Parser::parse_measure(Measure& measure) {
  measure.word = lexer_.take();
  measure.qubits = parse_reference();
  if (version_ >= 3 && lexer_.accept(TokenKind::semicolon)) return;
  lexer_.expect(TokenKind::arrow);
  measure.bits = parse_reference();
  lexer_.expect(TokenKind::semicolon);
}

Measured Parser::parse_measured() {
  const Token word = lexer_.take();
  return {word, parse_reference()};
}

/// Parses `barrier q;`, `delay[100ns] q;` or `nop q;`.
void Parser::parse_set_operation(SetOperation& operation, const Context& context) {
  operation.word = lexer_.take();
  if (operation.word.text == "delay") {
    lexer_.expect(TokenKind::left_bracket);
    operation.duration = parse_duration();
    lexer_.expect(TokenKind::right_bracket);
  }
  operation.next = lexer_.current();
  if (version_ < 3 || !lexer_.at(TokenKind::semicolon)) parse_operands(operation.qubits, context);
  lexer_.expect(TokenKind::semicolon);
}

}  // namespace quartz::qasm::syntax
