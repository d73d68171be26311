// Conditions, and loops over constants, which are unrolled.
#include <fmt/core.h>

#include <limits>

#include "qasm/reader/parser.hpp"
#include "qasm/text/if_statement.hpp"
#include "qasm/text/number.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// Limit for nested blocks, because the parser recurses into each of them.
constexpr unsigned max_block_nesting = 100;
/// An iteration of a loop is charged as this many operations, plus one operation for each
/// `characters_per_operation` characters that are read again.
constexpr std::size_t operations_a_turn = 8;
constexpr std::size_t characters_per_operation = 16;

}  // namespace

// --- conditions ---

/// Parses `if (c == 1) operation`; in OpenQASM 3 also a block and an else, which may be another
/// `if`.
void Parser::parse_conditional() {
  const Token word = lexer_.take();
  lexer_.expect(TokenKind::left_parenthesis);
  const BranchConditions condition = parse_condition();
  if (!lexer_.at(TokenKind::right_parenthesis)) {
    lexer_.fail_expecting("')': a condition compares a register with an integer");
  }
  lexer_.advance();
  const bool is_stale = parse_body_under(condition.then, word);
  if (version_ < 3 || lexer_.current().text != "else") return;

  const Token other = lexer_.take();
  if (is_stale) {
    source_.fail(other.text, "a measurement before this 'else' changes what it depends on");
  }
  parse_body_under(condition.otherwise, other);
}

/// Parses the body once for each of the alternatives, which become conditions of its operations.
/// Returns whether the last one changes a bit that is tested.
bool Parser::parse_body_under(const Alternatives& alternatives, const Token& word) {
  const Token body = lexer_.current();
  bool is_stale = false;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    if (i > 0) {
      if (is_stale) {
        source_.fail(word.text,
                     "a measurement changes what this condition tests, which has '&&' or '||': "
                     "expected nested 'if' statements");
      }
      const auto characters = lexer_.current().text.data() - body.text.data();
      budget_.charge(
          operations_a_turn + static_cast<std::size_t>(characters) / characters_per_operation,
          word.text);
      lexer_.skip_to(body.text.data());
    }
    builder_.begin_conditions(alternatives[i], word.text);
    parse_body("the condition");
    is_stale = builder_.end_conditions();
  }
  return is_stale;
}

/// Parses a condition, which is a single comparison in OpenQASM 2.
BranchConditions Parser::parse_condition() {
  if (version_ < 3) return parse_comparison(false);
  return parse_condition(0, 0);
}

/// Parses operators that bind at least as tightly as `weakest`: 0 for '||', 1 for '&&'.
BranchConditions Parser::parse_condition(int weakest, unsigned depth) {
  BranchConditions left = parse_condition_operand(depth);
  while (true) {
    const Token sign = lexer_.current();
    const bool is_and = sign.kind == TokenKind::logical_and;
    if (!is_and && (sign.kind != TokenKind::logical_or || weakest > 0)) return left;
    lexer_.advance();
    BranchConditions right = is_and ? parse_condition_operand(depth) : parse_condition(1, depth);
    try {
      left = is_and ? conjunction(left, right) : disjunction(std::move(left), std::move(right));
    } catch (const InputError& error) {
      source_.fail(sign.text, error.what());
    }
  }
}

/// Parses a comparison, its negation, or a condition in parentheses.
BranchConditions Parser::parse_condition_operand(unsigned depth) {
  if (depth > max_block_nesting) {
    source_.fail(lexer_.current().text,
                 fmt::format("the condition is nested more than {} deep", max_block_nesting));
  }
  if (lexer_.accept(TokenKind::left_parenthesis)) {
    BranchConditions inner = parse_condition(0, depth + 1);
    lexer_.expect(TokenKind::right_parenthesis);
    return inner;
  }
  if (!lexer_.accept(TokenKind::exclamation)) return parse_comparison(false);
  if (lexer_.at(TokenKind::identifier)) return parse_comparison(true);
  return negation(parse_condition_operand(depth + 1));
}

/// Parses `c == 1`; in OpenQASM 3 also `c`, `c == true` and `c != 2`, with one bit of a register as
/// c, and after a '!' that has been read only `c` itself.
BranchConditions Parser::parse_comparison(bool is_negated) {
  const Token name = lexer_.expect(TokenKind::identifier);
  const DeclaredRegister& declared = find_register(name, false);
  if (declared.is_alias) {
    source_.fail(name.text, "a condition on an alias is not supported: expected the register");
  }
  Condition condition{declared.index, is_negated ? 0U : 1U};
  const Register& tested = register_of(declared);
  if (lexer_.at(TokenKind::left_bracket)) {
    const std::string_view place = lexer_.current().text;
    const Operand bit = parse_operand(name, false);
    if (bit.is_whole || (version_ < 3 && tested.size != 1)) {
      source_.fail(place,
                   version_ < 3
                       ? fmt::format("a condition on one bit of {}, which has {}, is not "
                                     "supported: expected a whole register",
                                     quoted(name.text), tested.size)
                       : "a condition on a slice is not supported: expected a register or a bit");
    }
    if (tested.size != 1) condition.element = bit.first - tested.first;
  }
  const std::uint32_t bits = tested_bits(circuit_, condition).size;
  const bool is_other_than = version_ >= 3 && lexer_.at(TokenKind::not_equal);
  if ((lexer_.at(TokenKind::equal) || is_other_than) && !is_negated) {
    lexer_.advance();
    condition.value = parse_compared_value();
  } else if (version_ < 3 || (bits != 1 && !is_negated)) {
    lexer_.fail_expecting("'==': a condition compares a register with an integer");
  }
  return comparison(is_other_than ? opposite_of(condition, bits) : condition, bits);
}

std::uint64_t Parser::parse_compared_value() {
  const Token value = lexer_.current();
  if (version_ >= 3 && (value.text == "true" || value.text == "false")) {
    lexer_.advance();
    return value.text == "true" ? 1 : 0;
  }
  lexer_.expect(TokenKind::integer);
  const auto number = read_whole_number<std::uint64_t>(value.text);
  if (!number) {
    source_.fail(value.text, fmt::format("the value {} does not fit 64 bits", quoted(value.text)));
  }
  return *number;
}

// --- bodies ---

void Parser::enter_block(const Token& start) {
  if (++nesting_.blocks > max_block_nesting) {
    source_.fail(start.text, fmt::format("blocks are nested more than {} deep", max_block_nesting));
  }
}

/// Parses one statement or, in OpenQASM 3, a block.
void Parser::parse_body(std::string_view owner) {
  enter_block(lexer_.current());
  if (version_ < 3 || !lexer_.at(TokenKind::left_brace)) {
    parse_body_statement(owner);
    --nesting_.blocks;
    return;
  }
  const Token brace = lexer_.take();
  while (!lexer_.accept(TokenKind::right_brace)) {
    if (lexer_.at(TokenKind::end)) {
      source_.fail(brace.text, "the block that starts here has no '}'");
    }
    parse_body_statement(owner);
  }
  --nesting_.blocks;
}

void Parser::parse_body_statement(std::string_view owner) {
  if (parse_operation()) return;
  const Token word = lexer_.current();
  const Keyword keyword =
      word.kind == TokenKind::identifier ? find_keyword(word.text, version_) : Keyword::none;
  if (word.kind == TokenKind::identifier &&
      (keyword == Keyword::none || keyword == Keyword::unsupported)) {
    fail_unknown_statement(word);
  }
  if (keyword == Keyword::condition && version_ < 3) {
    source_.fail(word.text, "OpenQASM 2 has no condition within a condition");
  }
  if (keyword == Keyword::condition) return parse_conditional();
  if (keyword == Keyword::loop) return parse_loop();
  lexer_.fail_expecting(fmt::format("an operation under {}", owner));
}

// --- loops ---

/// Parses `for int i in [0:3] body` or `for uint i in {1, 5} body`: the body once for each value.
void Parser::parse_loop() {
  const Token word = lexer_.take();
  Token name = lexer_.expect(TokenKind::identifier);
  if (name.text == "int" || name.text == "uint") {
    (void)parse_width();
    name = lexer_.expect(TokenKind::identifier);
  }
  check_new_name(name);
  if (lexer_.current().text != "in") lexer_.fail_expecting("'in'");
  lexer_.advance();
  const std::vector<std::int64_t> values = parse_loop_values();
  ++nesting_.loops;
  const Token body = lexer_.current();
  std::size_t work = 0;  // the first iteration is charged with its value
  for (const std::int64_t value : values) {
    budget_.charge(work, word.text);
    lexer_.skip_to(body.text.data());
    declare_value(name, {Angle::radians(value), true}, false);
    parse_body("the loop");
    const auto characters = lexer_.current().text.data() - body.text.data();
    work = static_cast<std::size_t>(characters) / characters_per_operation;
  }
  names_.values.erase(name.text);
  --nesting_.loops;
  if (values.empty()) skip_body();
}

std::vector<std::int64_t> Parser::parse_loop_values() {
  const Token open = lexer_.current();
  std::vector<std::int64_t> values;
  if (lexer_.accept(TokenKind::left_brace)) {
    do {
      budget_.charge(operations_a_turn, open.text);
      values.push_back(parse_integer());
    } while (lexer_.accept(TokenKind::comma));
    lexer_.expect(TokenKind::right_brace);
    return values;
  }
  if (!lexer_.accept(TokenKind::left_bracket)) {
    lexer_.fail_expecting(
        "a range such as [0:3], or a list in braces: loops over anything but constants are not "
        "supported");
  }
  const auto expect_colon = [&] {
    if (lexer_.current().text != ":") lexer_.fail_expecting("':'");
    lexer_.advance();
  };
  const std::int64_t first = parse_integer();
  expect_colon();
  const Token middle = lexer_.current();
  std::int64_t step = 1;
  std::int64_t last = parse_integer();
  if (lexer_.current().text == ":") {
    step = last;
    lexer_.advance();
    last = parse_integer();
  }
  lexer_.expect(TokenKind::right_bracket);
  if (step == 0) source_.fail(middle.text, "found the step 0 in a range");
  __extension__ typedef __int128 Wide;
  for (Wide i = first; step > 0 ? i <= last : i >= last; i += step) {
    budget_.charge(operations_a_turn, open.text);
    values.push_back(static_cast<std::int64_t>(i));
  }
  return values;
}

/// Skips the body of a loop without iterations, which is not parsed because it has no effect.
void Parser::skip_body() {
  const Token first = lexer_.current();
  std::size_t depth = 0;
  while (!lexer_.at(TokenKind::end)) {
    const TokenKind kind = lexer_.take().kind;
    if (kind == TokenKind::left_brace) ++depth;
    if (kind == TokenKind::right_brace && depth > 0) --depth;
    if (depth == 0 && (kind == TokenKind::right_brace || kind == TokenKind::semicolon)) return;
  }
  source_.fail(first.text, "the loop has no body that ends");
}

}  // namespace quartz::qasm
