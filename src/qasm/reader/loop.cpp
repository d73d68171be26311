// Loops over known values are unrolled; a `while` over measured values is kept.
#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

#include "qasm/reader/parser.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
// --- for ---

/// Parses `for int i in [0:3] body` or `for uint i in {1, 5} body`: the body once for each value.
void Parser::parse_loop() {
  const Token word = lexer_.take();
  const Token name = parse_loop_variable();
  const std::vector<std::int64_t> values = parse_loop_values(scope_);
  const Token body = lexer_.current();
  for (std::size_t i = 0; i < values.size() && continues_loop(); ++i) {
    lexer_.skip_to(body.text.data());
    names_.enter_scope();
    declare_constant(name, {Angle::radians(values[i]), true});
    parse_iteration();
    names_.leave_scope();
    if (i + 1 < values.size()) charge_reading_again(body, word);
  }
  end_loop();
  if (values.empty()) skip_statement();
}

Token Parser::parse_loop_variable() {
  Token name = lexer_.expect(TokenKind::identifier);
  if (find_cast(name.text).value_or(CastType::bits) != CastType::bits) {
    (void)parse_width();
    name = lexer_.expect(TokenKind::identifier);
  }
  if (is_reserved(name.text, language_.number)) check_new_name(name);
  if (lexer_.current().text != "in") lexer_.fail_expecting("'in'");
  lexer_.advance();
  return name;
}

/// Parses the body of a loop that is unrolled.
void Parser::parse_iteration() {
  const std::size_t branches_outside = execution_.branches_of_loop;
  execution_.branches_of_loop = execution_.branches.size();
  ++execution_.loops;
  parse_body("the loop");
  --execution_.loops;
  execution_.branches_of_loop = branches_outside;
}

/// Returns whether the next iteration of a loop is executed.
bool Parser::continues_loop() {
  if (execution_.jump == Execution::Jump::next_iteration) {
    execution_.jump = Execution::Jump::none;
  }
  return execution_.jump == Execution::Jump::none;
}

void Parser::end_loop() {
  if (!continues_loop() && execution_.jump == Execution::Jump::end_of_loop) {
    execution_.jump = Execution::Jump::none;
  }
}

std::vector<std::int64_t> Parser::parse_loop_values(const ExpressionScope& scope) {
  const Token open = lexer_.current();
  std::vector<std::int64_t> values;
  if (lexer_.accept(TokenKind::left_brace)) {
    do {
      budget_.charge(operations_a_turn, open.text);
      values.push_back(parse_integer(scope));
    } while (lexer_.accept(TokenKind::comma));
    lexer_.expect(TokenKind::right_brace);
    return values;
  }
  const NamedValue* const named =
      open.kind == TokenKind::identifier ? names_.find_value(open.text) : nullptr;
  if (named != nullptr && named->array != nullptr && scope.gate_parameters == nullptr) {
    lexer_.advance();
    return parse_array_of_integers(open);
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
  const std::int64_t first = parse_integer(scope);
  expect_colon();
  const Token middle = lexer_.current();
  std::int64_t step = 1;
  std::int64_t last = parse_integer(scope);
  if (lexer_.current().text == ":") {
    step = last;
    lexer_.advance();
    last = parse_integer(scope);
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

// --- while ---

/// Parses `while (n < 3) body`.
void Parser::parse_while() {
  const Token word = lexer_.take();
  lexer_.expect(TokenKind::left_parenthesis);
  const Token condition = lexer_.current();
  const std::size_t calls = execution_.calls_so_far;
  Value value = parse_classical_value();
  lexer_.expect(TokenKind::right_parenthesis);
  if (value.measured != nullptr) {
    if (execution_.calls_so_far != calls) {
      source_.fail(condition.text,
                   "a call of a subroutine in the condition of a 'while' on measured bits is not "
                   "supported");
    }
    return parse_kept_loop(word, condition);
  }
  const Token body = lexer_.current();
  while (value.measured == nullptr && !branches_of(value, condition.text).then.empty()) {
    parse_iteration();
    charge_reading_again(condition, word);
    if (!continues_loop()) {
      end_loop();
      return;
    }
    lexer_.skip_to(condition.text.data());
    value = parse_classical_value();
    lexer_.expect(TokenKind::right_parenthesis);
  }
  if (value.measured != nullptr) {
    source_.fail(condition.text,
                 "the condition depends on a measurement after some iterations, "
                 "which is not supported");
  }
  lexer_.skip_to(body.text.data());
  skip_statement();
}

/// Parses a loop whose condition depends on measured bits, which is kept. Its body may be executed
/// any number of times, so nothing is known in it of the variables that it changes, and of values
/// that depend on bits.
void Parser::parse_kept_loop(const Token& word, const Token& condition) {
  if (!execution_.branches.empty()) {
    source_.fail(word.text,
                 "a 'while' on measured bits within a condition on measured bits is not "
                 "supported");
  }
  const Token body = lexer_.current();
  skip_statement();
  const std::string_view text(
      condition.text.data(),
      static_cast<std::size_t>(lexer_.current().text.data() - condition.text.data()));
  charge_reading_again(condition, word);
  forget_changed_variables(text, word);
  lexer_.skip_to(condition.text.data());
  const Value value = parse_classical_value();
  if (value.measured == nullptr) {
    source_.fail(condition.text, "the condition of the loop does not depend on a measurement");
  }
  builder_.append_statement(
      fmt::format("while ({}) {{", text_of_expression(*value.measured, condition.text)), {},
      word.text);
  lexer_.skip_to(body.text.data());
  ++execution_.kept_loops;
  parse_body("the loop");
  --execution_.kept_loops;
  builder_.append_statement("}", {}, word.text);
  if (execution_.jump != Execution::Jump::none) {
    source_.fail(word.text, "a jump out of a 'while' on measured bits is not supported");
  }
  forget_changed_variables(text, word);
}

/// Finds the variables and arrays that a part of the program, or a subroutine that it calls, may
/// change. Some of the names may be others.
Parser::ChangedNames Parser::find_changed_names(std::string_view text, const Token& word) {
  ChangedNames changed;
  std::unordered_set<std::string_view> names;
  std::unordered_set<std::string_view> called;
  bool has_mutable_parameters = false;
  std::vector<std::string_view> parts{text};
  while (!parts.empty()) {
    const Source part(parts.back(), {});
    parts.pop_back();
    budget_.charge(1 + part.text().size() / characters_per_operation, word.text);
    std::vector<std::string_view> comments;
    Lexer lexer(part, comments, language_.number);
    lexer.stop_recording_comments();
    std::vector<std::string_view> statement;  // its names so far
    while (!lexer.at(TokenKind::end)) {
      const Token token = lexer.take();
      const TokenKind kind = token.kind;
      if (kind == TokenKind::identifier) {
        statement.push_back(token.text);
        names.insert(token.text);
        const auto subroutine = names_.subroutines.find(token.text);
        if (subroutine != names_.subroutines.end() && called.insert(token.text).second) {
          parts.push_back(subroutine->second.body);
          has_mutable_parameters |= std::ranges::any_of(
              subroutine->second.parameters,
              [](const auto& parameter) { return parameter.is_array && !parameter.is_readonly; });
        }
      }
      if (kind == TokenKind::assign || kind == TokenKind::compound_assign) {
        if (!statement.empty()) changed.variables.insert(statement.back());
        changed.arrays.insert(statement.begin(), statement.end());
      }
      const bool ends_statement = kind == TokenKind::semicolon || kind == TokenKind::left_brace ||
                                  kind == TokenKind::right_brace;
      if (ends_statement) statement.clear();
    }
  }
  if (has_mutable_parameters) changed.arrays.merge(names);
  return changed;
}

/// Forgets the variables that a part of the program may assign, and those that depend on bits.
void Parser::forget_changed_variables(std::string_view text, const Token& word) {
  const ChangedNames changed = find_changed_names(text, word);
  names_.for_each_value([&](std::string_view name, NamedValue& variable) {
    const bool is_array = variable.kind == NamedValue::Kind::element;
    const bool is_changed =
        is_array ? changed.arrays.contains(name)
                 : variable.kind == NamedValue::Kind::variable && changed.variables.contains(name);
    if (variable.value.measured == nullptr && !is_changed) return;
    variable.value = {};
    variable.unknown_because =
        fmt::format("the loop of {} may change it", source_.line_text(word.text));
  });
}

// --- jumps ---

/// Parses `break;`, `continue;`, `end;` and `return`.
void Parser::parse_jump() {
  const Token word = lexer_.take();
  if (word.text == "return") return parse_return(word);
  lexer_.expect(TokenKind::semicolon);
  if (word.text == "end") {
    source_.fail(word.text, "'end' is not supported in OpenQASM 3 programs yet");
  }
  if (execution_.kept_loops != 0) {
    source_.fail(word.text, fmt::format("{} in a loop on measured bits is not supported",
                                        in_quotes(word.text)));
  }
  if (execution_.loops == 0) {
    source_.fail(word.text, fmt::format("{} belongs in a loop", in_quotes(word.text)));
  }
  check_unconditional(word);
  execution_.jump =
      word.text == "break" ? Execution::Jump::end_of_loop : Execution::Jump::next_iteration;
}

void Parser::check_unconditional(const Token& word) const {
  const std::size_t outside =
      word.text == "return" ? execution_.branches_of_caller : execution_.branches_of_loop;
  if (execution_.branches.size() == outside) return;
  source_.fail(word.text, fmt::format("{} under a condition on measured bits is not supported",
                                      in_quotes(word.text)));
}

}  // namespace quartz::qasm
