#include "quartz/rules/rule_set.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "python/bindings/bindings.hpp"
#include "python/bindings/gil_release.hpp"
#include "python/bindings/pickling.hpp"
#include "quartz/base/files.hpp"
#include "quartz/rules/tket_rules.hpp"

namespace quartz::python {
namespace {

/// Returns a rule set of a gate set without any rules.
RuleSet empty_rule_set(const GateSet& set) {
  RuleSet rules;
  rules.gate_set = set.name;
  rules.gate_set_digest = set.digest;
  return rules;
}

/// Returns the custom gates of the rules, and their text.
std::pair<nb::tuple, std::string> pickle_of(const RuleSet& rules) {
  std::vector<Operation> gates;
  for (const EquivalenceClass& each : rules.classes) {
    for (const ClassMember& member : each.members) {
      gates.insert(gates.end(), member.gates.begin(), member.gates.end());
    }
  }
  return {gate_definitions(gates), write_rule_set(rules)};
}

}  // namespace

void bind_rule_set(nb::module_& module) {
  nb::class_<RuleSet>(module, "RuleSet",
                      "Classes of equal circuits of a gate set, from which backtracking takes its "
                      "rules. ``len(rules)`` is the number of classes.")
      .def_static(
          "load",
          [](const std::filesystem::path& path, const GateSet* gate_set) {
            return read_rule_set_file(path, {}, custom_gates_of(gate_set));
          },
          nb::arg("path"), nb::arg("gate_set").none() = nb::none(), nb::call_guard<GilRelease>(),
          nb::sig("def load(path: str | os.PathLike[str], gate_set: GateSet | None = None) "
                  "-> RuleSet"),
          "Reads a file that ``write`` or quartz-gen wrote, compressed (Zstandard) or not. Rules "
          "with custom gates need the ``gate_set`` that declares these. Raises InputError for a "
          "file that is truncated, damaged, edited or of another version.")
      .def_static("bundled", &bundled_rule_set, nb::arg("gate_set"),
                  "Returns the rules that come with Quartz for a gate set; None if there are none.")
      .def_static("empty", &empty_rule_set, nb::arg("gate_set"),
                  "Returns a rule set of the gate set without rules. With it, nothing is generated "
                  "for a search, and backtracking finds nothing.")
      .def(
          "write",
          [](const RuleSet& rules, const std::filesystem::path& path) {
            write_text_file(path, rule_set_file_content(rules, path));
          },
          nb::arg("path"), nb::call_guard<GilRelease>(),
          nb::sig("def write(self, path: str | os.PathLike[str]) -> None"),
          "Writes the rules to a file, compressed if its name ends with ``.zst``. Raises "
          "InputError if it cannot be written.")
      .def(
          "to_tket", [](const RuleSet& rules) { return write_tket_rules(rules).text; },
          nb::call_guard<GilRelease>(),
          "Returns the rules as JSON in the format that badger, the optimizer of tket, reads. "
          "Circuits with gates that badger does not know are omitted.")
      .def("__getstate__", &pickle_of)
      .def("__setstate__",
           [](RuleSet& self, const std::pair<nb::tuple, std::string>& state) {
             const CustomGates gates = define_gates(state.first);
             new (&self) RuleSet(parse_rule_set(state.second, "the pickle", {}, gates));
           })
      .def("__len__", [](const RuleSet& rules) { return rules.classes.size(); })
      .def_ro("gate_set", &RuleSet::gate_set, "The name of the gate set.")
      .def_ro("gate_set_digest", &RuleSet::gate_set_digest, "The digest of the gate set.")
      .def_ro("gates", &RuleSet::gates, "The largest number of gates of an enumerated circuit.")
      .def_ro("qubits", &RuleSet::qubits, "The number of qubits of the enumerated circuits.")
      .def_ro("parameters", &RuleSet::parameters, "The number of free parameters of the rules.")
      .def_prop_ro("circuit_count", &RuleSet::circuit_count,
                   "The number of circuits in all classes.")
      .def_prop_ro("rule_count", &RuleSet::rule_count,
                   "The number of ordered pairs of circuits within the classes.")
      .def("__repr__", [](const RuleSet& rules) {
        return "<quartz.RuleSet: " + rules.gate_set + ", " + std::to_string(rules.rule_count()) +
               " rules>";
      });
}

}  // namespace quartz::python
