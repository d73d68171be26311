#include "quartz/circuit/declared_gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "circuit/kept_statement.hpp"
#include "quartz/base/errors.hpp"

namespace quartz {
namespace {

using Index = std::unordered_map<std::string_view, std::size_t>;

/// Returns the numbers of the declared gates by their names, which are those of the circuit.
Index index_of(const Circuit& circuit) {
  Index index;
  for (std::size_t i = 0; i < circuit.declared_gates.size(); ++i) {
    index.emplace(circuit.declared_gates[i].name, i);
  }
  return index;
}

/// Returns the number of the declared gate that an operation calls.
std::optional<std::size_t> called_number(const Index& index, const Operation& operation) {
  if (!circuit::is_opaque(operation, OpaqueKind::gate)) return std::nullopt;
  const auto found = index.find(operation.classical->opaque_name);
  return found == index.end() ? std::nullopt : std::optional(found->second);
}

void require_form(const Operation& call, const DeclaredGate& gate) {
  if (call.qubits.size() == gate.qubits && call.angles.size() == gate.parameters.size()) return;
  throw InputError("a call of the declared gate '" + gate.name +
                   "' has another number of angles or qubits than the gate");
}

/// Throws InputError for a gate that is not among the first ones.
void require_declared(std::size_t number, std::size_t declared, const DeclaredGate& gate) {
  if (number < declared) return;
  throw InputError("the gate '" + gate.name + "' is called before it is declared");
}

/// Maps the parameters of a gate to the angles of a call.
std::map<std::string, Angle> arguments_of(const Operation& call, const DeclaredGate& gate) {
  std::map<std::string, Angle> arguments;
  for (std::size_t i = 0; i < gate.parameters.size(); ++i) {
    arguments.emplace(gate.parameters[i], call.angles[i]);
  }
  return arguments;
}

/// Adds exactly, and modulo a whole turn only if the sum does not fit otherwise, as the reader
/// does. Throws InputError if it does not fit then either.
void add_to_phase(Angle& phase, const Angle& next) {
  if (auto sum = try_add(phase, next)) {
    phase = *std::move(sum);
    return;
  }
  try {
    phase.add_phase(next);
  } catch (const OverflowError& error) {
    throw InputError(fmt::format("the global phases of calls of declared gates cannot be added: {}",
                                 error.what()));
  }
}

/// A list of operations with the phase that the calls in it have added.
struct Sequence {
  std::vector<Operation> operations;
  Angle phase;
};

/// Expands calls. The bodies of the gates that are called are expanded once, and then copied.
class Expansion {
 public:
  Expansion(const Circuit& circuit, const std::set<std::string>* names)
      : circuit_(circuit), index_(index_of(circuit)), bodies_(circuit.declared_gates.size()) {
    for (const DeclaredGate& gate : circuit.declared_gates) {
      is_expanded_.push_back(names == nullptr || names->contains(gate.name));
    }
  }

  [[nodiscard]] Circuit run() {
    Circuit result = without_operations(circuit_);
    result.declared_gates.clear();
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (!is_expanded_[i]) result.declared_gates.push_back(expanded_gate(i));
    }
    Sequence main = expanded(circuit_.operations, circuit_.global_phase, bodies_.size());
    result.operations = std::move(main.operations);
    result.global_phase = std::move(main.phase);
    return result;
  }

 private:
  /// Returns a gate with the calls in its body expanded.
  [[nodiscard]] DeclaredGate expanded_gate(std::size_t number) {
    const DeclaredGate& gate = circuit_.declared_gates[number];
    Sequence body = expanded(gate.operations, gate.global_phase, number);
    return {gate.name, gate.parameters, gate.qubits, std::move(body.operations),
            std::move(body.phase)};
  }

  /// Expands the calls of the first `declared` gates.
  [[nodiscard]] Sequence expanded(std::span<const Operation> operations, Angle phase,
                                  std::size_t declared) {
    Sequence result{{}, std::move(phase)};
    result.operations.reserve(operations.size());
    for (const Operation& operation : operations) {
      const std::optional<std::size_t> number = called_number(index_, operation);
      if (!number || !is_expanded_[*number]) {
        result.operations.push_back(operation);
        continue;
      }
      require_declared(*number, declared, circuit_.declared_gates[*number]);
      std::optional<DeclaredGate>& body = bodies_[*number];
      if (!body) body = expanded_gate(*number);
      append_body(operation, *body, result);
    }
    return result;
  }

  static void append_body(const Operation& call, const DeclaredGate& body, Sequence& result) {
    require_form(call, body);
    if (result.operations.size() + body.operations.size() > kMaxExpandedOperations) {
      throw InputError("the circuit with its declared gates expanded has too many operations");
    }
    const std::map<std::string, Angle> arguments = arguments_of(call, body);
    const bool is_conditional = !call.conditions().empty();
    std::shared_ptr<const ClassicalPart> conditions;
    if (is_conditional) conditions = under_conditions(call, {});
    for (const Operation& step : body.operations) {
      Operation& operation = result.operations.emplace_back(step);
      for (Qubit& qubit : operation.qubits) qubit = call.qubits[qubit];
      for (Angle& angle : operation.angles) {
        if (!angle.terms().empty()) angle = angle.substitute(arguments);
      }
      // A barrier orders gates independently of conditions.
      if (!is_conditional || step.kind == OperationKind::barrier) continue;
      operation.classical =
          step.classical == nullptr ? conditions : under_conditions(call, *step.classical);
    }
    if (!is_conditional) add_to_phase(result.phase, body.global_phase.substitute(arguments));
  }

  static std::shared_ptr<const ClassicalPart> under_conditions(const Operation& call,
                                                               ClassicalPart part) {
    part.conditions.assign(call.conditions().begin(), call.conditions().end());
    return std::make_shared<const ClassicalPart>(std::move(part));
  }

  const Circuit& circuit_;
  Index index_;
  std::vector<bool> is_expanded_;
  std::vector<std::optional<DeclaredGate>> bodies_;  ///< those that calls have needed so far
};

}  // namespace

const DeclaredGate* called_gate(const Circuit& circuit, const Operation& operation) {
  if (!circuit::is_opaque(operation, OpaqueKind::gate)) return nullptr;
  const auto found = std::ranges::find(circuit.declared_gates, operation.classical->opaque_name,
                                       &DeclaredGate::name);
  return found == circuit.declared_gates.end() ? nullptr : &*found;
}

Circuit with_expanded_calls(const Circuit& circuit) {
  if (circuit.declared_gates.empty()) return circuit;
  return Expansion(circuit, nullptr).run();
}

Circuit with_expanded_calls(const Circuit& circuit, const std::set<std::string>& names) {
  return Expansion(circuit, &names).run();
}

Circuit without_phases_of_declared_gates(const Circuit& circuit) {
  Circuit result = circuit;
  const Index index = index_of(circuit);
  // The gates that a body calls are declared before it, and have no phase any more.
  std::vector<Angle> phases;
  const auto with_calls = [&](std::span<const Operation> operations, Angle phase) {
    for (const Operation& operation : operations) {
      const std::optional<std::size_t> number = called_number(index, operation);
      if (!number || !operation.conditions().empty()) continue;
      const DeclaredGate& gate = circuit.declared_gates[*number];
      require_declared(*number, phases.size(), gate);
      require_form(operation, gate);
      add_to_phase(phase, phases[*number].substitute(arguments_of(operation, gate)));
    }
    return phase;
  };
  for (DeclaredGate& gate : result.declared_gates) {
    phases.push_back(with_calls(gate.operations, std::exchange(gate.global_phase, {})));
  }
  result.global_phase = with_calls(circuit.operations, circuit.global_phase);
  return result;
}

std::vector<double> calls_of_declared_gates(const Circuit& circuit) {
  const Index index = index_of(circuit);
  std::vector<double> calls(circuit.declared_gates.size());
  const auto add = [&](std::span<const Operation> operations, double times) {
    for (const Operation& operation : operations) {
      if (const auto number = called_number(index, operation)) calls[*number] += times;
    }
  };
  add(circuit.operations, 1);
  // A gate is called by those that are declared after it.
  for (std::size_t i = calls.size(); i-- > 0;) add(circuit.declared_gates[i].operations, calls[i]);
  return calls;
}

}  // namespace quartz
