#include <fmt/core.h>

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "qasm/angle_text.hpp"
#include "qasm/declared_gates.hpp"
#include "qasm/header.hpp"
#include "qasm/library.hpp"
#include "qasm/list_text.hpp"
#include "qasm/names.hpp"
#include "qasm/operation_writer.hpp"
#include "quartz/errors.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::qasm {
namespace {

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
    for (const OpaqueGate& gate : gates.matrix_only) write_opaque_declaration(gate);
    for (const GateKind kind : gates.defined) write_definition(kind);
    for (const OpaqueGate& gate : gates.opaque) write_opaque_declaration(gate);
    write_registers();
    if (version_ >= 3 && !circuit_.global_phase.is_zero()) {
      text_ += "gphase(";
      operations_.write_angle(circuit_.global_phase);
      text_ += ");\n";
    }
    operations_.write_operations();
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
        if (has_physical_qubits(circuit_) && registers == &circuit_.qubit_registers) {
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
    for (const std::string& parameter : circuit_.parameters) check_name(parameter);
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
    if (has_physical_qubits(circuit_)) {
      text_ += fmt::format("{}{}\n", physical_qubits_comment, circuit_.qubit_count());
    }
    if (version_ < 3 && !circuit_.global_phase.is_zero()) {
      text_ += global_phase_comment;
      operations_.write_angle(circuit_.global_phase);
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
    append_list(
        text_, "(", row.parameters.size(), [&](std::size_t i) { text_ += formal_parameter(i); },
        ")");
    append_list(
        text_, " ", row.qubits, [&](std::size_t i) { write_formal_qubit(i); }, "");
    text_ += " { ";
    const Decomposition body = instantiate(*definition_of(kind), formal_call(row));
    if (version_ >= 3 && !body.phase.is_zero()) {
      text_ += "gphase(";
      append_angle(text_, body.phase);
      text_ += "); ";
    }
    for (const Operation& step : body.operations) {
      text_ += written_name(step.gate, version_);
      append_list(
          text_, "(", step.angles.size(),
          [&](std::size_t i) { append_angle(text_, step.angles[i]); }, ")");
      append_list(
          text_, " ", step.qubits.size(),
          [&](std::size_t i) { write_formal_qubit(step.qubits[i]); }, "; ");
    }
    text_ += "}\n";
  }

  void write_opaque_declaration(const OpaqueGate& gate) {
    text_ += fmt::format("opaque {}", gate.name);
    append_list(
        text_, "(", gate.parameters, [&](std::size_t i) { text_ += formal_parameter(i); }, ")");
    append_list(
        text_, " ", gate.qubits, [&](std::size_t i) { write_formal_qubit(i); }, ";\n");
  }

  void write_registers() {
    for (const Register& each : circuit_.qubit_registers) {
      if (has_physical_qubits(circuit_)) break;
      text_ += version_ >= 3 ? fmt::format("qubit[{}] {};\n", each.size, each.name)
                             : fmt::format("qreg {}[{}];\n", each.name, each.size);
    }
    for (const Register& each : circuit_.bit_registers) {
      text_ += version_ >= 3 ? fmt::format("bit[{}] {};\n", each.size, each.name)
                             : fmt::format("creg {}[{}];\n", each.name, each.size);
    }
  }

  void write_formal_qubit(std::size_t operand) {
    text_ += 'q';
    append_number(text_, operand);
  }

  const Circuit& circuit_;
  unsigned version_;
  std::string text_;
  std::unordered_set<std::string_view> names_;
  OperationWriter operations_{circuit_, version_, text_};
};

}  // namespace
}  // namespace quartz::qasm

namespace quartz {

std::string write_qasm(const Circuit& circuit) { return qasm::Writer(circuit).write(); }

}  // namespace quartz
