// Conditions and switch statements. Those that are known are followed while the program is read;
// the others become conditions of the operations.
#include <fmt/core.h>

#include <numeric>

#include "qasm/reader/parser.hpp"
#include "qasm/text/if_statement.hpp"
#include "qasm/text/number.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// Limit for nested blocks, because the parser recurses into each of them.
constexpr unsigned max_block_nesting = 100;

}  // namespace

// --- if ---

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
  if (language_.number < 3 || lexer_.current().text != "else") return;

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
  if (alternatives.empty()) skip_statement();
  bool is_stale = false;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    if (i > 0) {
      if (is_stale) {
        source_.fail(word.text,
                     "a measurement changes what this condition tests, which has '&&' or '||': "
                     "expected nested 'if' statements");
      }
      charge_reading_again(body, word);
      lexer_.skip_to(body.text.data());
    }
    const bool is_known = alternatives[i].empty();
    if (!is_known) begin_branch(alternatives[i], word);
    parse_body("the condition");
    if (!is_known) is_stale = end_branch(word);
  }
  return is_stale;
}

void Parser::begin_branch(const std::vector<Condition>& conditions, const Token& word) {
  builder_.begin_conditions(conditions, word.text);
  try {
    execution_.branches.push_back({expression_of(circuit_, conditions), names_.depth() + 1});
  } catch (const InputError& error) {
    source_.fail(word.text, error.what());
  }
}

bool Parser::end_branch(const Token& word) {
  execution_.branches.pop_back();
  if (execution_.has_branch_values) {
    budget_.charge(1 + names_.value_count() / 8, word.text);
    names_.for_each_value([&](std::string_view, NamedValue& variable) {
      if (variable.branches <= execution_.branches.size()) return;
      variable.value = {};
      variable.branches = 0;
      variable.unknown_because =
          fmt::format("a value was assigned to it only under the condition of {}",
                      source_.line_text(word.text));
    });
    execution_.has_branch_values = !execution_.branches.empty();
  }
  return builder_.end_conditions();
}

void Parser::charge_reading_again(const Token& from, const Token& word) {
  const auto characters = lexer_.current().text.data() - from.text.data();
  budget_.charge(
      operations_a_turn + static_cast<std::size_t>(characters) / characters_per_operation,
      word.text);
}

/// Parses a condition, which is a single comparison in OpenQASM 2.
BranchConditions Parser::parse_condition() {
  if (language_.number < 3) return parse_comparison();
  const std::string_view place = lexer_.current().text;
  return branches_of(parse_classical_value(), place);
}

BranchConditions Parser::branches_of(const Value& value, std::string_view place) const {
  try {
    if (value.measured == nullptr) return known_condition(is_true(value));
    return conditions_of(circuit_, value.measured);
  } catch (const InputError& error) {
    source_.fail(place, error.what());
  }
}

/// Parses `c == 1`.
BranchConditions Parser::parse_comparison() {
  const Token name = lexer_.expect(TokenKind::identifier);
  const DeclaredRegister& declared = find_register(name, false);
  Condition condition{declared.index, 1};
  const Register& tested = register_of(declared);
  if (lexer_.at(TokenKind::left_bracket)) {
    const std::string_view place = lexer_.current().text;
    const Operand bit = parse_operand(name, false);
    if (tested.size != 1 && language_.has_bit_conditions) {
      condition.element = bit.first - tested.first;
      language_.extension = name.text;
    } else if (tested.size != 1) {
      source_.fail(place, fmt::format("a condition on one bit of {}, which has {}, is not "
                                      "supported: expected a whole register",
                                      in_quotes(name.text), tested.size));
    }
  }
  if (!lexer_.accept(TokenKind::equal)) {
    lexer_.fail_expecting("'==': a condition compares a register with an integer");
  }
  const Token value = lexer_.expect(TokenKind::integer);
  const auto number = read_whole_number<std::uint64_t>(value.text);
  if (!number) return parse_wide_comparison(tested, condition, name, value);
  condition.value = *number;
  return comparison(condition, condition.element ? 1 : tested.size);
}

/// Returns the branches of the comparison of a register with a number of more than 64 bits, which
/// is an expression that only OpenQASM 3 has.
BranchConditions Parser::parse_wide_comparison(const Register& tested, const Condition& condition,
                                               const Token& name, const Token& value) {
  std::vector<std::uint32_t> bits(condition.element ? 1 : tested.size);
  std::iota(bits.begin(), bits.end(), tested.first + condition.element.value_or(0));
  try {
    const Value measured{{}, false, bits_expression(std::move(bits))};
    const Value number{read_number(value.text), true};
    language_.extension = name.text;
    return branches_of(combine(BitOperator::equal, measured, number), value.text);
  } catch (const InputError& error) {
    if (error.location().line != 0) throw;
    source_.fail(value.text, error.what());
  }
}

// --- switch ---

/// Parses `switch (n) { case 0, 1 { ... } default { ... } }`, and the form of drafts of OpenQASM 3,
/// `case 0: { ... } break;`.
void Parser::parse_switch() {
  const Token word = lexer_.take();
  lexer_.expect(TokenKind::left_parenthesis);
  const std::string_view place = lexer_.current().text;
  const Value value = parse_classical_value();
  lexer_.expect(TokenKind::right_parenthesis);
  lexer_.expect(TokenKind::left_brace);
  enter_block(word);
  BranchConditions rest = known_condition(true);  // no case so far
  while (!lexer_.accept(TokenKind::right_brace)) {
    const Token label = lexer_.current();
    BranchConditions here = rest;
    for (const std::vector<Condition>& each : rest.then) {
      budget_.charge(1 + each.size(), label.text);
    }
    if (label.text == "case") {
      here = parse_case_labels(value, place);
      try {
        rest = conjunction(rest, negated(here));
      } catch (const InputError& error) {
        source_.fail(label.text, error.what());
      }
    } else if (label.text == "default") {
      lexer_.advance();
      if (lexer_.current().text == ":") lexer_.advance();
    } else {
      lexer_.fail_expecting("'case' or 'default'");
    }
    if (!lexer_.at(TokenKind::left_brace)) lexer_.fail_expecting("'{'");
    const bool is_stale = parse_body_under(here.then, label);
    if (lexer_.current().text == "break") {  // the form of the drafts
      lexer_.advance();
      lexer_.expect(TokenKind::semicolon);
    }
    if (is_stale && !lexer_.at(TokenKind::right_brace)) {
      lexer_.fail_expecting("'}': a measurement before this case changes what it depends on");
    }
  }
  --execution_.nesting;
}

/// Parses `case 0, 1`, or several cases with colons that share a block.
BranchConditions Parser::parse_case_labels(const Value& value, std::string_view place) {
  BranchConditions here = known_condition(false);
  while (lexer_.current().text == "case") {
    do {
      lexer_.advance();
      const Token first = lexer_.current();
      const std::int64_t number = parse_integer();
      try {
        const Value label{Angle::radians(number), true};
        here = disjunction(here, branches_of(combine(BitOperator::equal, value, label), place));
      } catch (const InputError& error) {
        if (error.location().line != 0) throw;
        source_.fail(first.text, error.what());
      }
    } while (lexer_.at(TokenKind::comma));
    if (lexer_.current().text == ":") lexer_.advance();
  }
  return here;
}

// --- bodies ---

void Parser::enter_block(const Token& start) {
  if (++execution_.nesting > max_block_nesting) {
    source_.fail(start.text, fmt::format("blocks are nested more than {} deep", max_block_nesting));
  }
}

/// Parses one statement or, in OpenQASM 3, a block.
void Parser::parse_body(std::string_view owner) {
  enter_block(lexer_.current());
  names_.enter_scope();
  parse_block(owner);
  names_.leave_scope();
  --execution_.nesting;
}

/// Parses a body in the current scope.
void Parser::parse_block(std::string_view owner) {
  if (language_.number < 3 || !lexer_.at(TokenKind::left_brace)) return parse_body_statement(owner);
  const Token brace = lexer_.take();
  while (!lexer_.accept(TokenKind::right_brace)) {
    if (lexer_.at(TokenKind::end)) {
      source_.fail(brace.text, "the block that starts here has no '}'");
    }
    if (execution_.jump != Execution::Jump::none) {
      skip_statement();
    } else {
      parse_body_statement(owner);
    }
  }
}

void Parser::parse_body_statement(std::string_view owner) {
  if (parse_operation()) return;
  const Token word = lexer_.current();
  if (language_.number >= 3 && word.text == "#") return parse_pragma();
  if (language_.number >= 3 && word.text == "@") return parse_annotations();
  if (language_.number >= 3 && word.kind == TokenKind::left_brace) return parse_body(owner);
  const Keyword keyword = word.kind == TokenKind::identifier
                              ? find_keyword(word.text, language_.number)
                              : Keyword::none;
  if (word.kind == TokenKind::identifier &&
      (keyword == Keyword::none || keyword == Keyword::unsupported)) {
    fail_unknown_statement(word);
  }
  switch (keyword) {
    case Keyword::condition:
      if (language_.number < 3) {
        source_.fail(word.text, "OpenQASM 2 has no condition within a condition");
      }
      [[fallthrough]];
    case Keyword::loop:
    case Keyword::while_loop:
    case Keyword::selection:
    case Keyword::jump:
    case Keyword::box:
    case Keyword::pragma:
    case Keyword::variable:
    case Keyword::array:
    case Keyword::duration:
    case Keyword::constant:
    case Keyword::alias:
    case Keyword::bit:
      return parse_keyword_statement(keyword);
    default:
      break;
  }
  lexer_.fail_expecting(fmt::format("an operation under {}", owner));
}

/// Skips a statement or a block, which is not parsed because it has no effect.
void Parser::skip_statement() {
  const Token first = lexer_.current();
  bool is_conditional = first.text == "if";
  std::size_t braces = 0;    // around the current token
  std::size_t brackets = 0;  // with the braces of lists in them
  while (!lexer_.at(TokenKind::end)) {
    const Token token = lexer_.take();
    const TokenKind kind = token.kind;
    const bool opens_list = kind == TokenKind::left_bracket || kind == TokenKind::left_parenthesis;
    // Lists of values follow 'in' and '='.
    const bool may_precede_list = token.text == "in" || kind == TokenKind::assign;
    if (opens_list || (may_precede_list && lexer_.at(TokenKind::left_brace)) ||
        (brackets > 0 && kind == TokenKind::left_brace)) {
      if (may_precede_list) lexer_.advance();
      ++brackets;
      continue;
    }
    if (brackets > 0) {
      const bool closes = kind == TokenKind::right_bracket ||
                          kind == TokenKind::right_parenthesis || kind == TokenKind::right_brace;
      if (closes) --brackets;
      continue;
    }
    if (kind == TokenKind::left_brace) ++braces;
    if (kind == TokenKind::right_brace && braces > 0) --braces;
    if (braces > 0 || (kind != TokenKind::right_brace && kind != TokenKind::semicolon)) continue;
    if (!is_conditional || lexer_.current().text != "else") return;
    lexer_.advance();
    is_conditional = lexer_.current().text == "if";
  }
  source_.fail(first.text, "the statement that starts here does not end");
}

}  // namespace quartz::qasm
