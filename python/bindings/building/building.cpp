#include "python/bindings/building/building.hpp"

#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <utility>

#include "python/bindings/angle.hpp"
#include "python/bindings/operation.hpp"
#include "python/bindings/pickling.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/custom_gate.hpp"
#include "quartz/circuit/gate.hpp"

namespace quartz::python {
namespace {

namespace nb = nanobind;

using Numbers = std::vector<std::int64_t>;
using CircuitClass = nb::class_<Circuit>;

constexpr const char* kAppendDoc =
    R"(Appends an operation, and returns the circuit.

``operation`` is the name of a gate, with its ``qubits`` and ``parameters`` (angles: numbers in radians, expressions such
as ``"pi/4"``, or quartz.Angle), or an Operation of any circuit, on its own qubits or on others. Custom gates have names
in their ``gate_set``. Free parameters of angles become parameters of the circuit. Raises UsageError for an
unknown gate, another number of qubits or parameters than the gate has, and qubits or bits that the circuit does not
have.)";

Operation on_qubits(const Circuit& circuit, Operation operation, const Numbers& qubits) {
  operation.qubits.clear();
  for (const std::int64_t qubit : qubits) operation.qubits.push_back(qubit_from(circuit, qubit));
  return operation;
}

Operation gate_named(const Circuit& circuit, const std::string& name,
                     const std::optional<Numbers>& qubits, const nb::sequence& parameters,
                     const GateSet* gate_set) {
  const Gate* const row = find_gate(name, custom_gates_of(gate_set));
  if (row == nullptr) throw UsageError("there is no gate \"" + name + "\"");
  if (!qubits) throw UsageError("append(\"" + name + "\") needs qubits");
  Operation operation;
  operation.gate = row->kind;
  for (const nb::handle parameter : parameters) operation.angles.push_back(angle_from(parameter));
  return on_qubits(circuit, std::move(operation), *qubits);
}

Circuit& append_any(Circuit& circuit, nb::handle what, const std::optional<Numbers>& qubits,
                    const nb::sequence& parameters, const GateSet* gate_set) {
  if (nb::isinstance<nb::str>(what)) {
    const auto name = nb::cast<std::string>(what);
    append(circuit, gate_named(circuit, name, qubits, parameters, gate_set));
    return circuit;
  }
  if (!nb::isinstance<OperationView>(what)) {
    throw nb::type_error("append() takes the name of a gate or a quartz.Operation");
  }
  const auto& view = nb::cast<const OperationView&>(what);
  if (nb::len(parameters) > 0) throw UsageError("an Operation has its own parameters");
  const bool has_others = qubits && qubits->size() != view.operation.qubits.size();
  if (has_others) {
    throw UsageError(name_of(view.operation) + " acts on " +
                     std::to_string(view.operation.qubits.size()) + " qubits, not " +
                     std::to_string(qubits->size()));
  }
  Operation operation = qubits ? on_qubits(circuit, view.operation, *qubits) : view.operation;
  if (view.frame != nullptr) {
    append_from(circuit, *view.frame, operation);
  } else {
    append(circuit, std::move(operation));
  }
  return circuit;
}

Circuit& measure(Circuit& circuit, std::int64_t qubit, std::int64_t bit) {
  if (bit < 0 || bit >= circuit.bit_count()) {
    throw UsageError("bit " + std::to_string(bit) + " is not in a circuit with " +
                     std::to_string(circuit.bit_count()) + " bits");
  }
  Operation operation;
  operation.kind = OperationKind::measure;
  operation.qubits.push_back(qubit_from(circuit, qubit));
  ClassicalPart classical;
  classical.bits.push_back(static_cast<ClassicalBit>(bit));
  operation.classical = std::make_shared<const ClassicalPart>(std::move(classical));
  append(circuit, std::move(operation));
  return circuit;
}

Circuit& reset(Circuit& circuit, std::int64_t qubit) {
  Operation operation;
  operation.kind = OperationKind::reset;
  operation.qubits.push_back(qubit_from(circuit, qubit));
  append(circuit, std::move(operation));
  return circuit;
}

Circuit& barrier(Circuit& circuit, const nb::args& qubits) {
  Operation operation;
  operation.kind = OperationKind::barrier;
  if (qubits.size() == 0) {
    for (Qubit qubit = 0; qubit < circuit.qubit_count(); ++qubit) operation.qubits.push_back(qubit);
  } else {
    Numbers numbers;
    if (!nb::try_cast(qubits, numbers)) {
      throw nb::type_error(("barrier() takes the numbers of qubits, as in barrier(0, 1), not " +
                            nb::cast<std::string>(nb::repr(qubits)))
                               .c_str());
    }
    operation = on_qubits(circuit, std::move(operation), numbers);
  }
  append(circuit, std::move(operation));
  return circuit;
}

Circuit& add_global_phase(Circuit& circuit, nb::handle value) {
  const Angle angle = angle_from(value);
  Circuit phase = empty_circuit(0, 0);
  phase.global_phase = angle;
  circuit = joined(circuit, phase);
  return circuit;
}

/// Returns the value of an argument of the constructor, which is a number of qubits or bits.
std::int64_t number_of(const char* what, nb::handle value) {
  std::int64_t number = 0;
  if (nb::isinstance<nb::bool_>(value) || !nb::try_cast(value, number)) {
    throw nb::type_error(("Circuit(): " + std::string(what) + " is a whole number up to 1e9, not " +
                          nb::cast<std::string>(nb::repr(value)))
                             .c_str());
  }
  return number;
}

void construct(Circuit* self, nb::handle qubit_number, nb::handle bit_number) {
  const std::int64_t qubits = number_of("qubits", qubit_number);
  const std::int64_t bits = number_of("bits", bit_number);
  constexpr std::int64_t greatest = 1'000'000'000;
  if (qubits < 0 || qubits > greatest || bits < 0 || bits > greatest) {
    throw UsageError("a circuit has 0 to 1e9 qubits, and as many bits, not " +
                     std::to_string(qubits) + " and " + std::to_string(bits));
  }
  new (self)
      Circuit(empty_circuit(static_cast<std::uint32_t>(qubits), static_cast<std::uint32_t>(bits)));
}

void define_methods(CircuitClass& circuit) {
  circuit
      .def("append", &append_any, nb::arg("operation"), nb::arg("qubits") = nb::none(),
           nb::arg("parameters") = nb::tuple(), nb::kw_only(),
           nb::arg("gate_set").none() = nb::none(), nb::rv_policy::none,
           nb::sig("def append(self, operation: str | Operation, qubits: "
                   "collections.abc.Sequence[int] | None = None, parameters: "
                   "collections.abc.Sequence[float | str | Angle] = (), *, "
                   "gate_set: GateSet | None = None) -> Circuit"),
           kAppendDoc)
      .def("measure", &measure, nb::arg("qubit"), nb::arg("bit"), nb::rv_policy::none,
           nb::sig("def measure(self, qubit: int, bit: int) -> Circuit"),
           "Appends a measurement of a qubit into a classical bit, and returns the circuit.")
      .def("reset", &reset, nb::arg("qubit"), nb::rv_policy::none,
           nb::sig("def reset(self, qubit: int) -> Circuit"),
           "Appends a reset of a qubit to state zero, and returns the circuit.")
      .def("barrier", &barrier, nb::rv_policy::none,
           nb::sig("def barrier(self, *qubits: int) -> Circuit"),
           "Appends a barrier on the qubits, or on all if none is given, and returns the circuit.")
      .def("add_global_phase", &add_global_phase, nb::arg("angle"), nb::rv_policy::none,
           nb::sig("def add_global_phase(self, angle: float | str | Angle) -> Circuit"),
           "Multiplies the circuit by e^(i angle), and returns it.");
}

}  // namespace

void define_building(CircuitClass& circuit) {
  circuit.def("__init__", &construct, nb::arg("qubits"), nb::arg("bits") = 0,
              nb::sig("def __init__(self, qubits: int, bits: int = 0) -> None"),
              "Creates a circuit without operations on a register ``q`` of qubits and a register "
              "``c`` of classical bits.");
  define_methods(circuit);
  circuit
      .def(
          "copy", [](const Circuit& self) { return self; }, "Returns a copy.")
      .def("__copy__", [](const Circuit& self) { return self; })
      .def(
          "__deepcopy__", [](const Circuit& self, nb::handle /*memo*/) { return self; },
          nb::arg("memo"), nb::sig("def __deepcopy__(self, memo: object, /) -> Circuit"))
      .def(
          "__add__",
          [](const Circuit& first, const Circuit& second) { return joined(first, second); },
          nb::is_operator(), nb::sig("def __add__(self, other: Circuit, /) -> Circuit"),
          "Returns this circuit followed by another one, whose qubits and bits are those of this "
          "one with the same numbers. Raises UsageError if this circuit does not have them.")
      .def("inverse", &inverse_of,
           "Returns the exact inverse, global phase included. Raises UsageError for a circuit with "
           "operations other than unconditional gates and barriers.");
}

}  // namespace quartz::python
