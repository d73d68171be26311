#include <sstream>

#include "program/program.hpp"

namespace quartz::differential {
namespace {

/// Writes one program. Operands have the names of registers, or q0, q1, ... in a definition.
class Writer {
 public:
  explicit Writer(const Program& program) : program_(program) {}

  std::string text() {
    const bool is_version_2 = program_.version == 2;
    out_ << (is_version_2 ? "OPENQASM 2.0;\ninclude \"qelib1.inc\";\n"
                          : "OPENQASM 3.0;\ninclude \"stdgates.inc\";\n");
    const std::string phase = sum_of_phases(program_);
    if (is_version_2 && !phase.empty()) out_ << "// global phase: " << phase << '\n';
    for (const std::string& name : program_.parameters) out_ << "input float[64] " << name << ";\n";
    for (const auto& [name, definition] : program_.definitions) write(name, definition);
    for (const Register& each : program_.qubit_registers) declare("qreg ", "qubit", each);
    for (const Register& each : program_.bit_registers) declare("creg ", "bit", each);
    for (const Statement& statement : program_.statements) {
      if (!is_version_2 || statement.kind != StatementKind::phase) write(statement);
    }
    return out_.str();
  }

 private:
  void declare(const char* version_2, const char* version_3, const Register& each) {
    if (program_.version == 2) {
      out_ << version_2 << each.name << '[' << each.size << "];\n";
    } else {
      out_ << version_3 << '[' << each.size << "] " << each.name << ";\n";
    }
  }

  void write(const std::string& name, const Definition& definition) {
    out_ << "gate " << name;
    const char* separator = "(";
    for (const std::string& parameter : definition.parameters) {
      out_ << separator << parameter;
      separator = ",";
    }
    if (!definition.parameters.empty()) out_ << ')';
    for (unsigned i = 0; i < definition.qubits; ++i) out_ << (i == 0 ? " q" : ",q") << i;
    out_ << " {\n";
    is_in_definition_ = true;
    for (const Statement& statement : definition.body) write(statement);
    is_in_definition_ = false;
    out_ << "}\n";
  }

  [[nodiscard]] static std::string element(const std::vector<Register>& registers,
                                           unsigned number) {
    for (const Register& each : registers) {
      if (number < each.size) return each.name + '[' + std::to_string(number) + ']';
      number -= each.size;
    }
    return "none";
  }

  [[nodiscard]] std::string operand(unsigned qubit) const {
    return is_in_definition_ ? "q" + std::to_string(qubit)
                             : element(program_.qubit_registers, qubit);
  }

  void write_condition(const char* word, const Condition& condition) {
    const Register& tested = program_.bit_registers.at(condition.bit_register);
    out_ << word << " (";
    if (condition.element) {
      const bool is_not = (condition.value == 0) != condition.negated;
      out_ << (is_not ? "!" : "") << tested.name << '[' << *condition.element << ']';
    } else {
      out_ << tested.name << (condition.negated ? " != " : "==") << condition.value;
    }
    out_ << ") ";
  }

  /// Writes the beginning or the end of a block, or what leaves one. Returns whether it is one.
  bool write_block(const Statement& statement) {
    switch (statement.kind) {
      case StatementKind::while_loop:
        write_condition("while", statement.conditions.at(0));
        out_ << "{\n";
        return true;
      case StatementKind::for_loop:
        // The range from 1 to 0 is empty.
        out_ << "for int i in [1:" << statement.count << "] {\n";
        return true;
      case StatementKind::box:
        out_ << "box {\n";
        return true;
      case StatementKind::leave:
        out_ << "break;\n";
        return true;
      case StatementKind::end:
        out_ << "}\n";
        return true;
      default:
        return false;
    }
  }

  void write_operands(const Statement& statement) {
    const char* separator = " ";
    for (const unsigned qubit : statement.qubits) {
      out_ << separator << operand(qubit);
      separator = ", ";
    }
  }

  void write_angles(const Statement& statement) {
    const char* separator = "(";
    for (const std::string& angle : statement.angles) {
      out_ << separator << angle;
      separator = ", ";
    }
    if (!statement.angles.empty()) out_ << ')';
  }

  void write_measurement(const Statement& statement) {
    const std::string qubit = operand(statement.qubits.at(0));
    if (!statement.bit) {
      out_ << "measure " << qubit;
    } else if (program_.version == 2) {
      out_ << "measure " << qubit << " -> " << element(program_.bit_registers, *statement.bit);
    } else {
      out_ << element(program_.bit_registers, *statement.bit) << " = measure " << qubit;
    }
  }

  void write(const Statement& statement) {
    if (write_block(statement)) return;
    for (const Condition& condition : statement.conditions) write_condition("if", condition);
    switch (statement.kind) {
      case StatementKind::measure:
        write_measurement(statement);
        break;
      case StatementKind::reset:
        out_ << "reset";
        write_operands(statement);
        break;
      case StatementKind::barrier:
        out_ << "barrier";
        write_operands(statement);
        break;
      case StatementKind::phase:
        out_ << "gphase";
        write_angles(statement);
        break;
      case StatementKind::gate:
        if (statement.inverted) out_ << "inv @ ";
        if (statement.controls != 0) out_ << "ctrl(" << statement.controls << ") @ ";
        out_ << statement.name;
        write_angles(statement);
        write_operands(statement);
        break;
      default:
        break;
    }
    out_ << ";\n";
  }

  const Program& program_;
  std::ostringstream out_;
  bool is_in_definition_ = false;
};

}  // namespace

std::string write_program(const Program& program) { return Writer(program).text(); }

}  // namespace quartz::differential
