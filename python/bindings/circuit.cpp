#include "quartz/circuit/circuit.hpp"

#include <fmt/core.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <set>
#include <utility>

#include "python/bindings/angle.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/building/building.hpp"
#include "python/bindings/gil_release.hpp"
#include "python/bindings/operation.hpp"
#include "python/bindings/pickling.hpp"
#include "quartz/base/counted.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/declared_gate.hpp"
#include "quartz/circuit/unitary.hpp"
#include "quartz/qasm/dialect.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/report/html_report.hpp"
#include "quartz/report/text_drawing.hpp"
#include "quartz/workflow/control_expansion.hpp"

namespace quartz::python {
namespace {

constexpr const char* kCircuitDoc =
    R"(A quantum circuit, which is read by ``from_qasm`` or ``from_file``, or written gate by gate::

    circuit = quartz.Circuit(2, 2).h(0).cx(0, 1).rz(quartz.pi / 4, 1)
    circuit.measure(0, 0)

There is one method for each gate, with its angles before its qubits, as in Qiskit. An angle is a number in radians, an
expression such as ``"pi/4"`` or ``"2*theta"``, or a quartz.Angle, which is exact. Each of these methods returns the
circuit itself.

``len(circuit)`` is the number of operations, barriers and measurements included, and iterating over a circuit
gives each of them in program order (``Operation``). Qubits and classical bits are numbered from 0, through all
registers in the order of their declaration.)";

constexpr const char* kFromQasmDoc =
    R"(Parses OpenQASM 2.0, or the part of OpenQASM 3 that describes circuits.

``name`` is what messages call the text. Files that it includes must be in the folders of ``include_path``. The
program may call the custom gates of ``gate_set``. With ``keep_gates``, calls of the gates that it defines are not
expanded, and the circuit has the definitions too. Raises InputError, with line and column, for everything that is not
supported; nothing is skipped.)";

constexpr const char* kToQasmDoc = R"(Returns the circuit as OpenQASM text, in version 2 or 3.

The version is by default that of the dialect, or else the one that the circuit was read from. Without a dialect,
reading the text gives the same circuit. With one (``qiskit``, ``braket``, ``quantinuum`` or ``plain``,
docs/formats/openqasm.md), gates that it does not have are written in those that it has, exactly. Raises UsageError if
the version or the dialect cannot express the circuit: free parameters need version 3.)";

constexpr const char* kUnitaryDoc =
    R"(Returns the unitary of the circuit, global phase included, as a NumPy array.

The array has the shape (2**q, 2**q) for q qubits and the type complex128, in row-major order; qubit 0 is the least
significant bit of an index. ``bindings`` gives a value, in radians, for every free parameter. Raises UsageError for
more than 14 qubits, for measurements and other operations that are not gates (barriers have no effect), and for a
parameter without a value.)";

/// Returns the operations of the circuit and of the gates that it declares.
std::vector<Operation> all_operations(const Circuit& circuit) {
  std::vector<Operation> all = circuit.operations;
  for (const DeclaredGate& gate : circuit.declared_gates) {
    all.insert(all.end(), gate.operations.begin(), gate.operations.end());
  }
  return all;
}

ControlExpansion expansion_for(const GateSet* set) {
  return set == nullptr ? ControlExpansion() : control_expansion_for(*set);
}

GateCalls calls_that(bool are_kept) { return are_kept ? GateCalls::kept : GateCalls::expanded; }

using Unitary = nb::ndarray<nb::numpy, std::complex<double>, nb::ndim<2>, nb::c_contig>;

Circuit in_version(Circuit circuit, unsigned version) {
  if (version != 2 && version != 3) throw UsageError("the version of OpenQASM is 2 or 3");
  if (version != circuit.qasm_version) circuit.hides_library_names = false;
  circuit.qasm_version = version;
  return circuit;
}

const Dialect& dialect_named(const std::string& name) {
  const Dialect* const dialect = find_dialect(name);
  if (dialect != nullptr) return *dialect;
  std::string known;
  for (const Dialect& each : dialects()) {
    known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  throw UsageError("there is no dialect \"" + name + "\"; expected one of " + known);
}

/// Writes a copy, because another thread may change the circuit.
std::string to_qasm(Circuit circuit, std::optional<unsigned> version,
                    const std::optional<std::string>& dialect_name) {
  const GilRelease release;
  if (!dialect_name) return write_qasm(version ? in_version(circuit, *version) : circuit);
  const Dialect& dialect = dialect_named(*dialect_name);
  const unsigned chosen =
      version.value_or(dialect.version != 0 ? dialect.version : circuit.qasm_version);
  return write_qasm(in_dialect(in_version(circuit, chosen), dialect), dialect);
}

/// Returns the number of operations of each name, the most frequent name first.
nb::dict counts_of(const Circuit& circuit) {
  std::map<std::string, std::size_t> by_name;
  for (const Operation& operation : circuit.operations) ++by_name[name_of(operation)];
  std::vector<std::pair<std::string, std::size_t>> sorted(by_name.begin(), by_name.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  nb::dict counts;
  for (const auto& [name, count] : sorted) counts[nb::str(name.c_str())] = count;
  return counts;
}

/// Returns the symbols of all angles, sorted.
std::vector<std::string> symbols_in(const Circuit& circuit) {
  std::set<std::string> symbols;
  const auto add = [&](const Angle& angle) {
    for (const std::string& symbol : angle.symbols()) symbols.insert(symbol);
  };
  for (const Operation& operation : circuit.operations) {
    std::ranges::for_each(operation.angles, add);
  }
  add(circuit.global_phase);
  return {symbols.begin(), symbols.end()};
}

std::vector<Complex> entries_of_unitary(const Circuit& gates, const Bindings& bindings) {
  std::vector<Complex> entries = unitary_of(gates.operations, gates.qubit_count(), bindings);
  const Complex phase = std::polar(1.0, gates.global_phase.value(bindings));
  for (Complex& entry : entries) entry *= phase;
  return entries;
}

Unitary unitary(const Circuit& circuit, const Bindings& bindings) {
  auto* const entries = new std::vector<Complex>();
  const nb::capsule owner(
      entries, [](void* pointer) noexcept { delete static_cast<std::vector<Complex>*>(pointer); });
  // Another thread may change the circuit.
  const Circuit gates = without_barriers(with_expanded_calls(circuit));
  const Bindings values = with_expressions(symbols_in(gates), bindings);
  for (const auto& [name, value] : values) {
    if (!std::isfinite(value)) {
      throw UsageError(
          fmt::format("the value of '{}' is {}, expected a finite number", name, value));
    }
  }
  {
    const GilRelease release;
    *entries = entries_of_unitary(gates, values);
  }
  const std::size_t dimension = std::size_t{1} << gates.qubit_count();
  return Unitary(entries->data(), {dimension, dimension}, owner);
}

std::vector<OperationView> views_of(const Circuit& circuit) {
  std::vector<OperationView> views;
  views.reserve(circuit.operations.size());
  for (const Operation& operation : circuit.operations)
    views.push_back(view_of(circuit, operation));
  return views;
}

OperationView operation_at(const Circuit& circuit, nb::handle which) {
  std::int64_t index = 0;
  if (!nb::try_cast(which, index)) {
    throw nb::type_error(("an operation of a circuit has a whole number as its index, not " +
                          nb::cast<std::string>(nb::repr(which)))
                             .c_str());
  }
  const auto size = static_cast<std::int64_t>(circuit.operations.size());
  if (index < -size || index >= size) throw nb::index_error("index of an operation out of range");
  return view_of(circuit,
                 circuit.operations[static_cast<std::size_t>(index < 0 ? index + size : index)]);
}

/// Returns the registers as a dictionary of names and sizes, in order.
nb::dict sizes_of(const std::vector<Register>& registers) {
  nb::dict sizes;
  for (const Register& each : registers) sizes[nb::str(each.name.c_str())] = each.size;
  return sizes;
}

std::vector<std::string> parameter_names(const Circuit& circuit) {
  std::vector<std::string> names;
  for (const Parameter& parameter : circuit.parameters) names.push_back(parameter.name);
  return names;
}

std::uint64_t t_depth_of(const Circuit& circuit) {
  return Objective(CostKind::t_depth).units_of(circuit);
}

std::string summary_of(const Circuit& circuit) {
  const GateCounts counts = count_gates(circuit);
  std::string text = counted(circuit.qubit_count(), "qubit") + ", " +
                     counted(counts.total, "gate") + ", depth " + std::to_string(counts.depth);
  if (counts.t != 0) {
    text += ", " + counted(counts.t, "T gate") + ", T depth " + std::to_string(t_depth_of(circuit));
  }
  if (const std::uint64_t measurements = count_measurements(circuit); measurements != 0) {
    text += ", " + counted(measurements, "measurement");
  }
  return text;
}

/// Returns a width that was given, or that of the terminal for None.
std::size_t width_of_terminal(nb::handle given) {
  if (!given.is_none()) {
    std::int64_t width = 0;
    if (!nb::isinstance<nb::bool_>(given) && nb::try_cast(given, width) && width >= 0) {
      return static_cast<std::size_t>(width);
    }
    throw nb::type_error(
        ("draw(): width is a number of characters, not " + nb::cast<std::string>(nb::repr(given)))
            .c_str());
  }
  const nb::object size = nb::module_::import_("shutil").attr("get_terminal_size")();
  return nb::cast<std::size_t>(size.attr("columns"));
}

using CircuitClass = nb::class_<Circuit>;

void define_input_and_output(CircuitClass& circuit) {
  circuit
      .def_static(
          "from_qasm",
          [](std::string_view text, const std::string& name,
             const std::vector<std::filesystem::path>& include_path, const GateSet* gate_set,
             bool keep_gates) {
            return parse_qasm(text, name, IncludePath{include_path}, {}, custom_gates_of(gate_set),
                              calls_that(keep_gates), expansion_for(gate_set));
          },
          nb::arg("text"), nb::kw_only(), nb::arg("name") = "<input>",
          nb::arg("include_path") = nb::make_tuple(), nb::arg("gate_set").none() = nb::none(),
          nb::arg("keep_gates") = false, nb::call_guard<GilRelease>(),
          nb::sig("def from_qasm(text: str, *, name: str = '<input>', "
                  "include_path: collections.abc.Sequence[str | os.PathLike[str]] = (), "
                  "gate_set: GateSet | None = None, keep_gates: bool = False) -> Circuit"),
          kFromQasmDoc)
      .def_static(
          "from_file",
          [](const std::filesystem::path& path,
             const std::vector<std::filesystem::path>& include_path, const GateSet* gate_set,
             bool keep_gates) {
            return read_qasm_file(path, IncludePath{include_path}, {}, custom_gates_of(gate_set),
                                  calls_that(keep_gates), expansion_for(gate_set));
          },
          nb::arg("path"), nb::kw_only(), nb::arg("include_path") = nb::make_tuple(),
          nb::arg("gate_set").none() = nb::none(), nb::arg("keep_gates") = false,
          nb::call_guard<GilRelease>(),
          nb::sig("def from_file(path: str | os.PathLike[str], *, "
                  "include_path: collections.abc.Sequence[str | os.PathLike[str]] = (), "
                  "gate_set: GateSet | None = None, keep_gates: bool = False) -> Circuit"),
          "Reads an OpenQASM file; ``-`` is standard input. Files that it includes are looked for "
          "in its folder and in the folders of ``include_path``, and must be in one of these. The "
          "program may call the custom gates of ``gate_set``, and ``keep_gates`` is as in "
          "``from_qasm``. Raises InputError as ``from_qasm`` does, and if a file cannot be read.")
      .def("to_qasm", &to_qasm, nb::arg("version") = nb::none(), nb::kw_only(),
           nb::arg("dialect") = nb::none(), kToQasmDoc)
      .def("__getstate__",
           [](const Circuit& self) {
             return std::pair(gate_definitions(all_operations(self)), write_qasm(self));
           })
      .def("__setstate__", [](Circuit& self, const std::pair<nb::tuple, std::string>& state) {
        const CustomGates gates = define_gates(state.first);
        new (&self) Circuit(
            parse_qasm(state.second, "the pickle", IncludePath{}, {}, gates, GateCalls::kept));
      });
}

void define_operations(CircuitClass& circuit) {
  circuit.def("__len__", [](const Circuit& self) { return self.operations.size(); })
      .def("__getitem__", &operation_at, nb::arg("index"),
           nb::sig("def __getitem__(self, index: int) -> Operation"))
      .def(
          "__iter__", [](const Circuit& self) { return nb::iter(nb::cast(views_of(self))); },
          nb::sig("def __iter__(self) -> collections.abc.Iterator[Operation]"))
      .def("counts", &counts_of, nb::sig("def counts(self) -> dict[str, int]"),
           "Returns the number of operations of each name, the most frequent name first. Barriers "
           "and measurements are included.")
      .def_prop_ro(
          "gate_count", [](const Circuit& self) { return count_gates(self).total; },
          "The number of gates, without barriers, measurements and the like.")
      .def_prop_ro(
          "two_qubit_count", [](const Circuit& self) { return count_gates(self).two_qubit; },
          "The number of gates on two or more qubits.")
      .def_prop_ro(
          "t_count", [](const Circuit& self) { return count_gates(self).t; },
          "The number of t, tdg, and of rotations that are not by a multiple of pi/2.")
      .def_prop_ro(
          "depth", [](const Circuit& self) { return count_gates(self).depth; },
          "The number of gates on the longest chain over qubits and classical bits.")
      .def_prop_ro("t_depth", &t_depth_of,
                   "The most gates counted by ``t_count`` that one chain contains.")
      .def_prop_ro("measurement_count", &count_measurements, "The number of measurements.")
      .def("unitary", &unitary, nb::arg("bindings") = Bindings(), kUnitaryDoc);
}

void define_properties(CircuitClass& circuit) {
  circuit.def_prop_ro("num_qubits", &Circuit::qubit_count, "The number of qubits.")
      .def_prop_ro("num_bits", &Circuit::bit_count, "The number of classical bits.")
      .def_prop_ro(
          "qubit_registers", [](const Circuit& self) { return sizes_of(self.qubit_registers); },
          nb::sig("def qubit_registers(self) -> dict[str, int]"),
          "Names and sizes of the registers of qubits, in order.")
      .def_prop_ro(
          "bit_registers", [](const Circuit& self) { return sizes_of(self.bit_registers); },
          nb::sig("def bit_registers(self) -> dict[str, int]"),
          "Names and sizes of the registers of classical bits, in order.")
      .def_prop_ro("parameters", &parameter_names,
                   "The names of the free parameters, in the order of their declaration.")
      .def_prop_ro(
          "global_phase", [](const Circuit& self) { return self.global_phase; },
          "The exact global phase of the circuit.")
      .def_prop_ro(
          "qasm_version", [](const Circuit& self) { return self.qasm_version; },
          "The version of OpenQASM that the circuit was read from, 2 or 3; 3 if it was not read.")
      .def(
          "__eq__", [](const Circuit& left, const Circuit& right) { return left == right; },
          nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"),
          "Whether the circuits consist of the same operations and names. quartz.check compares "
          "their effect.")
      .def("__repr__",
           [](const Circuit& self) { return "<quartz.Circuit: " + summary_of(self) + ">"; })
      .def(
          "__str__",
          [](const Circuit& self) {
            return text_drawing(self, {.width = width_of_terminal(nb::none())});
          },
          "Returns the drawing of ``draw``.")
      .def(
          "draw",
          [](const Circuit& self, nb::handle width) {
            return text_drawing(self, {.width = width_of_terminal(width)});
          },
          nb::arg("width") = nb::none(), nb::sig("def draw(self, width: int | None = None) -> str"),
          "Returns a drawing as text, in lines of at most ``width`` characters, or as wide as the "
          "terminal. ``print(circuit)`` shows it.")
      .def("_repr_html_", &html_drawing, "Returns the drawing that notebooks show.");
}

}  // namespace

void bind_circuit(nb::module_& module) {
  define_operation(module);
  CircuitClass circuit(module, "Circuit", kCircuitDoc);
  define_building(circuit);
  define_gate_methods(circuit);
  define_input_and_output(circuit);
  define_operations(circuit);
  define_properties(circuit);
  circuit.attr("__hash__") = nb::none();  // a circuit can be changed
}

}  // namespace quartz::python
