// Operations: gate calls, measurements, resets, barriers, delays, the global phase.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "qasm/reader/parser.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

/// Limits for the number of remembered values and for the length of their texts, so that a file
/// with a million different angles does not fill the memory.
constexpr std::size_t max_known_values = 1U << 13U;
constexpr std::size_t max_known_text = 48;

/// Returns the text of an argument that starts at `first`, up to the ',' or ')' after it; empty if
/// it is long or contains more than plain arithmetic.
std::string_view argument_text(const char* first, const char* end_of_text) {
  const char* const limit =
      std::min(end_of_text, first + std::min<std::ptrdiff_t>(max_known_text, end_of_text - first));
  int depth = 0;
  for (const char* at = first; at != limit; ++at) {
    switch (*at) {
      case '(':
        ++depth;
        break;
      case ')':
        if (depth == 0) return {first, static_cast<std::size_t>(at - first)};
        --depth;
        break;
      case ',':
        if (depth == 0) return {first, static_cast<std::size_t>(at - first)};
        break;
      case '/':
        if (at + 1 != limit && (at[1] == '/' || at[1] == '*')) return {};  // a comment
        break;
      case '\n':
      case ';':
        return {};
      default:
        break;
    }
  }
  return {};
}

}  // namespace

bool Parser::parse_operation() {
  const Token word = lexer_.current();
  if (word.kind != TokenKind::identifier) return false;
  const bool is_subroutine = !names_.subroutines.empty() && names_.subroutines.contains(word.text);
  if (const Callable* callee = is_subroutine ? nullptr : names_.find_gate(word.text)) {
    lexer_.advance();
    if (language_.number >= 3 && at_assignment()) {
      parse_assignment(word);
    } else {
      parse_call({}, word, *callee);
    }
    return true;
  }
  switch (find_keyword(word.text, language_.number)) {
    case Keyword::measure:
      parse_measure();
      return true;
    case Keyword::reset:
      parse_reset();
      return true;
    case Keyword::barrier:
      parse_barrier();
      return true;
    case Keyword::delay:
      parse_delay();
      return true;
    case Keyword::no_operation:
      parse_no_operation();
      return true;
    case Keyword::global_phase:
      parse_global_phase();
      return true;
    case Keyword::modifier:
      parse_modified_call();
      return true;
    case Keyword::none:
      if (language_.number < 3 && !is_classical_register(word.text)) return false;
      lexer_.advance();
      if (is_subroutine) {
        (void)call_subroutine(word);
        lexer_.expect(TokenKind::semicolon);
        return true;
      }
      if (names_.externs.contains(word.text)) {
        builder_.append_statement(parse_extern_call(word) + ";", {}, word.text);
        lexer_.expect(TokenKind::semicolon);
        return true;
      }
      if (word.text == "measure_ff" || word.text == "cc_prx") {
        parse_feedback_gate(word);
        return true;
      }
      if (!at_assignment()) fail_unknown_gate(word);
      if (language_.number < 3) language_.extension = word.text;
      parse_assignment(word);
      return true;
    default:
      return false;
  }
}

// --- gate calls ---

void Parser::parse_call(std::span<const Modifier> modifiers, const Token& name,
                        const Callable& callee) {
  note_use(callee, name);
  parse_values(callee.in_turns, !callee.in_turns);
  scratch_.operands.clear();
  if (callee.qubits != 0 || !lexer_.at(TokenKind::semicolon)) {
    do {
      scratch_.operands.push_back(parse_operand(true));
    } while (lexer_.accept(TokenKind::comma));
  }
  check_counts(name, callee, scratch_.values.size(), scratch_.operands.size(), modifiers);
  lexer_.expect(TokenKind::semicolon);
  const std::size_t first = circuit_.operations.size();
  const bool is_measured = std::ranges::any_of(
      scratch_.values, [](const Value& each) { return each.measured != nullptr; });
  if (is_measured) {
    append_measured_call(modifiers, name, callee);
  } else {
    append_broadcast(modifiers, name, callee);
  }
  if (gate_uses_.has_modifiers()) note_uses_from(first, name);
}

void Parser::parse_values(bool in_turns, bool may_be_measured) {
  scratch_.values.clear();
  if (!lexer_.accept(TokenKind::left_parenthesis)) return;
  if (lexer_.accept(TokenKind::right_parenthesis)) return;
  do {
    scratch_.values.push_back(parse_value(in_turns, may_be_measured));
  } while (lexer_.accept(TokenKind::comma));
  lexer_.expect(TokenKind::right_parenthesis);
}

Value Parser::parse_value(bool in_turns, bool may_be_measured) {
  auto& known_values = in_turns ? known_values_.turns : known_values_.radians;
  const std::string_view text = is_plain_program()
                                    ? argument_text(lexer_.current().text.data(), lexer_.text_end())
                                    : std::string_view();
  if (!text.empty()) {
    if (const auto known = known_values.find(text); known != known_values.end()) {
      lexer_.skip_to(text.data() + text.size());
      return known->second;
    }
  }
  const std::string_view place = lexer_.current().text;
  const std::size_t calls = execution_.calls_so_far;
  parse_expression_in(scope_, scratch_.expression);
  if (in_turns) scratch_.expression.turns_to_radians(place);
  Value value = scratch_.expression.evaluate({}, source_);
  if (value.angle_sign != 0 && may_be_measured) return value;
  check_not_measured(value, place);
  const bool is_whole_argument = lexer_.current().text.data() == text.data() + text.size();
  const bool is_repeatable = is_whole_argument && execution_.calls_so_far == calls;
  if (!text.empty() && is_repeatable && known_values.size() < max_known_values) {
    known_values.emplace(text, value);
  }
  return value;
}

std::uint32_t Parser::broadcast_size() const {
  const Operand* first_register = nullptr;
  for (const Operand& operand : scratch_.operands) {
    if (!operand.is_whole) continue;
    if (first_register == nullptr) {
      first_register = &operand;
    } else if (operand.size != first_register->size) {
      source_.fail(operand.place,
                   fmt::format("registers of one gate must have one size: {} has {}, {} has {}",
                               in_quotes(first_register->place), first_register->size,
                               in_quotes(operand.place), operand.size));
    }
  }
  return first_register == nullptr ? 1 : first_register->size;
}

void Parser::append_broadcast(std::span<const Modifier> modifiers, const Token& name,
                              const Callable& callee) {
  const std::uint32_t repetitions = broadcast_size();
  scratch_.qubits.resize(scratch_.operands.size());
  for (std::uint32_t i = 0; i < repetitions; ++i) {
    for (std::size_t k = 0; k < scratch_.operands.size(); ++k) {
      scratch_.qubits[k] = scratch_.operands[k][scratch_.operands[k].is_whole ? i : 0];
    }
    check_distinct(scratch_.qubits, name.text, name.text);
    if (modifiers.empty()) {
      builder_.append_call(callee, scratch_.values, scratch_.qubits, name.text);
    } else {
      builder_.append_modified_call(modifiers, callee, scratch_.values, scratch_.qubits, name.text);
    }
  }
}

void Parser::check_distinct(std::span<const Qubit> qubits, std::string_view gate,
                            std::string_view place) const {
  if (qubits.size() < 2) return;
  if (qubits.size() == 2 && qubits[0] != qubits[1]) return;
  boost::container::small_vector<Qubit, 8> sorted(qubits.begin(), qubits.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    source_.fail(place, fmt::format("qubit {} is used twice in one {}",
                                    in_quotes(qubit_name(*twice)), in_quotes(gate)));
  }
}

std::string Parser::qubit_name(Qubit qubit) const {
  if (physical_qubits_.used) return fmt::format("${}", qubit);
  for (const Register& candidate : circuit_.qubit_registers) {
    if (qubit - candidate.first < candidate.size) {
      return fmt::format("{}[{}]", candidate.name, qubit - candidate.first);
    }
  }
  throw InternalError("a qubit belongs to a register");
}

// --- operations other than gates ---

void Parser::parse_measure() {
  const Token word = lexer_.take();
  const Operand qubits = parse_operand(true);
  if (language_.number >= 3 && lexer_.accept(TokenKind::semicolon)) {
    for (std::uint32_t i = 0; i < qubits.size; ++i) {
      builder_.append_measure(qubits[i], std::nullopt, word.text);
    }
    return;
  }
  lexer_.expect(TokenKind::arrow);
  const Operand bits = parse_operand(false);
  lexer_.expect(TokenKind::semicolon);
  append_measure(qubits, bits, word.text);
}

/// Parses `measure q[0];`; the current token is `measure`.
void Parser::parse_measured_value(const Operand& target) {
  const Token word = lexer_.take();
  const Operand qubits = parse_operand(true);
  lexer_.expect(TokenKind::semicolon);
  append_measure(qubits, target, word.text);
}

void Parser::append_measure(const Operand& qubits, const Operand& bits, std::string_view place) {
  if (qubits.size != bits.size) {
    source_.fail(place,
                 fmt::format("cannot measure {} qubit{} into {} bit{}", qubits.size,
                             qubits.size == 1 ? "" : "s", bits.size, bits.size == 1 ? "" : "s"));
  }
  for (std::uint32_t i = 0; i < qubits.size; ++i) {
    builder_.append_measure(qubits[i], bits[i], place);
    forget_bit(bits[i], place);
  }
}

void Parser::parse_reset() {
  const Token word = lexer_.take();
  const Operand qubits = parse_operand(true);
  lexer_.expect(TokenKind::semicolon);
  for (std::uint32_t i = 0; i < qubits.size; ++i) {
    builder_.append_reset(qubits[i], word.text);
  }
}

/// Parses one barrier over all operands.
void Parser::parse_barrier() {
  const Token word = lexer_.take();
  if (language_.number >= 3 && lexer_.at(TokenKind::semicolon) && circuit_.qubit_count() == 0) {
    source_.fail(word.text, "a barrier needs a qubit");
  }
  parse_qubit_set();
  builder_.append_barrier(scratch_.qubits, word.text);
}

/// Parses `delay[100ns] q;`. Its effect is unknown, so it keeps its position.
void Parser::parse_delay() {
  const Token word = lexer_.take();
  lexer_.expect(TokenKind::left_bracket);
  const std::string duration = parse_length_of_time();
  lexer_.expect(TokenKind::right_bracket);
  const bool waits = !lexer_.at(TokenKind::semicolon) || circuit_.qubit_count() != 0;
  if (!waits) lexer_.fail_expecting("the qubits to wait");
  parse_qubit_set();
  builder_.append_delay(duration, scratch_.qubits, word.text);
}

/// Parses `nop q;`, by which a box takes as long on qubits that it does not use otherwise.
void Parser::parse_no_operation() {
  const Token word = lexer_.take();
  if (lexer_.at(TokenKind::semicolon)) lexer_.fail_expecting("the qubits of the box");
  parse_qubit_set();
  builder_.append_no_operation(scratch_.qubits, word.text);
}

/// Parses `gphase(angle);`. PennyLane also names qubits, which makes no difference.
void Parser::parse_global_phase() {
  const Token word = lexer_.take();
  parse_values();
  if (scratch_.values.size() != 1) {
    source_.fail(word.text,
                 fmt::format("gate 'gphase' takes 1 parameter, found {}", scratch_.values.size()));
  }
  const Angle phase = scratch_.values.front().angle;
  if (!lexer_.at(TokenKind::semicolon)) {
    do {
      (void)parse_operand(true);
    } while (lexer_.accept(TokenKind::comma));
  }
  lexer_.expect(TokenKind::semicolon);
  builder_.append_global_phase(phase, word.text);
}

}  // namespace quartz::qasm
