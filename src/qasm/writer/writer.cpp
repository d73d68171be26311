#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "circuit/kept_statement.hpp"
#include "qasm/gates/gate_definition.hpp"
#include "qasm/gates/gate_names.hpp"
#include "qasm/gates/library.hpp"
#include "qasm/text/angle_text.hpp"
#include "qasm/text/header.hpp"
#include "qasm/text/interface_statement.hpp"
#include "qasm/text/names.hpp"
#include "qasm/text/number.hpp"
#include "qasm/writer/declared_gates.hpp"
#include "qasm/writer/list_text.hpp"
#include "qasm/writer/operation_writer.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/declared_gate.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::qasm {
namespace {

/// The body of cx in a program of version 3 that does not include the standard file.
constexpr std::string_view kCxWithoutLibrary = "ctrl @ U(pi,0,pi) q0,q1; ";

/// Returns whether parse_input accepts the type.
bool is_parameter_type(std::string_view type) {
  const std::string_view name = type.substr(0, type.find('['));
  if (name != "float" && name != "angle") return false;
  const std::string_view width = type.substr(name.size());
  if (width.empty()) return true;
  if (width.size() < 3 || width.back() != ']' || width[1] == '0') return false;
  return read_whole_number<std::uint64_t>(width.substr(1, width.size() - 2)).has_value();
}

/// Writes one circuit. Throws UsageError for what the file format cannot express (an invalid name,
/// a free parameter in version 2); parse_qasm never returns such a circuit.
class Writer {
 public:
  Writer(const Circuit& circuit, const Dialect& dialect, std::stop_token stop)
      : circuit_(circuit),
        dialect_(dialect),
        version_(circuit.qasm_version),
        stop_(std::move(stop)) {}

  std::string write() {
    if (version_ != 2 && version_ != 3) {
      throw UsageError(fmt::format("cannot write OpenQASM version {}, only 2 and 3", version_));
    }
    check_registers();
    check_gates_in_turns();
    const DeclaredGates gates = find_declared_gates(circuit_, naming_, version_, gate_names_);
    text_.reserve(circuit_.operations.size() * 24 + 256);
    write_header();
    write_parameters();
    for (const OpaqueGate& gate : gates.matrix_only) write_opaque_declaration(gate);
    for (const GateKind kind : gates.defined) write_definition(kind);
    for (const OpaqueGate& gate : gates.opaque) write_opaque_declaration(gate);
    for (const DeclaredGate& gate : circuit_.declared_gates) write_declared_gate(gate);
    write_registers();
    if (writes_global_phase() && !circuit_.global_phase.is_zero()) {
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
      throw UsageError("cannot write physical qubits together with a register");
    }
  }

  void check_gates_in_turns() const {
    for (const GateKind kind : circuit_.gates_in_turns) {
      if (gate(kind).parameters.empty() || is_library_gate(kind, 2) || is_library_gate(kind, 3)) {
        throw UsageError(
            fmt::format("cannot write the angles of '{}' in turns: the standard include files "
                        "define it",
                        gate(kind).name));
      }
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
                      circuit_.parameters.front().name));
    }
    for (const Parameter& parameter : circuit_.parameters) {
      check_name(parameter.name);
      if (!is_parameter_type(parameter.type)) {
        throw UsageError(
            fmt::format("the parameter '{}' has the type '{}', expected 'float' or "
                        "'angle', with a width in brackets or without",
                        parameter.name, parameter.type));
      }
    }
  }

  // --- declarations ---

  void write_header() {
    for (const std::string& line : circuit_.header_comments) {
      if (line.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos) {
        throw UsageError("cannot write a header comment that is not a single line");
      }
      text_ += line.empty() ? "//" : "// ";
      text_ += line;
      text_ += "\n";
    }
    text_ += version_ >= 3 ? "OPENQASM 3.0;\n" : "OPENQASM 2.0;\n";
    if (gate_names_.includes_library()) {
      const std::string_view standard = version_ >= 3 ? "stdgates.inc" : "qelib1.inc";
      const bool is_standard = dialect_.include_file == "standard";
      text_ += fmt::format("include \"{}\";\n", is_standard ? standard : dialect_.include_file);
    }
    if (has_physical_qubits(circuit_)) {
      text_ += fmt::format("{}{}\n", kPhysicalQubitsComment, circuit_.qubit_count());
    }
    if (!writes_global_phase() && !circuit_.global_phase.is_zero()) {
      text_ += kGlobalPhaseComment;
      operations_.write_angle(circuit_.global_phase);
      text_ += "\n";
    }
  }

  void write_parameters() {
    for (const Parameter& parameter : circuit_.parameters) {
      text_ += fmt::format("input {} {};\n", parameter.type, parameter.name);
    }
  }

  /// Writes a definition that is_written_definition recognizes.
  void write_definition(GateKind kind) {
    const Gate& row = gate(kind);
    const std::string_view factor = formal_parameter_factor(is_in_turns(kind));
    text_ += fmt::format("gate {}", gate_names_[kind]);
    append_list(
        text_, "(", row.parameters.size(), [&](std::size_t i) { text_ += formal_parameter(i); },
        ")");
    append_list(
        text_, " ", row.qubits, [&](std::size_t i) { write_formal_qubit(i); }, "");
    text_ += " { ";
    const Decomposition definition = gate_names_.definition_of(kind).value();
    if (definition.operations.empty() && kind == GateKind::cx) text_ += kCxWithoutLibrary;
    const Decomposition body = written_body(kind, definition, is_in_turns(kind));
    if (version_ >= 3 && !body.phase.is_zero()) {
      text_ += "gphase(";
      append_angle(text_, body.phase, factor);
      text_ += "); ";
    }
    for (const Operation& step : body.operations) {
      text_ += gate_names_[step.gate];
      append_list(
          text_, "(", step.angles.size(),
          [&](std::size_t i) {
            if (is_in_turns(step.gate)) return append_turns(text_, step.angles[i], factor);
            append_angle(text_, step.angles[i], factor);
          },
          ")");
      append_list(
          text_, " ", step.qubits.size(),
          [&](std::size_t i) { write_formal_qubit(step.qubits[i]); }, "; ");
    }
    text_ += "}\n";
  }

  /// Writes a gate of the program.
  void write_declared_gate(const DeclaredGate& gate) {
    text_ += fmt::format("gate {}", gate.name);
    append_list(
        text_, "(", gate.parameters.size(), [&](std::size_t i) { text_ += gate.parameters[i]; },
        ")");
    append_list(
        text_, " ", gate.qubits, [&](std::size_t i) { write_formal_qubit(i); }, "");
    text_ += " {\n";
    if (!gate.global_phase.is_zero()) {
      text_ += "  gphase(";
      append_angle(text_, gate.global_phase);
      text_ += ");\n";
    }
    for (const Operation& step : gate.operations) write_step(step);
    text_ += "}\n";
  }

  /// Writes an operation of a declared gate.
  void write_step(const Operation& step) {
    const bool is_gate = step.kind == OperationKind::gate;
    const bool is_barrier = step.kind == OperationKind::barrier;
    if (!step.conditions().empty() ||
        (!is_gate && !is_barrier && !circuit::is_opaque(step, OpaqueKind::gate))) {
      throw UsageError("cannot write a declared gate whose body has other operations than gates");
    }
    text_ += "  ";
    text_ += is_gate ? gate_names_[step.gate]
                     : std::string_view(is_barrier ? "barrier" : step.classical->opaque_name);
    append_list(
        text_, "(", step.angles.size(),
        [&](std::size_t i) {
          if (is_gate && is_in_turns(step.gate)) return append_turns(text_, step.angles[i]);
          append_angle(text_, step.angles[i]);
        },
        ")");
    append_list(
        text_, " ", step.qubits.size(), [&](std::size_t i) { write_formal_qubit(step.qubits[i]); },
        ";\n");
  }

  [[nodiscard]] bool writes_global_phase() const {
    return version_ >= 3 && dialect_.has_global_phase;
  }

  [[nodiscard]] bool is_in_turns(GateKind kind) const {
    const std::vector<GateKind>& gates = circuit_.gates_in_turns;
    return std::find(gates.begin(), gates.end(), kind) != gates.end();
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
    const std::set<std::string_view> statements = interface_statements();
    for (const Register& each : circuit_.bit_registers) {
      const std::string as_input = input_statement(each.name);
      const std::string as_output = output_statement(each.name, each.size);
      if (statements.contains(as_input) || statements.contains(as_output)) {
        text_ += (statements.contains(as_input) ? as_input : as_output) + "\n";
        continue;
      }
      text_ += version_ >= 3 ? fmt::format("bit[{}] {};\n", each.size, each.name)
                             : fmt::format("creg {}[{}];\n", each.name, each.size);
    }
  }

  /// Returns the statements that declare inputs and outputs, in place of their registers. Throws
  /// UsageError for version 2.
  [[nodiscard]] std::set<std::string_view> interface_statements() const {
    std::set<std::string_view> statements;
    for (const Operation& operation : circuit_.operations) {
      if (!circuit::is_interface_statement(operation)) break;
      statements.insert(operation.classical->opaque_name);
    }
    if (!statements.empty() && version_ < 3) {
      throw UsageError("OpenQASM 2 has no inputs and outputs: write version 3");
    }
    return statements;
  }

  void write_formal_qubit(std::size_t operand) {
    text_ += 'q';
    append_number(text_, operand);
  }

  const Circuit& circuit_;
  const Dialect& dialect_;
  unsigned version_;
  std::stop_token stop_;
  std::string text_;
  std::unordered_set<std::string_view> names_;
  std::vector<const Operation*> naming_ = naming_operations(circuit_.operations);
  GateNames gate_names_{circuit_, naming_, version_, dialect_};
  OperationWriter operations_{
      circuit_,
      {version_, dialect_.has_bit_conditions, dialect_.compares_single_bits},
      gate_names_,
      stop_,
      text_};
};

}  // namespace
}  // namespace quartz::qasm

namespace quartz {

std::string qasm_expression(const Angle& angle) {
  std::string text;
  qasm::append_angle(text, angle);
  return text;
}

std::string write_qasm(const Circuit& circuit, const std::stop_token& stop) {
  return write_qasm(circuit, dialects().front(), stop);
}

std::string write_qasm(const Circuit& circuit, const Dialect& dialect,
                       const std::stop_token& stop) {
  const bool has_phases = circuit.qasm_version >= 3 && dialect.has_global_phase;
  const bool is_plain =
      has_phases || std::ranges::all_of(circuit.declared_gates, [](const DeclaredGate& gate) {
        return gate.global_phase.is_zero();
      });
  if (is_plain) return qasm::Writer(circuit, dialect, stop).write();
  return qasm::Writer(without_phases_of_declared_gates(circuit), dialect, stop).write();
}

}  // namespace quartz
