#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "program/program.hpp"

namespace quartz::differential {
namespace {

/// Reads a program statement by statement. It knows what the generator and the library's writer
/// write, and nothing else.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Program read() {
    while (skip_space(), position_ < text_.size()) read_item();
    return std::move(program_);
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw std::runtime_error("expected " + expected + " at '" +
                             std::string(text_.substr(position_, 40)) + "'");
  }

  void skip_space() {
    while (position_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[position_]))) {
        ++position_;
      } else if (text_.substr(position_).starts_with("//")) {
        read_comment();
      } else {
        return;
      }
    }
  }

  void read_comment() {
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    const std::string_view comment = text_.substr(position_, end - position_);
    position_ = end;
    constexpr std::string_view phase = "// global phase: ";
    if (program_.version != 2 || !comment.starts_with(phase)) return;
    Statement statement;
    statement.kind = StatementKind::phase;
    statement.angles.emplace_back(comment.substr(phase.size()));
    program_.statements.push_back(statement);
  }

  bool take(std::string_view token) {
    skip_space();
    if (!text_.substr(position_).starts_with(token)) return false;
    position_ += token.size();
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token)) fail("'" + std::string(token) + "'");
  }

  std::string word() {
    skip_space();
    const std::size_t begin = position_;
    while (position_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[position_])) || text_[position_] == '_'))
      ++position_;
    if (position_ == begin) fail("a word");
    return std::string(text_.substr(begin, position_ - begin));
  }

  bool take_word(std::string_view wanted) {
    skip_space();
    const std::size_t begin = position_;
    if (position_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[position_])) &&
        word() == wanted) {
      return true;
    }
    position_ = begin;
    return false;
  }

  std::uint64_t number() { return std::stoull(word()); }

  unsigned bracketed() {
    expect("[");
    const auto value = static_cast<unsigned>(number());
    expect("]");
    return value;
  }

  void read_item() {
    if (take_word("OPENQASM")) {
      program_.version = static_cast<unsigned>(number());
      if (take(".")) number();
      expect(";");
    } else if (take_word("include") || take_word("opaque")) {
      position_ = text_.find(';', position_) + 1;
    } else if (take_word("input")) {
      word();
      bracketed();
      program_.parameters.push_back(word());
      expect(";");
    } else if (const bool is_qreg = take_word("qreg"); is_qreg || take_word("creg")) {
      const std::string name = word();
      declare(is_qreg, {name, bracketed()});
    } else if (const bool is_qubit = take_word("qubit"); is_qubit || take_word("bit")) {
      const unsigned size = bracketed();
      declare(is_qubit, {word(), size});
    } else if (take_word("gate")) {
      read_definition();
    } else {
      read_statement({}, program_.statements);
    }
  }

  void declare(bool is_quantum, Register declared) {
    (is_quantum ? program_.qubit_registers : program_.bit_registers).push_back(std::move(declared));
    expect(";");
  }

  void read_definition() {
    const std::string name = word();
    Definition definition;
    if (take("(")) {
      while (!take(")")) {
        definition.parameters.push_back(word());
        take(",");
      }
    }
    operands_.clear();
    do {
      operands_.push_back(word());
    } while (take(","));
    definition.qubits = static_cast<unsigned>(operands_.size());
    expect("{");
    while (!take("}")) read_statement({}, definition.body);
    operands_.clear();
    program_.definitions[name] = std::move(definition);
  }

  /// Reads `body` or `{ bodies }`.
  void read_block(const std::vector<Condition>& conditions, std::vector<Statement>& into) {
    if (!take("{")) return read_statement(conditions, into);
    while (!take("}")) read_statement(conditions, into);
  }

  void read_if(std::vector<Condition> conditions, std::vector<Statement>& into) {
    expect("(");
    conditions.push_back(condition());
    expect(")");
    read_block(conditions, into);
    if (!take_word("else")) return;
    conditions.back().negated = !conditions.back().negated;
    read_block(conditions, into);
  }

  Condition condition() {
    Condition read;
    const bool is_not = take("!");
    const std::string name = word();
    const auto& registers = program_.bit_registers;
    const auto found = std::ranges::find(registers, name, &Register::name);
    if (found == registers.end()) fail("a classical register");
    read.bit_register = static_cast<unsigned>(found - registers.begin());
    skip_space();
    if (text_[position_] == '[') read.element = bracketed();
    if (take("==")) {
      read.value = number();
    } else if (take("!=")) {
      read.value = number();
      read.negated = true;
    } else {
      read.value = 1;
    }
    if (is_not) read.negated = !read.negated;
    return read;
  }

  unsigned element(const std::vector<Register>& registers) {
    const std::string name = word();
    unsigned first = 0;
    for (const Register& each : registers) {
      if (each.name == name) return first + bracketed();
      first += each.size;
    }
    fail("a register instead of '" + name + "'");
  }

  unsigned qubit() {
    if (operands_.empty()) return element(program_.qubit_registers);
    const auto found = std::ranges::find(operands_, word());
    if (found == operands_.end()) fail("an operand of the gate");
    return static_cast<unsigned>(found - operands_.begin());
  }

  void read_qubits(Statement& statement) {
    do {
      if (!read_register(statement)) statement.qubits.push_back(qubit());
    } while (take(","));
  }

  /// Reads the name of a register that means all its qubits, as in a barrier.
  bool read_register(Statement& statement) {
    const std::size_t begin = position_;
    const std::string name = word();
    skip_space();
    unsigned first = 0;
    for (const Register& each : program_.qubit_registers) {
      if (operands_.empty() && each.name == name && text_[position_] != '[') {
        for (unsigned i = 0; i < each.size; ++i) statement.qubits.push_back(first + i);
        return true;
      }
      first += each.size;
    }
    position_ = begin;
    return false;
  }

  /// Reads (angle, angle, ...), whose closing parenthesis is the one that fits.
  void read_angles(Statement& statement) {
    if (!take("(")) return;
    int depth = 1;
    std::string angle;
    for (; depth != 0; ++position_) {
      if (position_ >= text_.size()) fail("')'");
      const char c = text_[position_];
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (depth == 0 || (depth == 1 && c == ',')) {
        const std::size_t begin = angle.find_first_not_of(' ');
        statement.angles.push_back(begin == std::string::npos ? angle : angle.substr(begin));
        angle.clear();
      } else {
        angle += c;
      }
    }
  }

  /// Reads `{ bodies }` behind the beginning of a block.
  void read_body(Statement begin, std::vector<Statement>& into) {
    into.push_back(std::move(begin));
    expect("{");
    while (!take("}")) read_statement({}, into);
    into.emplace_back().kind = StatementKind::end;
  }

  /// Reads a block, or what leaves one. Returns whether it is one.
  bool read_block_statement(std::vector<Statement>& into) {
    Statement statement;
    if (take_word("while")) {
      statement.kind = StatementKind::while_loop;
      expect("(");
      statement.conditions = {condition()};
      expect(")");
    } else if (take_word("for")) {
      statement.kind = StatementKind::for_loop;
      for (const char* token : {"int", "i", "in", "[", "1", ":"}) expect(token);
      statement.count = static_cast<unsigned>(number());
      expect("]");
    } else if (take_word("box")) {
      statement.kind = StatementKind::box;
    } else if (take_word("break")) {
      statement.kind = StatementKind::leave;
      expect(";");
      into.push_back(statement);
      return true;
    } else {
      return false;
    }
    read_body(std::move(statement), into);
    return true;
  }

  void read_statement(const std::vector<Condition>& conditions, std::vector<Statement>& into) {
    if (take_word("if")) return read_if(conditions, into);
    if (read_block_statement(into)) {
      if (!conditions.empty()) fail("no block under a condition");
      return;
    }
    Statement statement;
    statement.conditions = conditions;
    if (take_word("measure")) {
      statement.kind = StatementKind::measure;
      statement.qubits.push_back(qubit());
      if (take("->")) statement.bit = element(program_.bit_registers);
    } else if (const bool is_reset = take_word("reset"); is_reset || take_word("barrier")) {
      statement.kind = is_reset ? StatementKind::reset : StatementKind::barrier;
      read_qubits(statement);
    } else if (take_word("gphase")) {
      statement.kind = StatementKind::phase;
      read_angles(statement);
    } else if (is_assignment()) {
      statement.kind = StatementKind::measure;
      statement.bit = element(program_.bit_registers);
      expect("=");
      if (!take_word("measure")) fail("'measure'");
      statement.qubits.push_back(qubit());
    } else {
      read_gate(statement);
    }
    expect(";");
    into.push_back(std::move(statement));
  }

  [[nodiscard]] bool is_assignment() {
    skip_space();
    const std::string_view rest = text_.substr(position_, text_.find(';', position_) - position_);
    return rest.find('=') != std::string_view::npos;
  }

  void read_gate(Statement& statement) {
    while (true) {
      if (take_word("inv")) {
        statement.inverted = !statement.inverted;
      } else if (take_word("ctrl")) {
        unsigned count = 1;
        if (take("(")) {
          count = static_cast<unsigned>(number());
          expect(")");
        }
        statement.controls += count;
      } else {
        break;
      }
      expect("@");
    }
    statement.name = word();
    read_angles(statement);
    if (statement.name != "gphase") read_qubits(statement);
  }

  std::string_view text_;
  std::size_t position_ = 0;
  Program program_;
  std::vector<std::string> operands_;  ///< names in the definition that is read
};

}  // namespace

Program read_program(std::string_view text) { return Reader(text).read(); }

}  // namespace quartz::differential
