#include "qasm/gates/gate_names.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_set>

#include "qasm/gates/library.hpp"
#include "qasm/text/header.hpp"
#include "quartz/circuit/custom_gate.hpp"

namespace quartz::qasm {
namespace {

constexpr std::string_view kPrefix = "quartz_";

using Names = std::unordered_set<std::string_view>;

/// `naming` are the naming_operations() of the circuit.
Names opaque_names_of(const Circuit& circuit, std::span<const Operation* const> naming) {
  Names names;
  const auto add = [&](const Operation& operation) {
    if (operation.kind == OperationKind::opaque) names.insert(operation.classical->opaque_name);
  };
  for (const Operation* const operation : naming) add(*operation);
  for (const DeclaredGate& gate : circuit.declared_gates) {
    names.insert(gate.name);
    std::ranges::for_each(gate.operations, add);
  }
  return names;
}

/// Returns the names of the registers and parameters.
Names names_of(const Circuit& circuit) {
  Names names;
  for (const Register& each : circuit.qubit_registers) {
    if (each.name != kPhysicalRegister) names.insert(each.name);
  }
  for (const Register& each : circuit.bit_registers) names.insert(each.name);
  for (const Parameter& parameter : circuit.parameters) names.insert(parameter.name);
  return names;
}

}  // namespace

std::vector<const Operation*> naming_operations(std::span<const Operation> operations) {
  std::vector<const Operation*> naming;
  std::vector<std::uint8_t> is_known(gate_count());
  for (const Operation& operation : operations) {
    if (operation.kind == OperationKind::gate) {
      std::uint8_t& known = is_known[static_cast<std::size_t>(operation.gate)];
      if (known != 0) continue;
      known = 1;
      naming.push_back(&operation);
    } else if (operation.kind == OperationKind::opaque) {
      naming.push_back(&operation);
    }
  }
  return naming;
}

bool hides_library_names(const Circuit& circuit) {
  const auto is_library = [&](std::string_view name) {
    return is_library_name(name, circuit.qasm_version);
  };
  const Names taken = names_of(circuit);
  if (std::none_of(taken.begin(), taken.end(), is_library)) return false;
  // An opaque gate may hide a gate that the output needs.
  const Names opaque = opaque_names_of(circuit, naming_operations(circuit.operations));
  return std::none_of(opaque.begin(), opaque.end(), is_library);
}

GateNames::GateNames(const Circuit& circuit, std::span<const Operation* const> naming,
                     unsigned language_version, const Dialect& dialect)
    : version_(language_version), has_declarations_(dialect.gates.empty()) {
  if (!has_declarations_) {
    includes_library_ = !dialect.include_file.empty();
    for (std::size_t i = 0; i < gate_count(); ++i) {
      names_.emplace_back(gate(static_cast<GateKind>(i)).name);
    }
    for (const Dialect::NamedGate& known : dialect.gates) {
      names_[static_cast<std::size_t>(known.gate)] = known.name;
    }
    return;
  }
  Names taken = names_of(circuit);
  taken.merge(opaque_names_of(circuit, naming));
  includes_library_ = circuit.hides_library_names ||
                      std::none_of(taken.begin(), taken.end(), [&](std::string_view name) {
                        return is_library_name(name, version_);
                      });
  names_.reserve(gate_count());
  for (std::size_t i = 0; i < gate_count(); ++i) {
    const auto kind = static_cast<GateKind>(i);
    std::string& name = names_.emplace_back(gate(kind).name);
    const bool is_in_library = includes_library_ && is_library_gate(kind, version_);
    if (is_built_in_gate(kind, version_) && !(is_in_library && version_ < 3)) {
      name = kind == GateKind::u ? "U" : "CX";
    } else if (!is_in_library) {
      while (taken.contains(name)) name.insert(0, kPrefix);
    }
  }
}

bool GateNames::needs_declaration(GateKind kind) const {
  if (!has_declarations_ || is_built_in_gate(kind, version_)) return false;
  return !includes_library_ || !is_library_gate(kind, version_);
}

std::optional<Decomposition> GateNames::definition_of(GateKind kind) const {
  const bool is_missing = !includes_library_ && is_library_gate(kind, version_);
  const Decomposition* const definition =
      is_missing ? definition_without_library(kind) : qasm::definition_of(kind);
  if (definition == nullptr) return std::nullopt;
  return version_ >= 3 ? *definition : without_phase(kind, *definition);
}

const Gate* gate_of_written_name(std::string_view name, const CustomGates& custom_gates) {
  const Gate* row = find_gate(name, custom_gates);
  while (row == nullptr && name.starts_with(kPrefix)) {
    name.remove_prefix(kPrefix.size());
    row = find_gate(name, custom_gates);
  }
  return row != nullptr && row->name == name ? row : nullptr;
}

}  // namespace quartz::qasm
