#include "qasm/writer/declared_gates.hpp"

#include <fmt/core.h>

#include <map>
#include <optional>
#include <set>

#include "circuit/kept_statement.hpp"
#include "qasm/gates/library.hpp"
#include "qasm/text/names.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/qasm/qasm.hpp"

namespace quartz::qasm {
namespace {

class Survey {
 public:
  Survey(const Circuit& circuit, std::span<const Operation* const> naming, unsigned version,
         const GateNames& names)
      : version_(version), names_(names) {
    for (const GateKind kind : circuit.gates_in_turns) {
      if (!is_used_[static_cast<std::size_t>(kind)]) note_use(kind);
    }
    for (const DeclaredGate& gate : circuit.declared_gates) note_declared(gate);
    for (const Operation* const operation : naming) note_operation(*operation);
    std::set<std::string_view> names_of_custom_gates;
    for (std::size_t i = 0; i < is_used_.size(); ++i) {
      if (!is_used_[i]) continue;
      const auto kind = static_cast<GateKind>(i);
      const std::string_view name = gate(kind).name;
      if (is_custom(kind) && !names_of_custom_gates.insert(names_[kind]).second) {
        throw UsageError(
            fmt::format("cannot write a circuit with two different gates named '{}'", name));
      }
      if (opaque_forms_.contains(name)) {
        throw UsageError(
            fmt::format("cannot write a circuit in which '{}' is both a standard gate "
                        "and an opaque gate",
                        name));
      }
    }
  }

  DeclaredGates result;

 private:
  void note_operation(const Operation& operation) {
    if (operation.kind == OperationKind::gate) {
      if (!is_used_[static_cast<std::size_t>(operation.gate)]) note_use(operation.gate);
    } else if (operation.kind == OperationKind::opaque) {
      note_opaque(operation);
    }
  }

  /// Notes what the body of a declared gate uses, and then its name, which only the gates after it
  /// may call.
  void note_declared(const DeclaredGate& gate) {
    for (const Operation& operation : gate.operations) note_operation(operation);
    const bool is_name = is_identifier(gate.name) && !is_reserved(gate.name, version_);
    if (!is_name || gate.qubits == 0 || opaque_forms_.contains(gate.name)) {
      throw UsageError(
          fmt::format("cannot declare the gate '{}' in OpenQASM {}", gate.name, version_));
    }
    opaque_forms_[gate.name] = {gate.name, gate.parameters.size(), gate.qubits};
  }

  /// Adds the gate after those that its definition uses.
  void note_use(GateKind kind) {
    is_used_[static_cast<std::size_t>(kind)] = true;
    if (!names_.needs_declaration(kind)) return;
    const Gate& row = gate(kind);
    if (!is_gate_name(row.name)) {
      throw UsageError(
          fmt::format("cannot write the gate '{}': its name is a word of OpenQASM", row.name));
    }
    const std::optional<Decomposition> definition = names_.definition_of(kind);
    if (!definition) {
      result.matrix_only.push_back({names_[kind], row.parameters.size(), row.qubits});
      return;
    }
    for (const Operation& step : definition->operations) {
      if (!is_used_[static_cast<std::size_t>(step.gate)]) note_use(step.gate);
    }
    result.defined.push_back(kind);
  }

  void note_opaque(const Operation& operation) {
    const std::string_view name = operation.classical->opaque_name;
    if (circuit::is_opaque(operation, OpaqueKind::verbatim_gate)) {
      if (!is_used_[static_cast<std::size_t>(operation.gate)]) note_use(operation.gate);
      return;
    }
    if (!circuit::is_opaque(operation, OpaqueKind::gate)) return;
    const OpaqueGate form{name, operation.angles.size(), operation.qubits.size()};
    const auto [entry, is_new] = opaque_forms_.try_emplace(name, form);
    if (!is_new) {
      const OpaqueGate& known = entry->second;
      if (known.parameters != operation.angles.size() || known.qubits != operation.qubits.size()) {
        throw UsageError(fmt::format(
            "the opaque gate '{}' is used with different numbers of angles or qubits", name));
      }
      return;
    }
    if (!is_identifier(name) || is_reserved(name, version_) || operation.qubits.empty()) {
      throw UsageError(
          fmt::format("cannot write the opaque gate '{}' in OpenQASM {}", name, version_));
    }
    result.opaque.push_back(form);
  }

  unsigned version_;
  const GateNames& names_;
  std::vector<bool> is_used_ = std::vector<bool>(gate_count());
  /// Opaque gates, and those that the circuit declares.
  std::map<std::string_view, OpaqueGate> opaque_forms_;
};

}  // namespace

DeclaredGates find_declared_gates(const Circuit& circuit, std::span<const Operation* const> naming,
                                  unsigned language_version, const GateNames& names) {
  return std::move(Survey(circuit, naming, language_version, names).result);
}

}  // namespace quartz::qasm
