#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "qasm/angle_text.hpp"
#include "qasm/declared_gates.hpp"
#include "qasm/delay.hpp"
#include "qasm/header.hpp"
#include "qasm/if_statement.hpp"
#include "qasm/library.hpp"
#include "qasm/names.hpp"
#include "quartz/errors.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::qasm {
namespace {

constexpr std::size_t most_known_angles = 1U << 12U;

void append_integer(std::string& text, std::uint64_t value) {
  std::array<char, 24> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), end);
}

/// Writes one circuit. What the file format cannot say (a name that is no name, a free parameter in
/// version 2) is a UsageError: parse_qasm never makes such a circuit.
class Writer {
 public:
  explicit Writer(const Circuit& circuit) : circuit_(circuit), version_(circuit.qasm_version) {}

  std::string write() {
    if (version_ != 2 && version_ != 3) {
      throw UsageError(fmt::format("cannot write OpenQASM version {}, only 2 and 3", version_));
    }
    check_registers();
    const DeclaredGates gates = find_declared_gates(circuit_, version_);
    text_.reserve(circuit_.operations.size() * 24 + 256);
    write_header();
    write_parameters();
    for (const GateKind kind : gates.defined) write_definition(kind);
    for (const OpaqueGate& gate : gates.opaque) write_opaque_declaration(gate);
    write_registers();
    if (version_ >= 3 && !circuit_.global_phase.is_zero()) {
      text_ += "gphase(";
      write_angle(circuit_.global_phase);
      text_ += ");\n";
    }
    write_operations();
    return std::move(text_);
  }

 private:
  // --- checks ---

  void check_name(const std::string& name) {
    if (!is_identifier(name) || (version_ >= 3 && is_reserved(name, version_))) {
      throw UsageError(fmt::format("cannot write the name '{}' in OpenQASM {}", name, version_));
    }
    if (!names_.insert(name).second) {
      throw UsageError(fmt::format("cannot write a circuit with two things named '{}'", name));
    }
  }

  [[nodiscard]] bool has_physical_qubits() const {
    return !circuit_.qubit_registers.empty() &&
           circuit_.qubit_registers[0].name == physical_register;
  }

  void check_physical_qubits() const {
    if (version_ < 3) throw UsageError("OpenQASM 2 has no physical qubits: write version 3");
    if (circuit_.qubit_registers.size() != 1) {
      throw UsageError("cannot write physical qubits beside a register");
    }
  }

  void check_registers() {
    for (const auto* registers : {&circuit_.qubit_registers, &circuit_.bit_registers}) {
      std::uint32_t first = 0;
      for (const Register& each : *registers) {
        if (has_physical_qubits() && registers == &circuit_.qubit_registers) {
          check_physical_qubits();
        } else {
          check_name(each.name);
        }
        if (each.first != first || each.size == 0) {
          throw UsageError(
              fmt::format("the registers of the circuit do not follow one another: "
                          "'{}' starts at {}, expected {}",
                          each.name, each.first, first));
        }
        first += each.size;
      }
    }
    if (version_ < 3 && !circuit_.parameters.empty()) {
      throw UsageError(
          fmt::format("OpenQASM 2 has no free parameters, such as '{}': write version 3",
                      circuit_.parameters.front()));
    }
    for (const std::string& parameter : circuit_.parameters) {
      check_name(parameter);
      parameters_.insert(parameter);
    }
  }

  // --- declarations ---

  void write_header() {
    for (const std::string& line : circuit_.header_comments) {
      if (line.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos) {
        throw UsageError("cannot write a header comment that is no single line");
      }
      text_ += line.empty() ? "//" : "// ";
      text_ += line;
      text_ += "\n";
    }
    text_ += version_ >= 3 ? "OPENQASM 3.0;\ninclude \"stdgates.inc\";\n"
                           : "OPENQASM 2.0;\ninclude \"qelib1.inc\";\n";
    if (has_physical_qubits()) {
      text_ += fmt::format("{}{}\n", physical_qubits_comment, circuit_.qubit_count());
    }
    if (version_ < 3 && !circuit_.global_phase.is_zero()) {
      text_ += global_phase_comment;
      write_angle(circuit_.global_phase);
      text_ += "\n";
    }
  }

  void write_parameters() {
    for (const std::string& name : circuit_.parameters) {
      text_ += fmt::format("input float[64] {};\n", name);
    }
  }

  /// Formal parameters are in the order of their names, for Qiskit's OpenQASM 3 importer (up
  /// to 2.6) sorts them by name.
  static std::string formal_parameter(std::size_t i) { return fmt::format("p{}", i); }

  static Operation formal_call(const Gate& row) {
    Operation call;
    call.gate = row.kind;
    for (Qubit i = 0; i < row.qubits; ++i) call.qubits.push_back(i);
    for (std::size_t i = 0; i < row.parameters.size(); ++i) {
      call.angles.push_back(Angle::symbol(formal_parameter(i)));
    }
    return call;
  }

  /// is_written_definition knows what this writes.
  void write_definition(GateKind kind) {
    const Gate& row = gate(kind);
    text_ += fmt::format("gate {}", written_name(kind, version_));
    write_list(
        "(", row.parameters.size(), [&](std::size_t i) { text_ += formal_parameter(i); }, ")");
    write_list(
        " ", row.qubits, [&](std::size_t i) { write_formal_qubit(i); }, "");
    text_ += " { ";
    const Decomposition body = instantiate(definition_of(kind), formal_call(row));
    if (version_ >= 3 && !body.phase.is_zero()) {
      text_ += "gphase(";
      append_angle(text_, body.phase);
      text_ += "); ";
    }
    for (const Operation& step : body.operations) {
      text_ += written_name(step.gate, version_);
      write_list(
          "(", step.angles.size(), [&](std::size_t i) { append_angle(text_, step.angles[i]); },
          ")");
      write_list(
          " ", step.qubits.size(), [&](std::size_t i) { write_formal_qubit(step.qubits[i]); },
          "; ");
    }
    text_ += "}\n";
  }

  void write_opaque_declaration(const OpaqueGate& gate) {
    text_ += fmt::format("opaque {}", gate.name);
    write_list(
        "(", gate.parameters, [&](std::size_t i) { text_ += formal_parameter(i); }, ")");
    write_list(
        " ", gate.qubits, [&](std::size_t i) { write_formal_qubit(i); }, ";\n");
  }

  void write_registers() {
    for (const Register& each : circuit_.qubit_registers) {
      if (has_physical_qubits()) break;
      text_ += version_ >= 3 ? fmt::format("qubit[{}] {};\n", each.size, each.name)
                             : fmt::format("qreg {}[{}];\n", each.name, each.size);
    }
    for (const Register& each : circuit_.bit_registers) {
      text_ += version_ >= 3 ? fmt::format("bit[{}] {};\n", each.size, each.name)
                             : fmt::format("creg {}[{}];\n", each.name, each.size);
    }
  }

  // --- operations ---

  void write_operations() {
    const std::span<const Operation> operations = circuit_.operations;
    for (std::size_t i = 0; i < operations.size();) {
      const Condition* const condition = condition_of(operations[i]);
      if (condition != nullptr && version_ >= 3) {
        const IfStatement statement = first_if_statement(circuit_, operations.subspan(i));
        write_if_statement(statement);
        i += statement.body.size() + statement.otherwise.size();
        continue;
      }
      if (condition != nullptr) write_condition(*condition);
      write_operation(operations[i]);
      text_ += "\n";
      ++i;
    }
  }

  void write_if_statement(const IfStatement& statement) {
    text_ += fmt::format("if ({}) ", condition_text(statement.condition));
    if (statement.body.size() == 1 && statement.otherwise.empty()) {
      text_ += "{ ";
      write_operation(statement.body[0]);
      text_ += " }\n";
      return;
    }
    write_block(statement.body);
    if (!statement.otherwise.empty()) {
      text_ += " else ";
      write_block(statement.otherwise);
    }
    text_ += "\n";
  }

  void write_block(std::span<const Operation> operations) {
    text_ += "{\n";
    for (const Operation& operation : operations) {
      text_ += "  ";
      write_operation(operation);
      text_ += "\n";
    }
    text_ += "}";
  }

  /// A single bit stands by itself, as Qiskit's importer wants it.
  [[nodiscard]] std::string condition_text(const Condition& condition) const {
    const std::string& name = circuit_.bit_registers[condition.bit_register].name;
    if (!condition.element) return fmt::format("{} == {}", name, condition.value);
    if (condition.value > 1) {
      return fmt::format("{}[{}] == {}", name, *condition.element, condition.value);
    }
    return fmt::format("{}{}[{}]", condition.value == 0 ? "!" : "", name, *condition.element);
  }

  /// With its semicolon, without its condition.
  void write_operation(const Operation& operation) {
    switch (operation.kind) {
      case OperationKind::gate:
        text_ += written_name(operation.gate, version_);
        write_arguments(operation);
        break;
      case OperationKind::opaque:
        write_opaque(operation);
        break;
      case OperationKind::measure:
        write_measure(operation);
        break;
      case OperationKind::reset:
        text_ += "reset ";
        write_qubit(operation.qubits.front());
        break;
      case OperationKind::barrier:
        text_ += "barrier ";
        write_qubit_set(operation);
        break;
    }
    text_ += ";";
  }

  void write_opaque(const Operation& operation) {
    const std::string& name = operation.classical->opaque_name;
    if (is_delay(name) && version_ < 3) {
      throw UsageError(fmt::format("OpenQASM 2 cannot say '{}': write version 3", name));
    }
    text_ += name;
    if (!is_delay(name)) return write_arguments(operation);
    text_ += " ";
    write_qubit_set(operation);
  }

  /// In version 2.
  void write_condition(const Condition& condition) {
    const std::string name = tested_bits(circuit_, condition).name;
    if (condition.element || condition.negated) {
      throw UsageError(
          fmt::format("OpenQASM 2 cannot say a condition on one bit of the register "
                      "'{}', or on all but one of its values: write version 3",
                      name));
    }
    text_ += fmt::format("if({}=={}) ", name, condition.value);
  }

  void write_measure(const Operation& operation) {
    if (operation.classical == nullptr || operation.classical->bits.size() != 1 ||
        operation.qubits.size() != 1) {
      throw UsageError("a measurement takes one qubit and one bit");
    }
    const ClassicalBit bit = operation.classical->bits.front();
    if (version_ >= 3) {
      write_element(circuit_.bit_registers, bit);
      text_ += " = measure ";
      write_qubit(operation.qubits.front());
    } else {
      text_ += "measure ";
      write_qubit(operation.qubits.front());
      text_ += " -> ";
      write_element(circuit_.bit_registers, bit);
    }
  }

  /// Whole registers by name: a barrier over all of 10^5 qubits stays one short line.
  void write_qubit_set(const Operation& operation) {
    const std::span<const Qubit> qubits(operation.qubits.data(), operation.qubits.size());
    if (qubits.empty()) throw UsageError("a barrier and a delay need a qubit");
    for (std::size_t i = 0; i < qubits.size();) {
      if (i != 0) text_ += ",";
      const Register& in = register_of(circuit_.qubit_registers, qubits[i]);
      if (!has_physical_qubits() && is_whole_register(qubits.subspan(i), in)) {
        text_ += in.name;
        i += in.size;
      } else {
        write_qubit(qubits[i]);
        ++i;
      }
    }
  }

  static bool is_whole_register(std::span<const Qubit> qubits, const Register& whole) {
    if (qubits.size() < whole.size) return false;
    for (std::uint32_t i = 0; i < whole.size; ++i) {
      if (qubits[i] != whole.first + i) return false;
    }
    return true;
  }

  void write_arguments(const Operation& operation) {
    write_list(
        "(", operation.angles.size(), [&](std::size_t i) { write_angle(operation.angles[i]); },
        ")");
    write_list(
        " ", operation.qubits.size(), [&](std::size_t i) { write_qubit(operation.qubits[i]); }, "");
  }

  void write_angle(const Angle& angle) {
    if (!angle.terms().empty()) check_symbols(angle);
    if (angle.is_pi_multiple()) {
      append_angle(text_, angle);
      return;
    }
    const auto known = known_angles_.find(angle);
    if (known != known_angles_.end()) {
      text_ += known->second;
      return;
    }
    const std::size_t start = text_.size();
    append_angle(text_, angle);
    if (known_angles_.size() < most_known_angles) known_angles_.emplace(angle, text_.substr(start));
  }

  void check_symbols(const Angle& angle) const {
    for (const std::string& symbol : angle.symbols()) {
      if (!parameters_.contains(symbol)) {
        throw UsageError(fmt::format("the free parameter '{}' is used but not declared", symbol));
      }
    }
  }

  void write_qubit(Qubit qubit) {
    if (!has_physical_qubits()) return write_element(circuit_.qubit_registers, qubit);
    text_ += '$';
    append_integer(text_, qubit);
  }

  void write_element(const std::vector<Register>& registers, std::uint32_t element) {
    const Register& in = register_of(registers, element);
    text_ += in.name;
    text_ += '[';
    append_integer(text_, element - in.first);
    text_ += ']';
  }

  static const Register& register_of(const std::vector<Register>& registers,
                                     std::uint32_t element) {
    const auto after = std::upper_bound(
        registers.begin(), registers.end(), element,
        [](std::uint32_t value, const Register& each) { return value < each.first; });
    if (after == registers.begin() || element - std::prev(after)->first >= std::prev(after)->size) {
      throw UsageError(fmt::format("the circuit has no qubit or bit number {}", element));
    }
    return *std::prev(after);
  }

  void write_formal_qubit(std::size_t operand) {
    text_ += 'q';
    append_integer(text_, operand);
  }

  /// `open` item, item, ... `close`; nothing for an empty list.
  template <typename WriteItem>
  void write_list(std::string_view open, std::size_t count, WriteItem write_item,
                  std::string_view close) {
    if (count == 0) return;
    text_ += open;
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0) text_ += ',';
      write_item(i);
    }
    text_ += close;
  }

  const Circuit& circuit_;
  unsigned version_;
  std::string text_;
  std::unordered_set<std::string_view> names_;
  std::unordered_set<std::string_view> parameters_;
  std::unordered_map<Angle, std::string> known_angles_;
};

}  // namespace
}  // namespace quartz::qasm

namespace quartz {

std::string write_qasm(const Circuit& circuit) { return qasm::Writer(circuit).write(); }

}  // namespace quartz
