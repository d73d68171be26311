// Boxes and pragmas, which are kept as they stand.
#include <fmt/core.h>

#include <algorithm>

#include "qasm/gates/kept_statement.hpp"
#include "qasm/reader/parser.hpp"
#include "qasm/text/header.hpp"

namespace quartz::qasm {
namespace {

/// Removes blanks at both ends.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

bool is_word_character(char character) {
  const char after_letter[] = {'a', character};
  return is_identifier({after_letter, 2});
}

/// Removes the first word of the text and returns it.
std::string_view take_word(std::string_view& text) {
  const std::size_t length = std::min(text.find_first_of(" \t("), text.size());
  const std::string_view word = text.substr(0, length);
  text = trimmed(text.substr(length));
  return word;
}

}  // namespace

/// Parses `box { ... }` or `box[100ns] { ... }`: operations are moved neither in nor out. The gates
/// of a verbatim box of Amazon Braket must not change.
void Parser::parse_box(std::string_view lines, bool is_verbatim) {
  const Token word = lexer_.take();
  std::string duration;
  if (lexer_.accept(TokenKind::left_bracket)) {
    duration = fmt::format("[{}]", parse_length_of_time());
    lexer_.expect(TokenKind::right_bracket);
  }
  if (!lexer_.at(TokenKind::left_brace)) lexer_.fail_expecting("'{'");
  builder_.append_statement(fmt::format("{}box{} {{", lines, duration), {}, word.text);
  if (is_verbatim) builder_.set_verbatim(true);
  ++execution_.boxes;
  parse_body("the box");
  --execution_.boxes;
  for (auto& [name, declared] : names_.durations) {
    if (declared.boxes > execution_.boxes) declared.is_visible = false;
  }
  if (is_verbatim) builder_.set_verbatim(false);
  builder_.append_statement("}", {}, word.text);
}

std::string_view Parser::take_line() {
  const char* const start = lexer_.current().text.data();
  std::string_view line(start, static_cast<std::size_t>(lexer_.text_end() - start));
  line = trimmed(line.substr(0, std::min(line.find_first_of("\r\n"), line.size())));
  lexer_.skip_to(line.data() + line.size());
  return line;
}

/// Parses `pragma` or `#pragma`, whose text is the rest of the line.
void Parser::parse_pragma() {
  const Token start = lexer_.current();
  std::string_view rest = take_line();
  if (rest.starts_with('#')) rest = trimmed(rest.substr(1));
  if (take_word(rest) != "pragma") source_.fail(start.text, "found '#', expected a statement");
  const std::string text = "#pragma " + std::string(rest);
  if (take_word(rest) != "braket") return builder_.append_statement(text, {}, start.text);
  const std::string_view kind = take_word(rest);
  if (kind == "result") return builder_.append_statement(text, {}, start.text);
  if (kind == "verbatim") {
    if (lexer_.current().text != "box")
      lexer_.fail_expecting("'box' after '#pragma braket verbatim'");
    return parse_box(text + "\n", true);
  }
  if (kind == "noise" || kind == "unitary") {
    if (kind == "noise") (void)take_word(rest);  // the channel
    check_names_of_pragma(rest, start);
    return builder_.append_statement(text, {}, start.text);
  }
  source_.fail(start.text, fmt::format("the pragma 'braket {}' is not supported", kind));
}

/// Fails unless the text of a pragma that acts on qubits means the same in the circuit: it names
/// registers of qubits and nothing else, and it is executed once, without conditions.
void Parser::check_names_of_pragma(std::string_view text, const Token& start) const {
  if (names_.depth() != execution_.boxes) {
    source_.fail(start.text, "a pragma that acts on qubits is supported only outside of blocks");
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t begin = i;
    while (i < text.size() && is_word_character(text[i])) ++i;
    const std::string_view word = text.substr(begin, i - begin);
    if (!is_identifier(word)) continue;  // a number, with the letters that belong to it, or a sign
    const DeclaredRegister* const found = names_.find_register(word);
    if (word != "im" && (found == nullptr || !found->is_quantum || found->is_alias)) {
      source_.fail(start.text, fmt::format("the pragma names {}, expected numbers and registers of "
                                           "qubits",
                                           in_quotes(word)));
    }
  }
}

/// Parses lines such as `@static` before a box, which is kept with them.
void Parser::parse_annotations() {
  const Token start = lexer_.current();
  std::string lines;
  while (lexer_.current().text == "@") {
    lines += take_line();
    lines += '\n';
  }
  if (lexer_.current().text != "box") {
    source_.fail(start.text, "annotations ('@') are supported only before a box");
  }
  parse_box(lines);
}

}  // namespace quartz::qasm
