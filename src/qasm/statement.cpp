// Operations: gate calls, measurements, resets, barriers, conditions, the global phase.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "qasm/parser.hpp"
#include "quartz/errors.hpp"

namespace quartz::qasm {
namespace {

/// Values of at most this many texts of at most this length are remembered: a file of a million
/// different angles must not fill the memory with them.
constexpr std::size_t most_known_values = 1U << 13U;
constexpr std::size_t longest_known_text = 48;

/// The text of an argument that starts at `first`, up to the ',' or ')' behind it; empty where it
/// is long or holds more than plain arithmetic.
std::string_view argument_text(const char* first, const char* end_of_text) {
  const char* const limit = std::min(
      end_of_text, first + std::min<std::ptrdiff_t>(longest_known_text, end_of_text - first));
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
  if (const Callable* callee = find_callable(word.text)) {
    lexer_.advance();
    if (version_ >= 3 && (lexer_.at(TokenKind::assign) || lexer_.at(TokenKind::left_bracket))) {
      parse_measure_assignment(word);
    } else {
      parse_call(word, *callee);
    }
    return true;
  }
  switch (find_keyword(word.text, version_)) {
    case Keyword::measure:
      parse_measure();
      return true;
    case Keyword::reset:
      parse_reset();
      return true;
    case Keyword::barrier:
      parse_barrier();
      return true;
    case Keyword::global_phase:
      parse_global_phase();
      return true;
    case Keyword::none:
      if (version_ < 3) return false;
      lexer_.advance();
      if (!lexer_.at(TokenKind::assign) && !lexer_.at(TokenKind::left_bracket)) {
        fail_unknown_gate(word);
      }
      parse_measure_assignment(word);
      return true;
    default:
      return false;
  }
}

// --- gate calls ---

void Parser::parse_call(const Token& name, const Callable& callee) {
  note_use(callee, name);
  parse_values();
  operands_.clear();
  do {
    operands_.push_back(parse_operand(true));
  } while (lexer_.accept(TokenKind::comma));
  check_counts(name, callee, values_.size(), operands_.size());
  lexer_.expect(TokenKind::semicolon);
  append_broadcast(name, callee);
}

void Parser::parse_values() {
  values_.clear();
  if (!lexer_.accept(TokenKind::left_parenthesis)) return;
  if (lexer_.accept(TokenKind::right_parenthesis)) return;
  do {
    values_.push_back(parse_value());
  } while (lexer_.accept(TokenKind::comma));
  lexer_.expect(TokenKind::right_parenthesis);
}

Value Parser::parse_value() {
  const std::string_view text = argument_text(lexer_.current().text.data(), lexer_.text_end());
  if (!text.empty()) {
    if (const auto known = known_values_.find(text); known != known_values_.end()) {
      lexer_.skip_to(text.data() + text.size());
      return known->second;
    }
  }
  parse_expression(lexer_, scope_, expression_);
  Value value = expression_.evaluate({}, source_);
  const bool is_whole_argument = lexer_.current().text.data() == text.data() + text.size();
  if (!text.empty() && is_whole_argument && known_values_.size() < most_known_values) {
    known_values_.emplace(text, value);
  }
  return value;
}

std::uint32_t Parser::broadcast_size() const {
  const Operand* first_register = nullptr;
  for (const Operand& operand : operands_) {
    if (!operand.is_whole) continue;
    if (first_register == nullptr) {
      first_register = &operand;
    } else if (operand.size != first_register->size) {
      source_.fail(operand.place,
                   fmt::format("registers of one gate must have one size: {} has {}, {} has {}",
                               quoted(first_register->place), first_register->size,
                               quoted(operand.place), operand.size));
    }
  }
  return first_register == nullptr ? 1 : first_register->size;
}

void Parser::append_broadcast(const Token& name, const Callable& callee) {
  const std::uint32_t repetitions = broadcast_size();
  qubits_.resize(operands_.size());
  for (std::uint32_t i = 0; i < repetitions; ++i) {
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      qubits_[k] = operands_[k].first + (operands_[k].is_whole ? i : 0);
    }
    check_distinct(qubits_, name.text, name.text);
    builder_.append_call(callee, values_, qubits_, name.text);
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
    source_.fail(place, fmt::format("qubit {} is used twice in one {}", quoted(qubit_name(*twice)),
                                    quoted(gate)));
  }
}

std::string Parser::qubit_name(Qubit qubit) const {
  for (const Register& candidate : circuit_.qubit_registers) {
    if (qubit - candidate.first < candidate.size) {
      return fmt::format("{}[{}]", candidate.name, qubit - candidate.first);
    }
  }
  throw InternalError("a qubit belongs to a register");
}

// --- operands ---

const Parser::DeclaredRegister& Parser::find_register(const Token& name, bool is_quantum) const {
  const auto found = registers_.find(name.text);
  if (found == registers_.end()) {
    std::vector<std::string_view> names;
    for (const auto& [known, declared] : registers_) {
      if (declared.is_quantum == is_quantum) names.push_back(known);
    }
    const std::string_view nearest = nearest_name(name.text, names);
    source_.fail(name.text,
                 fmt::format("unknown register {}{}", quoted(name.text),
                             nearest.empty() ? std::string()
                                             : fmt::format("; did you mean {}?", quoted(nearest))));
  }
  if (found->second.is_quantum != is_quantum) {
    source_.fail(name.text, fmt::format("found the {} register {}, expected a {} one",
                                        is_quantum ? "classical" : "quantum", quoted(name.text),
                                        is_quantum ? "quantum" : "classical"));
  }
  return found->second;
}

const Register& Parser::register_of(const DeclaredRegister& declared) const {
  return (declared.is_quantum ? circuit_.qubit_registers : circuit_.bit_registers)[declared.index];
}

Parser::Operand Parser::parse_operand(bool is_quantum) {
  if (version_ >= 3 && lexer_.current().text == "$") {
    source_.fail(lexer_.current().text, "physical qubits ('$0') are not supported yet");
  }
  const Token name = lexer_.expect(TokenKind::identifier);
  return parse_operand(name, is_quantum);
}

Parser::Operand Parser::parse_operand(const Token& name, bool is_quantum) {
  const DeclaredRegister& declared = find_register(name, is_quantum);
  const Register& target = register_of(declared);
  if (!lexer_.accept(TokenKind::left_bracket)) {
    return {target.first, target.size, !declared.is_scalar, name.text};
  }
  const bool from_the_end = version_ >= 3 && lexer_.accept(TokenKind::minus);
  const Token index = lexer_.expect(TokenKind::integer);
  std::uint64_t element = 0;
  const auto [end, error] =
      std::from_chars(index.text.data(), index.text.data() + index.text.size(), element);
  const bool in_range =
      error == std::errc() &&
      (from_the_end ? element >= 1 && element <= target.size : element < target.size);
  if (!in_range) {
    source_.fail(index.text,
                 fmt::format("index {}{} is out of range: register {} has {} {}{}",
                             from_the_end ? "-" : "", index.text, quoted(name.text), target.size,
                             is_quantum ? "qubit" : "bit", target.size == 1 ? "" : "s"));
  }
  if (version_ >= 3 && (lexer_.current().text == ":" || lexer_.at(TokenKind::comma))) {
    source_.fail(lexer_.current().text, "slices and lists of indices are not supported yet");
  }
  lexer_.expect(TokenKind::right_bracket);
  const auto offset = static_cast<std::uint32_t>(from_the_end ? target.size - element : element);
  return {target.first + offset, 1, false, name.text};
}

// --- everything that is no gate ---

void Parser::parse_measure() {
  const Token word = lexer_.take();
  const Operand qubits = parse_operand(true);
  if (version_ >= 3 && lexer_.at(TokenKind::semicolon)) {
    source_.fail(word.text, "a measurement without a bit for its result is not supported");
  }
  lexer_.expect(TokenKind::arrow);
  const Operand bits = parse_operand(false);
  lexer_.expect(TokenKind::semicolon);
  append_measure(qubits, bits, word.text);
}

/// `c[0] = measure q[0];`, the target's name being consumed.
void Parser::parse_measure_assignment(const Token& target) {
  const Operand bits = parse_operand(target, false);
  lexer_.expect(TokenKind::assign);
  if (lexer_.current().text != "measure") {
    source_.fail(lexer_.current().text,
                 fmt::format("found {}, expected 'measure': other assignments are not supported",
                             describe(lexer_.current())));
  }
  parse_measured_value(bits);
}

/// `measure q[0];` with the current token at `measure`.
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
    builder_.append_measure(qubits.first + i, bits.first + i, place);
  }
}

void Parser::parse_reset() {
  const Token word = lexer_.take();
  const Operand qubits = parse_operand(true);
  lexer_.expect(TokenKind::semicolon);
  for (std::uint32_t i = 0; i < qubits.size; ++i) {
    builder_.append_reset(qubits.first + i, word.text);
  }
}

/// One barrier over all operands. A qubit named twice counts once; without operands (OpenQASM 3) it
/// is over all qubits.
void Parser::parse_barrier() {
  const Token word = lexer_.take();
  qubits_.clear();
  std::size_t operands = 0;
  const auto add = [&](const Operand& operand) {
    ++operands;
    for (std::uint32_t i = 0; i < operand.size; ++i) qubits_.push_back(operand.first + i);
  };
  if (version_ >= 3 && lexer_.at(TokenKind::semicolon)) {
    if (circuit_.qubit_count() == 0) source_.fail(word.text, "a barrier needs a qubit");
    add({0, circuit_.qubit_count(), true, word.text});
  } else {
    do {
      add(parse_operand(true));
    } while (lexer_.accept(TokenKind::comma));
  }
  lexer_.expect(TokenKind::semicolon);

  std::vector<Qubit> sorted;
  if (operands > 1) sorted = qubits_;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    std::vector<bool> seen(circuit_.qubit_count());
    std::erase_if(qubits_, [&](Qubit qubit) {
      const bool again = seen[qubit];
      seen[qubit] = true;
      return again;
    });
  }
  builder_.append_barrier(qubits_, word.text);
}

/// `gphase(angle);`. PennyLane names qubits as well, which changes nothing.
void Parser::parse_global_phase() {
  const Token word = lexer_.take();
  parse_values();
  if (values_.size() != 1) {
    source_.fail(word.text,
                 fmt::format("gate 'gphase' takes 1 parameter, found {}", values_.size()));
  }
  const Angle phase = values_.front().angle;
  if (!lexer_.at(TokenKind::semicolon)) {
    do {
      (void)parse_operand(true);
    } while (lexer_.accept(TokenKind::comma));
  }
  lexer_.expect(TokenKind::semicolon);
  builder_.append_global_phase(phase, word.text);
}

// --- conditions ---

/// `if (c == 1) operation`, in OpenQASM 3 also with a block and, for a single bit, with an else.
void Parser::parse_conditional() {
  const Token word = lexer_.take();
  const Condition condition = parse_condition();
  builder_.begin_condition(condition, word.text);
  parse_conditional_body();
  const bool is_stale = builder_.condition_is_stale();
  builder_.end_condition();
  if (version_ < 3 || lexer_.current().text != "else") return;

  const Token other = lexer_.take();
  if (circuit_.bit_registers[condition.bit_register].size != 1 || condition.value > 1) {
    source_.fail(other.text, "'else' is supported for a condition on a single bit only");
  }
  if (is_stale) {
    source_.fail(other.text, "a measurement before this 'else' changes the bit that it depends on");
  }
  builder_.begin_condition({condition.bit_register, 1 - condition.value}, other.text);
  parse_conditional_body();
  builder_.end_condition();
}

Condition Parser::parse_condition() {
  lexer_.expect(TokenKind::left_parenthesis);
  const bool is_negated = version_ >= 3 && lexer_.accept(TokenKind::exclamation);
  const Token name = lexer_.expect(TokenKind::identifier);
  const DeclaredRegister& declared = find_register(name, false);
  const std::uint32_t size = register_of(declared).size;
  if (lexer_.at(TokenKind::left_bracket)) {
    const std::string_view place = lexer_.current().text;
    (void)parse_operand(name, false);
    if (size != 1) {
      source_.fail(place, fmt::format("a condition on one bit of {}, which has {}, is not "
                                      "supported: expected a whole register",
                                      quoted(name.text), size));
    }
  }
  Condition condition{declared.index, is_negated ? 0U : 1U};
  if (lexer_.at(TokenKind::equal) && !is_negated) {
    lexer_.advance();
    const Token value = lexer_.current();
    if (version_ >= 3 && (value.text == "true" || value.text == "false")) {
      condition.value = value.text == "true" ? 1 : 0;
      lexer_.advance();
    } else {
      lexer_.expect(TokenKind::integer);
      const auto [end, error] = std::from_chars(
          value.text.data(), value.text.data() + value.text.size(), condition.value);
      if (error != std::errc()) {
        source_.fail(value.text,
                     fmt::format("the value {} does not fit 64 bits", quoted(value.text)));
      }
    }
  } else if (version_ < 3 || (size != 1 && !is_negated)) {
    lexer_.fail_expecting("'==': a condition compares a register with an integer");
  }
  if (!lexer_.at(TokenKind::right_parenthesis)) {
    lexer_.fail_expecting("')': a condition compares a register with an integer");
  }
  lexer_.advance();
  return condition;
}

void Parser::parse_conditional_body() {
  const auto parse_one = [&] {
    if (parse_operation()) return;
    const Token word = lexer_.current();
    const Keyword keyword =
        word.kind == TokenKind::identifier ? find_keyword(word.text, version_) : Keyword::none;
    if (word.kind == TokenKind::identifier &&
        (keyword == Keyword::none || keyword == Keyword::unsupported)) {
      fail_unknown_statement(word);
    }
    if (keyword == Keyword::condition) {
      source_.fail(word.text, "a condition within a condition is not supported");
    }
    lexer_.fail_expecting("an operation under the condition");
  };
  if (version_ < 3 || !lexer_.at(TokenKind::left_brace)) return parse_one();
  const Token brace = lexer_.take();
  while (!lexer_.accept(TokenKind::right_brace)) {
    if (lexer_.at(TokenKind::end))
      source_.fail(brace.text, "the block that starts here has no '}'");
    parse_one();
  }
}

}  // namespace quartz::qasm
