#include <nanobind/stl/string.h>

#include <string>
#include <utility>
#include <vector>

#include "python/bindings/angle.hpp"
#include "python/bindings/building/building.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::python {
namespace {

namespace nb = nanobind;

/// The method of a gate: its angles come first, and then its qubits, as in Qiskit.
struct GateMethod {
  GateKind kind{};
  std::size_t angles = 0;
  std::vector<std::string> arguments;
};

/// Returns the name of an argument for a parameter of a gate. "lambda" is a word of Python.
std::string argument_name(std::string_view parameter) {
  return parameter == "lambda" ? "lam" : std::string(parameter);
}

GateMethod method_of(const Gate& row) {
  GateMethod method{row.kind, row.parameters.size(), {}};
  for (const std::string_view parameter : row.parameters) {
    method.arguments.push_back(argument_name(parameter));
  }
  for (unsigned i = 0; i < row.qubits; ++i) {
    method.arguments.push_back(row.qubits == 1 ? "qubit" : "qubit" + std::to_string(i + 1));
  }
  return method;
}

std::string signature_of(const std::string& name, const GateMethod& method) {
  std::string text = "def " + name + "(self";
  for (std::size_t i = 0; i < method.arguments.size(); ++i) {
    text += ", " + method.arguments[i] + ": " + (i < method.angles ? kAngleType : "int");
  }
  return text + ") -> Circuit";
}

std::string doc_of(const Gate& row) {
  std::string text = "Appends the gate " + std::string(row.name);
  if (row.qubits > 1) text += " on its qubits, controls first,";
  return text + " and returns the circuit.";
}

[[noreturn]] void fail(const Gate& row, const std::string& what) {
  throw nb::type_error((std::string(row.name) + "(): " + what).c_str());
}

/// Returns the values of the arguments of a call, in order.
std::vector<nb::object> arguments_of(const GateMethod& method, const nb::args& positional,
                                     const nb::kwargs& named) {
  const Gate& row = gate(method.kind);
  std::vector<nb::object> values;
  for (const nb::handle value : positional) values.push_back(nb::borrow(value));
  std::size_t used = 0;
  for (std::size_t i = values.size(); i < method.arguments.size(); ++i) {
    const char* const name = method.arguments[i].c_str();
    if (!named.contains(name)) break;
    values.push_back(nb::borrow(named[name]));
    ++used;
  }
  if (values.size() != method.arguments.size() || used != named.size()) {
    std::string expected;
    for (const std::string& name : method.arguments) {
      expected += (expected.empty() ? "" : ", ") + name;
    }
    fail(row, "expected the arguments (" + expected + ")");
  }
  return values;
}

Circuit& call(const GateMethod& method, Circuit& circuit, const nb::args& positional,
              const nb::kwargs& named) {
  const std::vector<nb::object> values = arguments_of(method, positional, named);
  Operation operation;
  operation.gate = method.kind;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i < method.angles) {
      operation.angles.push_back(angle_from(values[i]));
      continue;
    }
    std::int64_t number = 0;
    if (!nb::try_cast(values[i], number)) {
      fail(gate(method.kind), method.arguments[i] + " is the number of a qubit, not " +
                                  nb::cast<std::string>(nb::repr(values[i])));
    }
    operation.qubits.push_back(qubit_from(circuit, number));
  }
  append(circuit, std::move(operation));
  return circuit;
}

}  // namespace

void define_gate_methods(nb::class_<Circuit>& circuit) {
  for (const Gate& row : gate_table()) {
    const GateMethod method = method_of(row);
    const std::string name(row.name);
    const std::string signature = signature_of(name, method);
    const std::string doc = doc_of(row);
    circuit.def(
        name.c_str(),
        [method](Circuit& self, const nb::args& positional, const nb::kwargs& named) -> Circuit& {
          return call(method, self, positional, named);
        },
        nb::rv_policy::none, nb::sig(signature.c_str()), doc.c_str());
  }
}

}  // namespace quartz::python
