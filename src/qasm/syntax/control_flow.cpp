// Conditions, loops, jumps, and what is kept: boxes, pragmas and annotations.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "qasm/syntax/parser.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm::syntax {
namespace {

/// Removes blanks at both ends.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

/// Removes the first word of the text and returns it.
std::string_view take_word(std::string_view& text) {
  const std::size_t length = std::min(text.find_first_of(" \t("), text.size());
  const std::string_view word = text.substr(0, length);
  text = trimmed(text.substr(length));
  return word;
}

}  // namespace

// --- if ---

/// Parses `if (c == 1) operation`; in OpenQASM 3 also a block and an else, which may be another
/// `if`.
void Parser::parse_if(If& statement) {
  statement.word = lexer_.take();
  lexer_.expect(TokenKind::left_parenthesis);
  if (version_ >= 3) {
    statement.condition = parse_expression();
  } else {
    statement.condition = parse_comparison();
  }
  if (!lexer_.at(TokenKind::right_parenthesis)) {
    lexer_.fail_expecting("')': a condition compares a register with an integer");
  }
  lexer_.advance();
  statement.body = parse_block({"the condition"});
  if (version_ < 3 || lexer_.current().text != "else") return;
  const Token word = lexer_.take();
  statement.otherwise = Else{word, parse_block({"the condition"})};
}

Comparison Parser::parse_comparison() {
  Comparison comparison;
  comparison.bits.name = lexer_.expect(TokenKind::identifier).text;
  parse_selections(comparison.bits);
  if (!lexer_.accept(TokenKind::equal)) {
    lexer_.fail_expecting("'==': a condition compares a register with an integer");
  }
  comparison.number = lexer_.expect(TokenKind::integer);
  return comparison;
}

// --- loops ---

/// Parses `for int i in [0:3] body`. The type may be absent.
void Parser::parse_for(For& loop, const Context& context) {
  loop.word = lexer_.take();
  loop.name = lexer_.expect(TokenKind::identifier);
  if (find_cast(loop.name.text).value_or(CastType::bits) != CastType::bits) {
    loop.type = find_cast(loop.name.text);
    loop.width = parse_width();
    loop.name = lexer_.expect(TokenKind::identifier);
  }
  expect_text("in");
  parse_loop_values(loop);
  loop.body = parse_block(context);
}

void Parser::parse_loop_values(For& loop) {
  loop.first = lexer_.current();
  if (lexer_.accept(TokenKind::left_brace)) {
    do {
      loop.list.push_back(parse_expression());
    } while (lexer_.accept(TokenKind::comma));
    lexer_.expect(TokenKind::right_brace);
    return;
  }
  if (lexer_.at(TokenKind::identifier)) {
    parse_reference(loop.array);
    return;
  }
  if (!lexer_.accept(TokenKind::left_bracket)) return;  // the values are then absent
  loop.range.push_back(parse_expression());
  expect_text(":");
  loop.range.push_back(parse_expression());
  if (lexer_.current().text == ":") {
    lexer_.advance();
    loop.range.push_back(parse_expression());
  }
  lexer_.expect(TokenKind::right_bracket);
}

void Parser::parse_while(While& loop) {
  loop.word = lexer_.take();
  lexer_.expect(TokenKind::left_parenthesis);
  loop.condition = parse_expression();
  lexer_.expect(TokenKind::right_parenthesis);
  loop.body = parse_block({"the loop"});
}

/// Parses `switch (n) { case 0, 1 { ... } default { ... } }`, and the form of drafts of OpenQASM 3,
/// `case 0: { ... } break;`.
void Parser::parse_switch(Switch& statement) {
  statement.word = lexer_.take();
  lexer_.expect(TokenKind::left_parenthesis);
  statement.value = parse_expression();
  lexer_.expect(TokenKind::right_parenthesis);
  lexer_.expect(TokenKind::left_brace);
  while (!lexer_.accept(TokenKind::right_brace)) {
    if (!statement.cases.empty() && statement.cases.back().labels.empty()) {
      lexer_.fail_expecting("'}': 'default' is the last case");
    }
    statement.cases.push_back(parse_case());
  }
}

Case Parser::parse_case() {
  Case result;
  count_node();
  result.word = lexer_.current();
  const auto accept_colon = [&] {
    if (lexer_.current().text == ":") lexer_.advance();
  };
  if (result.word.text == "default") {
    lexer_.advance();
    accept_colon();
  } else if (result.word.text != "case") {
    lexer_.fail_expecting("'case' or 'default'");
  }
  while (result.word.text == "case" && lexer_.current().text == "case") {
    do {
      lexer_.advance();
      result.labels.push_back(parse_expression());
    } while (lexer_.at(TokenKind::comma));
    accept_colon();  // several cases with colons share a block
  }
  if (!lexer_.at(TokenKind::left_brace)) lexer_.fail_expecting("'{'");
  result.body = parse_block({"the condition"});
  if (lexer_.current().text == "break") {  // the form of the drafts
    lexer_.advance();
    lexer_.expect(TokenKind::semicolon);
  }
  return result;
}

/// Parses `break;`, `continue;`, `end;` and `return`.
void Parser::parse_jump(Statement& statement) {
  const Token word = lexer_.take();
  if (word.text != "return") {
    make<Jump>(statement).word = word;
  } else {
    Return& result = make<Return>(statement);
    result.word = word;
    if (!lexer_.at(TokenKind::semicolon)) result.value = parse_initializer();
  }
  lexer_.expect(TokenKind::semicolon);
}

// --- what is kept ---

/// Parses `box { ... }` or `box[100ns] { ... }`; `lines` are those before it that belong to it.
void Parser::parse_box(Statement& statement, std::string lines, bool is_verbatim) {
  Box& box = make<Box>(statement);
  box.lines = std::move(lines);
  box.is_verbatim = is_verbatim;
  box.word = lexer_.take();
  if (lexer_.accept(TokenKind::left_bracket)) {
    box.duration = parse_duration();
    lexer_.expect(TokenKind::right_bracket);
  }
  if (!lexer_.at(TokenKind::left_brace)) lexer_.fail_expecting("'{'");
  box.body = parse_block({"the box"});
}

std::string_view Parser::take_line() {
  const char* const start = lexer_.current().text.data();
  std::string_view line(start, static_cast<std::size_t>(lexer_.text_end() - start));
  line = trimmed(line.substr(0, std::min(line.find_first_of("\r\n"), line.size())));
  lexer_.skip_to(line.data() + line.size());
  return line;
}

/// Parses `pragma` or `#pragma`, whose text is the rest of the line.
void Parser::parse_pragma(Statement& statement) {
  Pragma pragma{lexer_.current(), {}, {}};
  std::string_view rest = take_line();
  if (rest.starts_with('#')) rest = trimmed(rest.substr(1));
  if (take_word(rest) != "pragma") {
    source_.fail(pragma.first.text, "found '#', expected a statement");
  }
  pragma.text = "#pragma " + std::string(rest);
  if (take_word(rest) == "braket") {
    const std::string_view kind = take_word(rest);
    if (kind == "verbatim") {
      if (lexer_.current().text != "box") {
        lexer_.fail_expecting("'box' after '#pragma braket verbatim'");
      }
      return parse_box(statement, pragma.text + "\n", true);
    }
    if (kind != "result" && kind != "noise" && kind != "unitary") {
      source_.fail(pragma.first.text, fmt::format("the pragma 'braket {}' is not supported", kind));
    }
    if (kind == "noise") (void)take_word(rest);  // the channel
    if (kind != "result") pragma.operands = rest;
  }
  make<Pragma>(statement) = std::move(pragma);
}

/// Parses lines such as `@static` and the statement after them.
void Parser::parse_annotations(Statement& statement, const Context& context) {
  const Token first = lexer_.current();
  std::string lines;
  while (lexer_.current().text == "@") {
    lines += take_line();
    lines += '\n';
  }
  const Token word = lexer_.current();
  if (word.text == "box") return parse_box(statement, std::move(lines));
  const bool is_statement = word.kind != TokenKind::end && word.kind != TokenKind::right_brace &&
                            word.text != "#" && word.text != "pragma" && word.text != ";";
  if (!is_statement) {
    source_.fail(first.text,
                 "an annotation ('@') belongs to the statement after it, which must not be empty "
                 "and no pragma");
  }
  Annotated& annotated = make<Annotated>(statement);
  annotated.first = first;
  annotated.lines = std::move(lines);
  const char* const begin = word.text.data();
  parse_node(annotated.statement.emplace_back(),
             {context.owner.empty() ? std::string_view() : "an annotation"});
  const std::string_view text(begin,
                              static_cast<std::size_t>(lexer_.current().text.data() - begin));
  annotated.text = text.substr(0, text.find(';') + 1);
}

}  // namespace quartz::qasm::syntax
