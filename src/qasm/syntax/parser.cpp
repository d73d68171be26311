// Statements and blocks, and the statements that are operations.
#include "qasm/syntax/parser.hpp"

#include <fmt/core.h>

#include <utility>

#include "quartz/base/errors.hpp"

namespace quartz::qasm::syntax {
namespace {

/// Limit for the errors in blocks that are not executed, because finding the line of each takes
/// time.
constexpr unsigned kMaxErrors = 100;

/// Returns the bracket that closes one of this kind; `end` for other tokens.
constexpr TokenKind bracket_after(TokenKind opening) {
  switch (opening) {
    case TokenKind::left_parenthesis:
      return TokenKind::right_parenthesis;
    case TokenKind::left_bracket:
      return TokenKind::right_bracket;
    case TokenKind::left_brace:
      return TokenKind::right_brace;
    default:
      return TokenKind::end;
  }
}

constexpr bool is_closing_bracket(TokenKind kind) {
  return kind == TokenKind::right_parenthesis || kind == TokenKind::right_bracket ||
         kind == TokenKind::right_brace;
}

}  // namespace

void Parser::parse_statement(Statement& statement) {
  nodes_ = 0;
  parse_into(statement, {});
}

void Parser::parse_into(Statement& statement, const Context& context) {
  count_node();
  if (context.is_gate) {
    parse_gate_node(statement, context);
  } else {
    parse_node(statement, context);
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
        return parse_call_or_assignment(statement, context);
      case Keyword::modifier:
        return parse_modified_call(statement, context);
      case Keyword::measure:
        return parse_measure(make<Measure>(statement));
      case Keyword::reset: {
        Reset& reset = make<Reset>(statement);
        reset.word = lexer_.take();
        parse_reference(reset.qubits);
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
  if (version_ >= 3 && word.kind == TokenKind::left_brace) {
    make<Block>(statement) = parse_block(is_top ? Context{"the block"} : context);
    return;
  }
  lexer_.fail_expecting(is_top ? "a statement"
                               : fmt::format("an operation under {}", context.owner));
}

void Parser::fail_unsupported(const Token& word) const {
  const std::string_view subject = subject_of(word.text);
  source_.fail(
      word.text,
      subject.empty()
          ? fmt::format("{} is not supported in OpenQASM 3 programs yet", in_quotes(word.text))
          : fmt::format("{} is not supported: circuits have no {}", in_quotes(word.text), subject));
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
  if (version_ >= 3 && word.text == "@") {
    source_.fail(word.text,
                 "annotations ('@') in the definition of a gate are not supported, because calls "
                 "of the gate are expanded");
  }
  if (!lexer_.at(TokenKind::identifier)) lexer_.expect(TokenKind::identifier);
  switch (find_keyword(word.text, version_)) {
    case Keyword::none:
    case Keyword::global_phase:
      return parse_call_or_assignment(statement, context);
    case Keyword::modifier:
      return parse_modified_call(statement, context);
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
  if (++blocks_ > kMaxBlockNesting) {
    source_.fail(block.first.text,
                 fmt::format("blocks are nested more than {} deep", kMaxBlockNesting));
  }
  if (version_ >= 3 && lexer_.at(TokenKind::left_brace)) {
    parse_braces(block, context);
  } else {
    parse_into(block.statements.emplace_back(), context);
  }
  --blocks_;
  const char* const begin = block.first.text.data();
  block.text = {begin, static_cast<std::size_t>(lexer_.current().text.data() - begin)};
  return block;
}

/// Parses statements up to and including the '}'. An error in them is one of the block, unless a
/// bracket has no counterpart: it is then unknown where the block ends.
void Parser::parse_braces(Block& block, const Context& context) {
  const Token brace = lexer_.expect(TokenKind::left_brace);
  const unsigned blocks = blocks_;
  try {
    while (!lexer_.at(TokenKind::right_brace)) {
      if (lexer_.at(TokenKind::end)) {
        const std::string_view name = context.is_gate && blocks == 0 ? "gate body" : "block";
        source_.fail(brace.text, fmt::format("the {} that starts here has no '}}'", name));
      }
      Statement statement;
      parse_into(statement, context);
      block.statements.push_back(std::move(statement));
    }
  } catch (const InputError&) {
    if (++errors_ > kMaxErrors) throw;
    block.error = std::current_exception();
    blocks_ = blocks;
    nesting_ = 0;
    skip_block(brace);
    if (lexer_.at(TokenKind::end)) throw;
  }
  lexer_.advance();
}

/// Continues at the '}' that ends the block with this '{', or at the end of the text. Throws
/// InputError for a bracket in the block without its counterpart.
void Parser::skip_block(const Token& brace) {
  lexer_.skip_to(brace.text.data() + 1);
  std::vector<Token> open;
  for (; !lexer_.at(TokenKind::end); lexer_.advance()) {
    const Token token = lexer_.current();
    if (bracket_after(token.kind) != TokenKind::end) {
      open.push_back(token);
      continue;
    }
    if (!is_closing_bracket(token.kind)) continue;
    if (open.empty()) {
      if (token.kind == TokenKind::right_brace) return;
      source_.fail(token.text,
                   fmt::format("found {}, which closes no bracket of the block", describe(token)));
    }
    if (const TokenKind expected = bracket_after(open.back().kind); token.kind != expected) {
      lexer_.fail_expecting(fmt::format("{} for the {} in {}", describe(expected),
                                        describe(open.back()),
                                        source_.line_text(open.back().text)));
    }
    open.pop_back();
  }
}

// --- operations ---

void Parser::parse_call_or_assignment(Statement& statement, const Context& context) {
  const Token name = lexer_.take();
  const bool is_assignment = lexer_.at(TokenKind::assign) || lexer_.at(TokenKind::left_bracket) ||
                             lexer_.at(TokenKind::compound_assign);
  if (is_assignment && !context.is_gate) {
    return parse_assignment(make<Assignment>(statement), name);
  }
  Call& call = make_call(statement);
  call.name = name;
  parse_call(call, context);
}

void Parser::parse_modified_call(Statement& statement, const Context& context) {
  Call& call = make_call(statement);
  parse_modifiers(call.modifiers);
  call.name = lexer_.expect(TokenKind::identifier);
  parse_call(call, context);
}

/// Makes the statement a call. Most statements are calls, and many are parsed into one statement,
/// so the memory of the call before is used again.
Call& Parser::make_call(Statement& statement) {
  Call* const known = std::get_if<Call>(&statement.node);
  if (known == nullptr) return statement.node.emplace<Call>();
  for (Expression& argument : known->arguments) {
    if (argument.terms.empty()) continue;
    argument.terms.clear();
    spare_terms_.push_back(std::move(argument.terms));
  }
  known->modifiers.clear();
  known->arguments.clear();
  known->operands.clear();
  return *known;
}

/// Parses what follows the name of a call.
void Parser::parse_call(Call& call, const Context& context) {
  call.next = lexer_.current();
  call.has_parentheses = lexer_.at(TokenKind::left_parenthesis);
  parse_arguments(call.arguments, context);
  call.next = lexer_.current();
  if (!lexer_.at(TokenKind::semicolon)) parse_operands(call.operands, context);
  lexer_.expect(TokenKind::semicolon);
}

void Parser::parse_arguments(std::vector<Expression>& arguments, const Context& context) {
  if (!lexer_.accept(TokenKind::left_parenthesis)) return;
  if (lexer_.accept(TokenKind::right_parenthesis)) return;
  do {
    Expression& argument = arguments.emplace_back();
    const bool is_known = context.owner.empty() && accept_known(argument);
    if (!is_known) argument = parse_expression();
  } while (lexer_.accept(TokenKind::comma));
  lexer_.expect(TokenKind::right_parenthesis);
}

/// Consumes the current argument if its value is known, and returns whether it is.
bool Parser::accept_known(Expression& argument) {
  if (known_values_ == nullptr || known_values_->empty()) return false;
  const char* const begin = lexer_.current().text.data();
  const std::string_view rest(begin, static_cast<std::size_t>(lexer_.text_end() - begin));
  const std::size_t length = rest.substr(0, kMaxKnownText + 1).find_first_of(",);(\n");
  if (length == std::string_view::npos || (rest[length] != ',' && rest[length] != ')'))
    return false;
  const auto found = known_values_->find(rest.substr(0, length));
  if (found == known_values_->end()) return false;
  argument.first = lexer_.current();
  argument.text = rest.substr(0, length);
  argument.known = &found->second;
  lexer_.skip_to(begin + length);
  return true;
}

void Parser::parse_operands(std::vector<Reference>& operands, const Context& context) {
  do {
    if (!context.is_gate) {
      parse_reference(operands.emplace_back());
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
  parse_reference(measure.qubits);
  if (version_ >= 3 && lexer_.accept(TokenKind::semicolon)) return;
  lexer_.expect(TokenKind::arrow);
  parse_reference(measure.bits.emplace());
  lexer_.expect(TokenKind::semicolon);
}

Measured Parser::parse_measured() {
  Measured measured{lexer_.take(), {}};
  parse_reference(measured.qubits);
  return measured;
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
