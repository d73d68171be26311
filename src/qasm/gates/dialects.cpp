// The table of dialects, from which the option, its help, the documentation and the tests follow.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "circuit/kept_statement.hpp"
#include "qasm/gates/library.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/declared_gate.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/qasm/dialect.hpp"

namespace quartz {
namespace {

using enum GateKind;
using Gates = std::vector<Dialect::NamedGate>;

/// Returns the gates with the names of the gate table.
Gates with_table_names(std::initializer_list<GateKind> kinds) {
  Gates gates;
  for (const GateKind kind : kinds) gates.push_back({kind, gate(kind).name});
  return gates;
}

Gates gates_of_braket() {
  Gates gates = with_table_names(
      {h, x, y, z, s, t, rx, ry, rz, cy, cz, swap, cswap, iswap, ecr, gpi, gpi2, ms});
  const Gates renamed{{id, "i"},    {sdg, "si"},       {tdg, "ti"},    {sx, "v"},
                      {sxdg, "vi"}, {p, "phaseshift"}, {u, "U"},       {r, "prx"},
                      {cx, "cnot"}, {csx, "cv"},       {ccx, "ccnot"}, {cp, "cphaseshift"},
                      {rxx, "xx"},  {ryy, "yy"},       {rzz, "zz"}};
  gates.insert(gates.end(), renamed.begin(), renamed.end());
  return gates;
}

Gates gates_of_quantinuum() {
  Gates gates =
      with_table_names({x, y, z, h, s, sdg, t, tdg, rx, ry, rz, cx, cz, swap, ccx, u1, u2, u3});
  gates.push_back({r, "U1q"});
  gates.push_back({rzz, "RZZ"});
  return gates;
}

std::vector<Dialect> make_dialects() {
  Dialect qiskit;
  qiskit.name = "qiskit";
  qiskit.readers = "Qiskit, and tools that read all of the language";

  Dialect braket;
  braket.name = "braket";
  braket.readers = "Amazon Braket";
  braket.version = 3;
  braket.has_version_2 = false;
  braket.include_file = "";
  braket.has_gate_definitions = false;
  braket.compares_single_bits = true;
  braket.gates = gates_of_braket();

  Dialect quantinuum;
  quantinuum.name = "quantinuum";
  quantinuum.readers = "Quantinuum and pytket";
  quantinuum.version = 2;
  quantinuum.has_version_3 = false;
  quantinuum.include_file = "hqslib1.inc";
  quantinuum.has_gate_definitions = false;
  quantinuum.has_bit_conditions = true;
  quantinuum.gates = gates_of_quantinuum();

  Dialect plain;
  plain.name = "plain";
  plain.readers = "Cirq, PyZX, PennyLane and tools that know the common gates only";
  plain.version = 2;
  plain.has_global_phase = false;
  plain.has_gate_definitions = false;
  plain.gates = with_table_names({x, y, z, h, s, sdg, t, tdg, rx, ry, rz, cx, cz, ccx});
  return {qiskit, braket, quantinuum, plain};
}

/// Finds for each gate the decomposition that leads to gates of the dialect in the fewest
/// operations.
class Lowering {
 public:
  explicit Lowering(const Dialect& dialect)
      : dialect_(dialect), sizes_(gate_count(), kUnreachable) {
    for (const Dialect::NamedGate& known : dialect.gates) {
      sizes_[static_cast<std::size_t>(known.gate)] = 1;
    }
    sizes_[static_cast<std::size_t>(id)] =
        std::min(sizes_[static_cast<std::size_t>(id)], std::size_t{0});
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < sizes_.size(); ++i) changed |= improve(static_cast<GateKind>(i));
    }
  }

  /// Appends the operation in gates of the dialect, and adds the phase.
  void append(const Operation& operation, std::vector<Operation>& result, Angle& phase) const {
    const auto row = static_cast<std::size_t>(operation.gate);
    if (sizes_[row] == 1 && choices_.count(operation.gate) == 0) {
      result.push_back(operation);
      return;
    }
    if (operation.gate == id) return;
    const auto choice = choices_.find(operation.gate);
    if (choice == choices_.end()) {
      throw UsageError(fmt::format("the dialect '{}' cannot express the gate '{}'", dialect_.name,
                                   gate(operation.gate).name));
    }
    const Decomposition steps = instantiate(*choice->second, operation);
    for (Operation step : steps.operations) {
      step.classical = operation.classical;
      append(step, result, phase);
    }
    // A phase that depends on classical bits is not observable.
    if (operation.classical == nullptr) phase.add_phase(steps.phase);
  }

 private:
  static constexpr std::size_t kUnreachable = std::size_t{1} << 30U;

  bool improve(GateKind kind) {
    const auto row = static_cast<std::size_t>(kind);
    bool changed = false;
    for (const Decomposition& decomposition : gate(kind).decompositions) {
      if (!decomposition.when.empty()) continue;
      std::size_t size = 0;
      for (const Operation& step : decomposition.operations) {
        size = std::min(size + sizes_[static_cast<std::size_t>(step.gate)], kUnreachable);
      }
      if (size >= sizes_[row] || size >= kUnreachable) continue;
      sizes_[row] = size;
      choices_[kind] = &decomposition;
      changed = true;
    }
    return changed;
  }

  const Dialect& dialect_;
  std::vector<std::size_t> sizes_;  ///< operations that each gate becomes
  std::map<GateKind, const Decomposition*> choices_;
};

void check_version(const Dialect& dialect, unsigned version) {
  if (version == 2 ? dialect.has_version_2 : dialect.has_version_3) return;
  throw UsageError(fmt::format("the dialect '{}' has no OpenQASM {}", dialect.name, version));
}

void check_names(const Circuit& circuit, const Dialect& dialect) {
  const auto check = [&](const std::string& name) {
    const bool is_gate = std::any_of(dialect.gates.begin(), dialect.gates.end(),
                                     [&](const auto& known) { return known.name == name; });
    if (!is_gate) return;
    throw UsageError(
        fmt::format("the name '{}' is that of a gate in the dialect '{}'", name, dialect.name));
  };
  for (const Register& each : circuit.qubit_registers) check(each.name);
  for (const Register& each : circuit.bit_registers) check(each.name);
  for (const Parameter& parameter : circuit.parameters) check(parameter.name);
}

}  // namespace

std::span<const Dialect> dialects() {
  static const std::vector<Dialect> all = make_dialects();
  return all;
}

const Dialect* find_dialect(std::string_view name) {
  for (const Dialect& dialect : dialects()) {
    if (dialect.name == name) return &dialect;
  }
  return nullptr;
}

Circuit in_dialect(const Circuit& circuit, const Dialect& dialect) {
  check_version(dialect, circuit.qasm_version);
  if (dialect.gates.empty()) return circuit;
  // These dialects have no definitions of gates.
  if (!circuit.declared_gates.empty()) return in_dialect(with_expanded_calls(circuit), dialect);
  check_names(circuit, dialect);
  Circuit result = without_operations(circuit);
  result.gates_in_turns.clear();
  result.hides_library_names = false;
  const Lowering lowering(dialect);
  for (const Operation& operation : circuit.operations) {
    if (operation.kind == OperationKind::gate) {
      lowering.append(operation, result.operations, result.global_phase);
      continue;
    }
    if (operation.kind == OperationKind::opaque && !dialect.has_gate_definitions) {
      const bool is_verbatim = circuit::is_opaque(operation, OpaqueKind::verbatim_gate);
      const bool is_known =
          is_verbatim && std::ranges::any_of(dialect.gates, [&](const auto& known) {
            return known.gate == operation.gate;
          });
      if (circuit::is_opaque(operation, OpaqueKind::gate) || (is_verbatim && !is_known)) {
        throw UsageError(fmt::format("the dialect '{}' cannot express '{}'", dialect.name,
                                     operation.classical->opaque_name));
      }
    }
    result.operations.push_back(operation);
  }
  return result;
}

}  // namespace quartz
