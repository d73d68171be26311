// Boxes, pragmas and feedback gates, which are kept as they stand.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "qasm/gates/kept_statement.hpp"
#include "qasm/gates/library.hpp"
#include "qasm/reader/parser.hpp"
#include "qasm/text/angle_text.hpp"
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

/// Parses the feedback gates of Amazon Braket, of which the name has been consumed:
/// `measure_ff(0) q;`, a measurement whose outcome has the key 0, and `cc_prx(pi, 0, 0) q;`, a prx
/// gate if that outcome is 1. They are statements because one acts on the qubits of the other.
void Parser::parse_feedback_gate(const Token& name) {
  const bool is_measurement = name.text == "measure_ff";
  const std::size_t parameters = is_measurement ? 1 : 3;
  parse_values();
  if (scratch_.values.size() != parameters) {
    source_.fail(name.text,
                 fmt::format("gate {} takes {} parameter{}, found {}", in_quotes(name.text),
                             parameters, is_measurement ? "" : "s", scratch_.values.size()));
  }
  const Value& key = scratch_.values.back();
  if (!key.is_integer || key.angle.radian_part() < Rational(0)) {
    source_.fail(name.text, "the key of a feedback gate is an integer from 0 on");
  }
  std::vector<std::string> arguments;
  for (const Value& value : scratch_.values) {
    if (!value.angle.is_constant())
      source_.fail(name.text, "found a free parameter, expected a number");
    append_angle(arguments.emplace_back(), value.angle);
  }
  if (is_measurement) names_.feedback_keys.insert(arguments.back());
  if (!names_.feedback_keys.contains(arguments.back())) {
    source_.fail(name.text,
                 fmt::format("no 'measure_ff' before this gate has the key {}", arguments.back()));
  }
  const Operand qubits = parse_operand(true);
  lexer_.expect(TokenKind::semicolon);
  for (std::uint32_t i = 0; i < qubits.size; ++i) {
    builder_.append_statement(
        fmt::format("{}({}) {};", name.text, fmt::join(arguments, ","), qubit_name(qubits[i])), {},
        name.text);
  }
}

/// Parses lines such as `@static`. They are kept with a box or an operation, and end where any
/// other statement is read, because it is written in another form: declarations come first,
/// definitions are expanded, loops are unrolled, and conditions become those of single operations.
void Parser::parse_annotations() {
  const Token start = lexer_.current();
  std::string lines;
  while (lexer_.current().text == "@") {
    lines += take_line();
    lines += '\n';
  }
  const Token word = lexer_.current();
  switch (find_keyword(word.text, language_.number)) {
    case Keyword::box:
      return parse_box(lines);
    case Keyword::include:
    case Keyword::qubit_register:
    case Keyword::bit_register:
    case Keyword::qubit:
    case Keyword::bit:
    case Keyword::input:
    case Keyword::output:
    case Keyword::gate:
    case Keyword::opaque:
    case Keyword::subroutine:
    case Keyword::external:
    case Keyword::constant:
    case Keyword::alias:
    case Keyword::variable:
    case Keyword::array:
    case Keyword::duration:
    case Keyword::condition:
    case Keyword::loop:
    case Keyword::while_loop:
    case Keyword::selection:
    case Keyword::jump:
      return names_.depth() == 0 ? parse_statement() : parse_body_statement("an annotation");
    default:
      return parse_annotated_operation(lines, start);
  }
}

/// Parses an operation with annotations. It must not change, so it is kept as a statement.
void Parser::parse_annotated_operation(const std::string& lines, const Token& start) {
  const auto fail = [&] {
    source_.fail(start.text,
                 "annotations ('@') are supported before declarations, definitions, control flow, "
                 "boxes, and operations on registers outside of blocks");
  };
  const std::size_t first = circuit_.operations.size();
  const std::size_t registers = circuit_.bit_registers.size();
  const Angle phase = circuit_.global_phase;
  const char* const begin = lexer_.current().text.data();
  const char* end = nullptr;
  for (Lexer ahead = lexer_; end == nullptr; ahead.advance()) {
    if (ahead.at(TokenKind::end)) fail();
    if (ahead.at(TokenKind::semicolon)) end = ahead.current().text.data() + 1;
  }
  if (names_.depth() != 0 || !execution_.branches.empty() || !parse_operation()) fail();
  const std::string_view text(begin, static_cast<std::size_t>(end - begin));
  std::vector<ClassicalBit> written;
  for (std::size_t i = first; i < circuit_.operations.size(); ++i) {
    const Operation& operation = circuit_.operations[i];
    if (operation.kind == OperationKind::opaque) fail();
    if (operation.kind != OperationKind::measure || operation.classical == nullptr) continue;
    const auto& bits = operation.classical->bits;
    written.insert(written.end(), bits.begin(), bits.end());
  }
  const bool is_operation = circuit_.operations.size() > first &&
                            circuit_.bit_registers.size() == registers &&
                            circuit_.global_phase == phase;
  if (!is_operation || lexer_.current().text.data() < end) fail();
  check_names_of_annotated(text, start);
  circuit_.operations.resize(first);
  std::string line;
  std::ranges::replace_copy_if(
      text, std::back_inserter(line), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  builder_.append_statement(lines + line, written, start.text);
}

/// Fails unless the text of an annotated operation means the same in the circuit: it names
/// registers and gates of the standard file, and no values of the program.
void Parser::check_names_of_annotated(std::string_view text, const Token& start) const {
  if (text.find("//") != std::string_view::npos || text.find("/*") != std::string_view::npos) {
    source_.fail(start.text, "an operation with annotations must not contain comments");
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t begin = i;
    while (i < text.size() && is_word_character(text[i])) ++i;
    const std::string_view word = text.substr(begin, i - begin);
    if (!is_identifier(word) || is_reserved(word, language_.number)) continue;
    const DeclaredRegister* const found = names_.find_register(word);
    const bool is_register = found != nullptr && !found->is_alias;
    const Callable* const callee = names_.find_gate(word);
    const bool is_standard = callee != nullptr && callee->declared.empty() &&
                             callee->kind == Callable::Kind::table_gate &&
                             is_library_gate(callee->gate, language_.number);
    if (is_register || (found == nullptr && is_standard)) continue;
    source_.fail(start.text,
                 fmt::format("an operation with annotations names {}, expected numbers, "
                             "registers and gates of the standard file",
                             in_quotes(word)));
  }
}

}  // namespace quartz::qasm
