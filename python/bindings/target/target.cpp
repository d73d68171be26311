#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "python/bindings/bindings.hpp"
#include "python/bindings/gil_release.hpp"
#include "python/bindings/pickling.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/circuit/coupling.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/target/backend.hpp"
#include "quartz/target/cost_file.hpp"
#include "quartz/target/coupling_file.hpp"
#include "quartz/target/gate_set.hpp"

namespace quartz::python {
namespace {

std::vector<std::string> gate_names(const GateSet& set) {
  std::vector<std::string> names;
  for (const GateSetEntry& entry : set.entries) names.emplace_back(gate(entry.gate).name);
  return names;
}

void define_gate_set(nb::module_& module) {
  nb::class_<GateSet>(module, "GateSet",
                      "The gates that a target offers, with the angles that they may have.")
      .def_static(
          "load", [](const std::string& name_or_path) { return load_gate_set(name_or_path); },
          nb::arg("name_or_path"),
          "Loads a bundled gate set by its name (``GateSet.bundled()``), or one from a JSON file "
          "(gatesets/README.md). Raises InputError with the place of the error, and UsageError if "
          "the argument is neither a name nor a file.")
      .def_static(
          "parse",
          [](const std::string& text, const std::string& name) {
            return parse_gate_set(text, name);
          },
          nb::arg("text"), nb::kw_only(), nb::arg("name") = "<gate set>",
          "Parses a gate set from JSON text.")
      .def_static("bundled", &bundled_gate_sets,
                  "Returns the names of the gate sets that come with Quartz, sorted.")
      .def_ro("name", &GateSet::name, "The name of the gate set.")
      .def_ro("description", &GateSet::description, "What the gate set is, in words.")
      .def_ro("digest", &GateSet::digest, "The digest of the gates, their angles and the alphabet.")
      .def_ro("default_cost", &GateSet::default_cost,
              "What is minimized in circuits of the set unless another cost is given.")
      .def_prop_ro("gates", &gate_names, "The names of the gates, in order.")
      .def(
          "translate",
          [](const GateSet& set, Circuit circuit) {
            const GilRelease release;
            return translate(circuit, set);
          },
          nb::arg("circuit"),
          "Returns the circuit in gates of the set, by exact decompositions; global phase "
          "included. Raises InputError for a gate that the set cannot express.")
      .def("__getstate__", [](const GateSet& set) { return std::pair(*set.text, set.name); })
      .def("__setstate__",
           [](GateSet& self, const std::pair<std::string, std::string>& state) {
             new (&self) GateSet(parse_gate_set(state.first, state.second));
           })
      .def("__repr__", [](const GateSet& set) { return "<quartz.GateSet: " + set.name + ">"; });
}

using Pairs = std::vector<std::pair<Qubit, Qubit>>;

/// Returns a qubit of a coupling map. Throws UsageError for a number that is not one.
Qubit qubit_of(const std::int64_t number) {
  static_assert(std::numeric_limits<Qubit>::max() == 4294967295);
  if (number < 0 || number > std::numeric_limits<Qubit>::max()) {
    throw UsageError(
        "a coupling map has pairs of qubits, whose numbers are from 0 to 4294967295, not " +
        std::to_string(number));
  }
  return static_cast<Qubit>(number);
}

/// Returns the pairs of a list of an argument. Throws TypeError for what is not such a list.
Pairs pairs_from(nb::handle value) {
  std::vector<std::pair<std::int64_t, std::int64_t>> numbers;
  if (!nb::try_cast(value, numbers)) {
    throw nb::type_error(
        ("a coupling map is made of a list of pairs of qubits such as [(0, 1), (1, 2)], not of " +
         nb::cast<std::string>(nb::repr(value)))
            .c_str());
  }
  Pairs pairs;
  for (const auto& [first, second] : numbers) {
    pairs.emplace_back(qubit_of(first), qubit_of(second));
  }
  return pairs;
}

CouplingMap coupling_of_pairs(const Pairs& pairs, bool directed) {
  CouplingMap map(directed);
  for (const auto& [first, second] : pairs) map.add(first, second);
  return map;
}

Pairs pairs_of(const CouplingMap& map) { return {map.pairs().begin(), map.pairs().end()}; }

void define_coupling(nb::module_& module) {
  nb::class_<CouplingMap>(module, "CouplingMap",
                          "The pairs of qubits that may have gates between them.")
      .def(
          "__init__",
          [](CouplingMap* self, nb::handle pairs, bool directed) {
            new (self) CouplingMap(coupling_of_pairs(pairs_from(pairs), directed));
          },
          nb::arg("pairs"), nb::kw_only(), nb::arg("directed") = false,
          nb::sig("def __init__(self, pairs: collections.abc.Sequence[tuple[int, int]], *, "
                  "directed: bool = False) -> None"),
          "Creates a map of these pairs. In a directed map, a gate that is not symmetric in its "
          "qubits, such as cx, must have the first qubit of a pair as its first operand.")
      .def_static(
          "load",
          [](const std::filesystem::path& path) {
            return parse_coupling(read_text_file(path), path.string());
          },
          nb::arg("path"), nb::sig("def load(path: str | os.PathLike[str]) -> CouplingMap"),
          "Reads a map from a JSON file (docs/formats/coupling.md).")
      .def_static("of", &coupling_of, nb::arg("circuit"),
                  "Returns the pairs on which the gates of a circuit act.")
      .def_prop_ro("directed", &CouplingMap::directed,
                   "Whether the order of the qubits of a pair matters.")
      .def_prop_ro("pairs", &pairs_of, "The pairs, in ascending order.")
      .def(
          "__eq__", [](const CouplingMap& left, const CouplingMap& right) { return left == right; },
          nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__getstate__",
           [](const CouplingMap& map) { return std::pair(pairs_of(map), map.directed()); })
      .def("__setstate__",
           [](CouplingMap& self, const std::pair<Pairs, bool>& state) {
             new (&self) CouplingMap(coupling_of_pairs(state.first, state.second));
           })
      .def("__len__", &CouplingMap::size)
      .def(
          "__contains__",
          [](const CouplingMap& map, std::pair<Qubit, Qubit> pair) {
            return map.allows(pair.first, pair.second);
          },
          nb::arg("pair"),
          "Whether a gate that is not symmetric in its qubits may act on the pair in this order.")
      .def("__repr__", [](const CouplingMap& map) {
        return "<quartz.CouplingMap: " + std::to_string(map.size()) + " pairs>";
      });
}

/// Returns a cost of a backend, or nothing.
std::optional<Cost> cost_of_backend(const std::optional<GateWeights>& weights) {
  if (!weights) return std::nullopt;
  return Cost({Objective(*weights)});
}

// The form of a device in a pickle: its name, the gates by their names in the file and in the gate
// table, the qubits, the pairs, those on which gates are missing, and the costs.
using MissingGates = std::vector<std::pair<std::string, std::vector<std::pair<Qubit, Qubit>>>>;
using BackendState =
    std::tuple<std::string, std::vector<std::string>, std::vector<std::string>, std::vector<Qubit>,
               std::optional<CouplingMap>, MissingGates, std::optional<Cost>, std::optional<Cost>>;

BackendState state_of(const Backend& backend) {
  std::vector<std::string> kinds;
  for (const GateKind kind : backend.kinds) kinds.emplace_back(gate(kind).name);
  MissingGates missing;
  for (const auto& [kind, pairs] : backend.missing) {
    missing.emplace_back(gate(kind).name, std::vector(pairs.begin(), pairs.end()));
  }
  return {backend.name,
          backend.gates,
          std::move(kinds),
          {backend.qubits.begin(), backend.qubits.end()},
          backend.coupling,
          std::move(missing),
          cost_of_backend(backend.error),
          cost_of_backend(backend.duration)};
}

/// Returns the weights of a device's cost, or nothing.
std::optional<GateWeights> weights_of(const std::optional<Cost>& cost) {
  if (!cost) return std::nullopt;
  if (cost->objectives().size() != 1 || cost->objectives().front().weights() == nullptr) {
    throw InputError("the pickle of a device has a cost without weights");
  }
  return *cost->objectives().front().weights();
}

Backend backend_from(const BackendState& state) {
  const auto& [name, gates, kinds, qubits, coupling, missing, error, duration] = state;
  Backend backend{name,
                  gates,
                  {},
                  {qubits.begin(), qubits.end()},
                  coupling,
                  {},
                  weights_of(error),
                  weights_of(duration)};
  for (const auto& [kind, pairs] : missing) {
    backend.missing[gate_of_pickle(kind).kind] = {pairs.begin(), pairs.end()};
  }
  for (const std::string& kind : kinds) backend.kinds.insert(gate_of_pickle(kind).kind);
  return backend;
}

void define_backend(nb::module_& module) {
  nb::class_<Backend>(module, "Backend",
                      "A device as its own files describe it (docs/formats/backend.md). Its qubits "
                      "are those of a circuit with the same numbers.")
      .def_static(
          "load",
          [](const std::vector<std::filesystem::path>& files) { return load_backend(files); },
          nb::arg("files"),
          nb::sig("def load(files: collections.abc.Sequence[str | os.PathLike[str]]) -> Backend"),
          "Reads one file, or the properties and the configuration of the same Qiskit backend. "
          "Raises InputError with the place of the error for a bad file, and UsageError for other "
          "combinations.")
      .def_static(
          "parse",
          [](const std::string& text, const std::string& name) {
            return parse_backend(text, name);
          },
          nb::arg("text"), nb::kw_only(), nb::arg("name") = "<backend>",
          "Parses the JSON text of one file.")
      .def_ro("name", &Backend::name, "The name of the device.")
      .def_ro("gates", &Backend::gates, "The names of the working gates in the file, sorted.")
      .def_prop_ro(
          "qubits",
          [](const Backend& backend) {
            return std::vector<Qubit>(backend.qubits.begin(), backend.qubits.end());
          },
          "The numbers of the qubits, in order.")
      .def_ro("coupling", &Backend::coupling,
              "The pairs on which a gate works; None if gates act on all pairs.")
      .def("coupling_for", &coupling_for, nb::arg("gate_set"),
           "Returns the pairs on which a gate of the set works; None if gates act on all pairs.")
      .def("_warning_of_missing_gates",
           [](const Backend& backend, const Circuit& circuit) {
             return warning_of_missing_gates(circuit, backend);
           })
      .def_prop_ro(
          "error", [](const Backend& backend) { return cost_of_backend(backend.error); },
          "The cost ``error``, minus the logarithm of the fidelity; None without error rates.")
      .def_prop_ro(
          "duration", [](const Backend& backend) { return cost_of_backend(backend.duration); },
          "The cost ``duration``, the critical path in nanoseconds; None without durations.")
      .def("gate_set_name", &gate_set_name_of,
           "Returns the name of the bundled gate set with the gates of the device, or else of the "
           "one with most of them and no others. Raises UsageError if there is none, or if two "
           "have equally many.")
      .def(
          "require_qubits",
          [](const Backend& backend, const Circuit& circuit) {
            require_qubits(circuit, backend, "the circuit");
          },
          nb::arg("circuit"),
          "Raises InputError if an operation acts on a qubit that the device does not have.")
      .def("__getstate__", [](const Backend& backend) { return state_of(backend); })
      .def("__setstate__",
           [](Backend& self, const BackendState& state) {
             new (&self) Backend(backend_from(state));
           })
      .def("__repr__", [](const Backend& backend) {
        return "<quartz.Backend: " + backend.name + ", " + std::to_string(backend.qubits.size()) +
               " qubits>";
      });
}

}  // namespace

void bind_target(nb::module_& module) {
  bind_cost(module);
  define_gate_set(module);
  define_coupling(module);
  define_backend(module);
}

}  // namespace quartz::python
