#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "input_error.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/target/cost_file.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

const std::string example_weights = std::string(QUARTZ_SOURCE_DIR) + "/costs/example_weights.json";
const std::string example_errors = std::string(QUARTZ_SOURCE_DIR) + "/costs/example_errors.json";

double weight_of(const Objective& objective, const Operation& operation) {
  return objective.gate_weight(operation);
}

/// Returns the text of a valid file, with one part of it replaced.
std::string valid_text(const std::string& what = "", const std::string& by = "") {
  std::string text = R"({
  "format": "quartz-cost",
  "version": 1,
  "name": "test",
  "description": "for tests",
  "gates": [{"gate": "h", "weight": 1.5}, {"gate": "x", "error_rate": 0.5},
            {"gate": "cz", "weight": 3, "qubits": [0, 2]}],
  "default": 2
})";
  if (!what.empty()) {
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    text.replace(at, what.size(), by);
  }
  return text;
}

}  // namespace

TEST_CASE("A cost file contains the weights in its text") {
  const GateWeights weights = parse_gate_weights(valid_text(), "t.json");
  CHECK(weights.name() == "test");
  const Objective objective = weights;
  CHECK(objective.additive());
  CHECK(objective.depends_on_qubits());
  CHECK(weight_of(objective, make_operation(GateKind::h, {0})) == 1.5);
  CHECK(weight_of(objective, make_operation(GateKind::x, {0})) == Approx(std::log(2)));
  CHECK(weight_of(objective, make_operation(GateKind::cz, {2, 0})) == 3);
  CHECK(weight_of(objective, make_operation(GateKind::cz, {1, 0})) == 2);
}

TEST_CASE("A table of error rates adds up to minus the logarithm of the fidelity") {
  const GateSet set = load_gate_set("ibm_heron");
  const Cost cost = load_cost(example_errors, set);
  using enum GateKind;
  const Circuit circuit = make_circuit(
      3, {make_operation(sx, {0}), make_operation(rz, {1}, {Angle::symbol("a")}),
          make_operation(cz, {1, 0}), make_operation(cz, {1, 2}), make_operation(cz, {0, 2})});
  const double fidelity = (1 - 2.5e-4) * (1 - 2.1e-3) * (1 - 1.4e-2) * (1 - 3e-3);
  const Objective& errors = cost.objectives()[0];
  CHECK(errors.name() == "errors");
  CHECK(errors.value(cost_of(circuit, cost).units[0]) == Approx(-std::log(fidelity)).epsilon(1e-8));
  // The default is an error rate as well.
  CHECK(weight_of(errors, make_operation(h, {0})) == Approx(1e-3).epsilon(1e-3));
}

TEST_CASE("A table of durations adds up along the critical path") {
  const GateSet set = load_gate_set("ibm_heron");
  const Cost cost =
      load_cost(std::string(QUARTZ_SOURCE_DIR) + "/costs/example_durations.json", set);
  using enum GateKind;
  Circuit circuit = make_circuit(
      3, {make_operation(sx, {0}), make_operation(rz, {1}, {Angle::symbol("a")}),
          make_operation(cz, {1, 0}), make_operation(cz, {1, 2}), make_operation(sx, {0})});
  const Objective& durations = cost.objectives()[0];
  CHECK(durations.name() == "durations");
  CHECK_FALSE(cost.additive());
  CHECK(cost.describe(cost_of(circuit, cost)) == "durations 188");
  Operation measure = make_operation(sx, {2});
  measure.kind = OperationKind::measure;
  circuit.operations.push_back(measure);
  CHECK(cost.describe(cost_of(circuit, cost)) == "durations 1748");
}

TEST_CASE("The error rates of devices fit their gate sets, and prefer one-qubit gates") {
  const std::vector<std::pair<std::string, std::string>> tables = {
      {"ibm_eagle", "ibm_eagle"},
      {"ibm_heron", "ibm_heron"},
      {"ibm_heron", "ibm_heron_fractional"},
      {"ionq_aria", "ionq_aria"},
      {"ionq_aria", "ionq_aria_full"},
      {"ionq_forte", "ionq_forte"},
      {"quantinuum", "quantinuum"},
      {"rigetti_ankaa", "rigetti_ankaa"},
      {"iqm", "iqm"},
      {"google", "google"}};
  for (const auto& [table, name] : tables) {
    INFO(table << " for " << name);
    const GateSet set = load_gate_set(name);
    const std::string path = std::string(QUARTZ_SOURCE_DIR) + "/costs/" + table + "_errors.json";
    const Cost cost = load_cost(path, set);
    double dearest_single = 0;
    double cheapest_double = 1;
    for (const GateSetEntry& entry : set.entries) {
      Operation operation;
      operation.gate = entry.gate;
      for (Qubit i = 0; i < gate(entry.gate).qubits; ++i) operation.qubits.push_back(i);
      operation.angles.resize(gate(entry.gate).parameters.size());
      const double weight = weight_of(cost.objectives()[0], operation);
      if (operation.qubits.size() == 1) dearest_single = std::max(dearest_single, weight);
      if (operation.qubits.size() == 2) cheapest_double = std::min(cheapest_double, weight);
    }
    CHECK(dearest_single < cheapest_double);
    // The bound holds for the gate's own weight: no gate takes the default.
    CHECK(cheapest_double < 0.0101);
  }
}

TEST_CASE("A cost is a name, a file, or a list of them") {
  const GateSet nam = load_gate_set("nam");
  CHECK(load_cost("two-qubit", nam).name() == "two-qubit");
  CHECK(load_cost("t,two-qubit,total,depth", nam).name() == "t,two-qubit,total,depth");
  CHECK(load_cost("two-qubit," + example_weights, nam).name() == "two-qubit,weights");
  CHECK(load_cost(example_weights + ",t", nam).name() == "weights,t");
  CHECK_FALSE(load_cost(example_weights, nam).depends_on_qubits());
  CHECK(load_cost(example_errors, nam).depends_on_qubits());
}

TEST_CASE("Invalid costs are refused") {
  const GateSet nam = load_gate_set("nam");
  struct Case {
    std::string list;
    std::string message;
  };
  for (const Case& c : {
           Case{"speed",
                "unknown cost 'speed'; known costs: total, two-qubit, t, depth, "
                "two-qubit-depth, t-depth; or give a JSON file"},
           Case{"t,speed",
                "unknown cost 'speed'; known costs: total, two-qubit, t, depth, "
                "two-qubit-depth, t-depth; or give a JSON file"},
           Case{"", "a name in the list of costs is empty"},
           Case{"t,,depth", "a name in the list of costs is empty"},
           Case{"t,", "a name in the list of costs is empty"},
           Case{"t,total,t", "the cost 't' is given twice"},
           Case{example_weights + "," + example_weights, "the cost 'weights' is given twice"},
           Case{"t,total,depth,two-qubit," + example_weights,
                "a cost has 1 to 4 objectives, found 5"},
       }) {
    INFO(c.list);
    CHECK_THROWS_MATCHES(load_cost(c.list, nam), UsageError, Catch::Message(c.message));
  }
  CHECK_THROWS_AS(load_cost("no/such/file.json", nam), InputError);
  CHECK_THROWS_AS(load_cost("none.json", nam), InputError);
}

TEST_CASE("A gate of the set without a weight is named") {
  const GateSet nam = load_gate_set("nam");
  const Objective partial = GateWeights("w", {{GateKind::h, {}, 1}, {GateKind::x, {}, 1}});
  CHECK(gate_without_weight(partial, nam) == GateKind::rz);
  CHECK_FALSE(gate_without_weight(CostKind::depth, nam).has_value());
  // A weight on certain operands only is not enough, because a search may put the gate on others.
  const Objective somewhere = GateWeights("w", {{GateKind::h, {}, 1},
                                                {GateKind::x, {}, 1},
                                                {GateKind::rz, {}, 0},
                                                {GateKind::cx, {0, 1}, 1}});
  CHECK(gate_without_weight(somewhere, nam) == GateKind::cx);
}

TEST_CASE("A table may list both directions of a pair") {
  const Objective objective = parse_gate_weights(R"({
  "format": "quartz-cost", "version": 1, "name": "backend", "errors": true,
  "gates": [{"gate": "cz", "error_rate": 0.5},
            {"gate": "cz", "qubits": [0, 1], "error_rate": 0.01},
            {"gate": "cz", "qubits": [1, 0], "error_rate": 0.01},
            {"gate": "cz", "qubits": [1, 2], "error_rate": 0.03},
            {"gate": "cz", "qubits": [2, 1], "error_rate": 0.02},
            {"gate": "cz", "qubits": [2, 3], "error_rate": 0.02},
            {"gate": "cz", "qubits": [3, 2], "error_rate": 1},
            {"gate": "cx", "qubits": [0, 1], "error_rate": 0.01},
            {"gate": "cx", "qubits": [1, 0], "error_rate": 0.02}]
})",
                                                 "t.json");
  const auto weight_on = [&](GateKind kind, Qubit first, Qubit second) {
    return weight_of(objective, make_operation(kind, {first, second}));
  };
  // A symmetric gate may be written in either order, so the greater weight counts.
  for (const bool turned : {false, true}) {
    const auto cz = [&](Qubit first, Qubit second) {
      return turned ? weight_on(GateKind::cz, second, first)
                    : weight_on(GateKind::cz, first, second);
    };
    CHECK(cz(0, 1) == Approx(-std::log(0.99)));
    CHECK(cz(1, 2) == Approx(-std::log(0.97)));
    CHECK(cz(2, 3) == 37);
    CHECK(cz(0, 3) == Approx(std::log(2)));
  }
  CHECK(weight_on(GateKind::cx, 0, 1) == Approx(-std::log(0.99)));
  CHECK(weight_on(GateKind::cx, 1, 0) == Approx(-std::log(0.98)));
}

TEST_CASE("An error rate of 1 weighs more than any other, and small rates keep their digits") {
  const Objective objective = parse_gate_weights(R"({
  "format": "quartz-cost", "version": 1, "name": "broken", "errors": true,
  "gates": [{"gate": "cz", "error_rate": 1}, {"gate": "cx", "error_rate": 0.9999999999999999},
            {"gate": "sx", "error_rate": 1e-4}],
  "default": 1.0
})",
                                                 "t.json");
  const double broken = weight_of(objective, make_operation(GateKind::cz, {0, 1}));
  CHECK(std::isfinite(broken));
  CHECK(broken > weight_of(objective, make_operation(GateKind::cx, {0, 1})));
  CHECK(weight_of(objective, make_operation(GateKind::h, {0})) == broken);
  CHECK(weight_of(objective, make_operation(GateKind::sx, {0})) ==
        Approx(-std::log1p(-1e-4)).epsilon(1e-3));
}

TEST_CASE("Errors in a cost file are reported with their location") {
  struct Case {
    const char* what;
    const char* by;
    const char* message;
  };
  const Case cases[] = {
      {"quartz-cost", "quartz-gate-set",
       "t.json: format: expected 'quartz-cost', found 'quartz-gate-set'"},
      {"\"version\": 1", "\"version\": 2", "t.json: version: expected version 1, found version 2"},
      {"\"name\": \"test\",", "", "t.json: the key 'name' is missing"},
      {"\"name\": \"test\"", "\"name\": \"\"", "t.json: name: the name is empty"},
      {"\"name\": \"test\"", "\"name\": \"t\"", "t.json: name: 't' is the name of another cost"},
      {"\"for tests\"", "7", "t.json: description: expected a string, found 7"},
      {"\"default\"", "\"defaults\"",
       "t.json: unknown key 'defaults'; known keys: format, version, name, description, source, "
       "errors, durations, gates, default"},
      {"\"h\"", "\"hadamard\"",
       "t.json: gates[0].gate: unknown gate 'hadamard'; gates have their OpenQASM names, such as "
       "h, cx"},
      {"\"gate\": \"h\", ", "", "t.json: gates[0]: the key 'gate' is missing"},
      {"1.5", "-1", "t.json: gates[0].weight: expected a weight from 0 to 1e+09, found -1"},
      {"1.5", "1e300", "t.json: gates[0].weight: expected a weight from 0 to 1e+09, found 1e+300"},
      {"1.5", "\"1.5\"", "t.json: gates[0].weight: expected a number, found \"1.5\""},
      {"1.5", "[[[1]]]", "t.json: gates[0].weight: expected a number, found an array"},
      {"1.5", "null", "t.json: gates[0].weight: expected a number, found null"},
      {"0.5", "1.001",
       "t.json: gates[1].error_rate: expected an error rate from 0 to 1, found 1.001"},
      {"0.5", "1.0000001",
       "t.json: gates[1].error_rate: expected an error rate from 0 to 1, found 1.0000001"},
      {"0.5", "-0.1",
       "t.json: gates[1].error_rate: expected an error rate from 0 to 1, found -0.1"},
      {"\"error_rate\": 0.5", "\"weight\": 1, \"error_rate\": 0.5",
       "t.json: gates[1]: 'weight' and 'error_rate' are both given"},
      {", \"error_rate\": 0.5", "", "t.json: gates[1]: the key 'weight' is missing"},
      {"\"x\"", "\"h\"", "t.json: gates[1]: h is given twice"},
      {"{\"gate\": \"x\"", "{\"gate\": \"cz\", \"qubits\": [0, 2]",
       "t.json: gates[2]: cz is given twice on qubits 0, 2"},
      {"[0, 2]", "[0]", "t.json: gates[2].qubits: cz has 2 operands, found 1"},
      {"[0, 2]", "[]", "t.json: gates[2].qubits: cz has 2 operands, found 0"},
      {"[0, 2]", "[2, 2]", "t.json: gates[2].qubits[1]: qubit 2 is given twice"},
      {"[0, 2]", "[0, -2]", "t.json: gates[2].qubits[1]: expected a whole number, found -2"},
      {"[0, 2]", "[0, 1e1]", "t.json: gates[2].qubits[1]: expected a whole number, found 10.0"},
      {"[0, 2]", "[0, 4294967296]",
       "t.json: gates[2].qubits[1]: the qubit number 4294967296 is too large"},
      {"\"default\": 2", "\"default\": -2",
       "t.json: default: expected a weight from 0 to 1e+09, found -2"},
      {"\"default\": 2", "\"default\": 2, \"errors\": 1",
       "t.json: errors: expected true or false, found 1"},
      {"\"default\": 2", "\"default\": 0.2, \"errors\": true",
       "t.json: gates[0].weight: in a table of errors every gate has an 'error_rate' instead"},
      {"\"default\": 2", "\"default\": 2, \"durations\": true, \"errors\": true",
       "t.json: durations: 'errors' and 'durations' are both true"},
      {"\"default\": 2", "\"default\": 2, \"durations\": true",
       "t.json: gates[0].weight: in a table of durations every gate has a 'duration_ns' instead"},
      {"\"weight\": 1.5", "\"duration_ns\": 30",
       "t.json: gates[0].duration_ns: in a table of weights every gate has a 'weight' instead"},
      {"\"gate\": \"h\"", "\"gate\": \"measure\"",
       "t.json: gates[0].gate: 'measure' may only have a duration"},
      {"\"default\": 2", "\"default\": 2, \"default\": 3",
       "t.json: the key 'default' is given twice"},
  };
  for (const Case& c : cases) {
    INFO(c.what << " -> " << c.by);
    CHECK(without_place(input_error_of([&] {
            (void)parse_gate_weights(valid_text(c.what, c.by), "t.json");
          })) == without_place(c.message));
  }
  CHECK_THROWS_WITH(parse_gate_weights(valid_text("1.5", "1.5.5"), "t.json"),
                    Catch::StartsWith("t.json:6:"));
  const std::string text = valid_text();
  for (std::size_t size = 0; size < text.size(); ++size) {
    CHECK_THROWS_AS(parse_gate_weights(text.substr(0, size), "t.json"), InputError);
  }
}

TEST_CASE("An extremely deeply nested value is refused without a stack overflow") {
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  CHECK_THROWS_WITH(parse_gate_weights(valid_text("1.5", deep), "t.json"),
                    "t.json:6:37: gates[0].weight: expected a number, found an array");
}
