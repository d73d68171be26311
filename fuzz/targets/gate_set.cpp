#include "quartz/target/gate_set.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "child_process.hpp"
#include "quartz/circuit/gate.hpp"
#include "target.hpp"

namespace quartz::fuzz::gate_set {
namespace {

/// Returns the gate that a translation is for, on its own operands, with angles that few sets list.
Circuit circuit_of(const Translation& translation) {
  const Gate& row = gate(translation.gate);
  Circuit circuit;
  circuit.qubit_registers = {{"q", 0, static_cast<std::uint32_t>(row.qubits)}};
  AngleList angles(row.parameters.size(), Angle::pi_times(Rational(1, 4)));
  circuit.operations = {on_own_operands(row, std::move(angles))};
  return circuit;
}

void run_in_this_process(std::string_view input) {
  const auto set = read([&] { return parse_gate_set(input, input_name); });
  if (!set) return;
  require_whole_text(input,
                     [](const std::string& longer) { return parse_gate_set(longer, input_name); });
  require(!set->entries.empty(), "a gate set has gates");
  require(parse_gate_set(input, input_name).digest == set->digest,
          "a gate set that is read twice is the same");
  // A translation takes much longer than reading, so that only those of the file are tested.
  if (set->translations.empty()) return;
  const auto translated =
      read([&] { return translate(circuit_of(set->translations.front()), *set); }, "");
  require(!translated ||
              std::ranges::all_of(translated->operations,
                                  [&](const Operation& each) { return set->contains(each); }),
          "a translated circuit is in the set");
}

/// Returns whether the file may define gates, which a process cannot undo.
bool may_define_gates(std::string_view input) {
  return input.find("matrix") != std::string_view::npos ||
         input.find("gate ") != std::string_view::npos ||
         input.find('\\') != std::string_view::npos;
}

}  // namespace

void run(std::string_view input) {
  // What is computed once for each gate of the table is computed here, not in each child process.
  static const bool is_warm = [] {
    for (const std::string& set : repository_files("gatesets", ".json")) run_in_this_process(set);
    return true;
  }();
  static_cast<void>(is_warm);
  if (may_define_gates(input)) {
    run_in_child([&] { run_in_this_process(input); });
  } else {
    run_in_this_process(input);
  }
}

std::vector<std::string> seeds() {
  std::vector<std::string> seeds = repository_files("gatesets", ".json");
  for (std::string& example : repository_files("gatesets/examples", ".json")) {
    seeds.push_back(std::move(example));
  }
  seeds.emplace_back(R"json({"format": "quartz-gate-set", "version": 1, "name": "m", "gates": [
{"gate": "m", "qubits": 1, "parameters": ["a"],
"matrix": [["exp(-i*a/2)", 0], [0, "exp(i*a/2)"]], "ranges": {"a": ["-pi/2", "pi"]}},
{"gate": "rz", "angles": [["pi/4"], ["-pi/2"]]},
{"gate": "gate n(b) x { m(2*b+pi) x; gphase(b); }", "angle_unit": "turns"},
{"gate": "y2", "qubits": 1,
"matrix": [["1/sqrt(2)", "-sin(pi/4)"], ["(1+i)*(1-i)/2/sqrt(2)", "cos(pi/4)"]]}],
"alphabet": {"parameters": 1, "expressions": ["p0"]}, "default_cost": "t,total"})json");
  return seeds;
}

}  // namespace quartz::fuzz::gate_set
