#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "input_error.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/base/files.hpp"
#include "quartz/circuit/cost.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/backend.hpp"
#include "quartz/target/cost_file.hpp"
#include "quartz/target/gate_set.hpp"
#include "temporary_folder.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

/// Returns an entry of the gates of a properties file.
std::string gate_entry(const std::string& gate, const std::string& qubits, const std::string& error,
                       const std::string& length) {
  return R"({"gate": ")" + gate + R"(", "qubits": )" + qubits +
         R"(, "parameters": [{"name": "gate_error", "unit": "", "value": )" + error +
         R"(}, {"name": "gate_length", "unit": "ns", "value": )" + length + "}]}";
}

/// Four qubits on a line, of which the last two are not coupled: their gate is broken.
const std::string properties =
    R"({"backend_name": "toy", "general": [], "qubits": [
  [{"name": "T1", "unit": "us", "value": 100}, {"name": "readout_length", "unit": "ns", "value": 1500}],
  [{"name": "readout_length", "unit": "us", "value": 2}], [], []],
"gates": [)" +
    gate_entry("rz", "[0]", "0", "0") + ", " + gate_entry("sx", "[0]", "1e-3", "30") + ", " +
    gate_entry("sx", "[1]", "2e-3", "40") + ", " + gate_entry("sx", "[2]", "3e-3", "50") + ", " +
    gate_entry("x", "[0]", "1e-3", "30") + ", " + gate_entry("id", "[0]", "1e-3", "30") + ", " +
    gate_entry("cz", "[0, 1]", "0.01", "300") + ", " + gate_entry("cz", "[1, 0]", "0.02", "300") +
    ", " + gate_entry("cz", "[1, 2]", "0.03", "500") + ", " +
    gate_entry("cz", "[2, 3]", "1", "68") + ", " + gate_entry("rzz", "[0, 1]", "1", "68") + R"(,
  {"gate": "reset", "qubits": [0], "parameters": [{"name": "gate_length", "unit": "ns", "value": 1788}]}
]})";

const std::string configuration = R"({"backend_name": "toy", "n_qubits": 4, "simulator": false,
  "basis_gates": ["cz", "id", "rz", "sx", "x", "reset"],
  "coupling_map": [[0, 1], [1, 0], [1, 2], [2, 3], [0, 3]]})";

/// The device properties of a maker with per-qubit fidelities, as of IQM.
const std::string braket = R"({
  "paradigm": {"qubitCount": 3, "nativeGateSet": ["CZ", "PRX"], "connectivity": {
    "fullyConnected": false, "connectivityGraph": {"1": ["2"], "2": ["1", "4"], "4": ["2"]}}},
  "standardized": {
    "oneQubitProperties": {
      "1": {"oneQubitFidelity": [{"fidelityType": {"name": "READOUT"}, "fidelity": 0.9},
             {"fidelityType": {"name": "SIMULTANEOUS_RANDOMIZED_BENCHMARKING"}, "fidelity": 0.998}]},
      "2": {"oneQubitFidelity": [{"fidelityType": {"name": "RANDOMIZED_BENCHMARKING"}, "fidelity": 0.999}]},
      "4": {"oneQubitFidelity": []}},
    "twoQubitProperties": {
      "1-2": {"twoQubitGateFidelity": [{"direction": null, "gateName": "CZ", "fidelity": 0.99,
              "fidelityType": {"name": "INTERLEAVED_RANDOMIZED_BENCHMARKING"}}]}}},
  "provider": {"properties": {}}})";

/// The device properties of IonQ, with the same values for all pairs.
const std::string ionq = R"({
  "paradigm": {"qubitCount": 5, "nativeGateSet": ["GPI", "GPI2", "ZZ"], "connectivity": {
    "fullyConnected": true, "connectivityGraph": {}}},
  "provider": {"fidelity": {"1Q": {"mean": 0.999}, "2Q": {"mean": 0.99}, "spam": {"mean": 0.99}},
    "timing": {"T1": 100, "1Q": 1.1e-05, "2Q": 0.00021, "readout": 0.000175, "reset": 3.5e-05}}})";

/// Returns the weight of an operation in an objective of a backend.
double weight(const std::optional<GateWeights>& weights, const Operation& operation) {
  return Objective(weights.value()).gate_weight(operation);
}

double weight_of_rate(double rate) { return -std::log1p(-rate); }

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

/// Returns the message of the UsageError that the action throws.
template <typename Action>
std::string usage_error_of(Action action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no UsageError";
}

}  // namespace

TEST_CASE("The properties of a Qiskit backend give its gates, pairs, errors and durations") {
  using enum GateKind;
  const Backend backend = parse_backend(properties, "props.json");
  CHECK(backend.name == "toy");
  // rzz works nowhere; reset is no gate.
  CHECK(backend.gates == std::vector<std::string>{"cz", "id", "rz", "sx", "x"});
  CHECK(backend.kinds == std::set{cz, rz, sx, x});
  CHECK(backend.qubits == std::set<Qubit>{0, 1, 2, 3});
  CHECK(gate_set_name_of(backend) == "ibm_heron");
  REQUIRE(backend.coupling.has_value());
  CHECK(backend.coupling->size() == 2);
  CHECK(backend.coupling->contains(0, 1));
  CHECK(backend.coupling->contains(1, 2));
  CHECK_FALSE(backend.coupling->directed());

  CHECK(weight(backend.error, make_operation(rz, {3}, {Angle()})) == 0);
  CHECK(weight(backend.error, make_operation(sx, {0})) == Approx(weight_of_rate(1e-3)));
  CHECK(weight(backend.error, make_operation(cz, {2, 1})) == Approx(weight_of_rate(0.03)));
  // The worse of both directions counts, because cz may be written in either.
  CHECK(weight(backend.error, make_operation(cz, {0, 1})) == Approx(weight_of_rate(0.02)));
  CHECK(weight(backend.error, make_operation(cz, {3, 2})) == Approx(37));
  // The median of the others holds where there is no calibration.
  CHECK(weight(backend.error, make_operation(sx, {3})) == Approx(weight_of_rate(2e-3)));
  CHECK(weight(backend.duration, make_operation(sx, {3})) == 40);
  CHECK(weight(backend.duration, make_operation(cz, {1, 2})) == 500);
  Operation other = make_operation(x, {1});
  other.kind = OperationKind::measure;
  CHECK(weight(backend.duration, other) == 2000);
  CHECK(weight(backend.error, other) == 0);
  other.kind = OperationKind::reset;
  CHECK(weight(backend.duration, other) == 1788);
}

TEST_CASE("The configuration of a Qiskit backend gives its gates and pairs") {
  const Backend backend = parse_backend(configuration, "conf.json");
  CHECK(gate_set_name_of(backend) == "ibm_heron");
  REQUIRE(backend.coupling.has_value());
  CHECK(backend.coupling->size() == 4);
  CHECK_FALSE(backend.error.has_value());
  CHECK_FALSE(backend.duration.has_value());
  const GateSet set = load_gate_set("ibm_heron");
  CHECK(usage_error_of([&] { (void)load_cost("two-qubit,error", set, {}, &backend); }) ==
        "the cost 'error': the files of toy have no error rates");
  const Backend simulator = parse_backend(
      R"({"basis_gates": ["u3", "cx"], "n_qubits": 24, "coupling_map": null})", "sim.json");
  CHECK_FALSE(simulator.coupling.has_value());
  CHECK(simulator.name == "sim.json");
}

TEST_CASE("Both files of a Qiskit backend may be given in any order") {
  const TemporaryFolder folder;
  const std::filesystem::path props = folder / "props.json";
  const std::filesystem::path conf = folder / "conf.json";
  write_text_file(props, properties);
  write_text_file(conf, configuration);
  for (const std::vector<std::filesystem::path>& files :
       {std::vector{props, conf}, std::vector{conf, props}}) {
    const Backend backend = load_backend(files);
    REQUIRE(backend.coupling.has_value());
    // The pair 2, 3 is broken; the pair 0, 3 is not calibrated.
    CHECK(backend.coupling->size() == 3);
    CHECK(backend.coupling->contains(0, 3));
    CHECK_FALSE(backend.coupling->contains(2, 3));
    CHECK(backend.error.has_value());
  }
  CHECK_THAT(usage_error_of([&] {
               (void)load_backend(std::vector{props, props});
             }),
             Catch::Contains("found the properties of a Qiskit backend twice"));
  write_text_file(conf, replaced(configuration, "\"n_qubits\": 4", "\"n_qubits\": 5"));
  CHECK_THAT(usage_error_of([&] {
               (void)load_backend(std::vector{conf, props});
             }),
             Catch::EndsWith("are of different backends: with 4 and 5 qubits"));
  write_text_file(conf, replaced(configuration, "toy", "tin"));
  CHECK_THAT(usage_error_of([&] {
               (void)load_backend(std::vector{conf, props});
             }),
             Catch::EndsWith("are of different backends: toy and tin"));
  CHECK_THAT(usage_error_of([&] { (void)load_backend({}); }), Catch::Contains("one or two files"));
}

TEST_CASE("The direction of a gate is that of its calibration") {
  std::string text = properties;
  for (std::size_t at = 0; (at = text.find("\"cz\"", at)) != std::string::npos; ++at) {
    text.replace(at, 4, "\"ecr\"");
  }
  const Backend backend = parse_backend(text, "props.json");
  CHECK(gate_set_name_of(backend) == "ibm_eagle");
  REQUIRE(backend.coupling.has_value());
  CHECK(backend.coupling->directed());
  CHECK(backend.coupling->allows(0, 1));
  CHECK(backend.coupling->allows(1, 0));
  CHECK(backend.coupling->allows(1, 2));
  CHECK_FALSE(backend.coupling->allows(2, 1));
}

TEST_CASE("A symmetric gate gives no direction to the other gates on its pair") {
  const auto of = [](const std::string& qubits, const std::string& gate) {
    return gate_entry(gate, qubits, "0.01", "300");
  };
  const Backend backend = parse_backend(
      R"({"backend_name": "toy", "qubits": [[], [], []], "gates": [)" + of("[0, 1]", "cx") + ", " +
          of("[0, 1]", "rzz") + ", " + of("[2, 1]", "rzz") + "]}",
      "props.json");
  REQUIRE(backend.coupling.has_value());
  CHECK(backend.coupling->directed());
  CHECK(backend.coupling->allows(0, 1));
  CHECK_FALSE(backend.coupling->allows(1, 0));
  CHECK(backend.coupling->allows(1, 2));
  CHECK(backend.coupling->allows(2, 1));
}

TEST_CASE("A gate is missing on the pairs on which only other gates work") {
  using enum GateKind;
  const auto of = [](const std::string& qubits, const std::string& gate,
                     const std::string& error = "0.01") {
    return gate_entry(gate, qubits, error, "300");
  };
  const Backend backend = parse_backend(
      R"({"backend_name": "toy", "qubits": [[], [], [], []], "gates": [)" + of("[0, 1]", "cz") +
          ", " + of("[1, 2]", "ecr") + ", " + of("[2, 3]", "cz") + ", " + of("[2, 3]", "rzz") +
          ", " + of("[0, 1]", "rzz", "1") + ", " + of("[0]", "sx") + ", " + of("[0]", "rz") + ", " +
          of("[0]", "x") + "]}",
      "props.json");
  const auto pairs_of = [&](const char* set) {
    return coupling_for(backend, load_gate_set(set))->pairs();
  };
  using Pairs = std::set<std::pair<Qubit, Qubit>>;
  CHECK(backend.coupling->size() == 3);
  CHECK(backend.missing.at(cz) == Pairs{{1, 2}});
  CHECK(backend.missing.at(rzz) == Pairs{{0, 1}, {1, 2}});
  CHECK(backend.missing.at(ecr) == Pairs{{0, 1}, {2, 3}});
  // Gates of the set act only on pairs on which one of them works.
  for (const auto& [first, second] : pairs_of("ibm_heron")) {
    CHECK(std::minmax(first, second) != std::pair<const Qubit&, const Qubit&>(1, 2));
  }
  CHECK(pairs_of("ibm_eagle") == Pairs{{1, 2}});
  // What is missing is as expensive as what is broken.
  CHECK(weight(backend.error, make_operation(cz, {2, 1})) == Approx(37));
  CHECK(weight(backend.error, make_operation(ecr, {1, 0})) == Approx(37));
  CHECK(weight(backend.error, make_operation(cz, {0, 1})) == Approx(weight_of_rate(0.01)));
  CHECK(weight(backend.duration, make_operation(rzz, {0, 1})) == 3000);
  CHECK(warning_of_missing_gates(
            make_circuit(4, {make_operation(cz, {0, 1}), make_operation(rzz, {2, 3}, {Angle()}),
                             make_operation(rzz, {1, 0}, {Angle()})}),
            backend) ==
        "1 gate of the result is on qubits on which toy has other gates only, the first one 'rzz' "
        "on qubits 1 and 0");
  CHECK_FALSE(warning_of_missing_gates(make_circuit(4, {make_operation(cz, {3, 2})}), backend));
  // A device whose gates work on the same pairs misses none.
  CHECK(parse_backend(braket, "garnet.json").missing.empty());
}

TEST_CASE("A statement that is kept is on no qubit that a device lacks") {
  const Backend backend = parse_backend(braket, "garnet.json");  // its qubits are 1, 2 and 4
  const Circuit circuit = parse_qasm(
      "OPENQASM 3.0; include \"stdgates.inc\"; x $1;\n#pragma braket result state_vector\n");
  REQUIRE_NOTHROW(require_qubits(circuit, backend, "the circuit"));
  const Circuit other = parse_qasm("OPENQASM 3.0; include \"stdgates.inc\"; x $3;");
  CHECK_THROWS_AS(require_qubits(other, backend, "the circuit"), InputError);
}

TEST_CASE("What is not operational is broken") {
  const std::string broken_qubit =
      replaced(properties, "[], []]", R"([{"name": "operational", "value": 0}], []])");
  const Backend backend = parse_backend(broken_qubit, "props.json");
  REQUIRE(backend.coupling.has_value());
  CHECK(backend.coupling->size() == 1);
  CHECK(weight(backend.error, make_operation(GateKind::sx, {2})) == Approx(37));
}

TEST_CASE("Device properties of Braket give gates, pairs and error rates") {
  using enum GateKind;
  const Backend backend = parse_backend(braket, "garnet.json");
  CHECK(backend.name == "garnet.json");
  CHECK(backend.qubits == std::set<Qubit>{1, 2, 4});
  CHECK(gate_set_name_of(backend) == "iqm");
  REQUIRE(backend.coupling.has_value());
  CHECK(backend.coupling->size() == 2);
  CHECK_FALSE(backend.coupling->contains(1, 4));
  const std::vector<Angle> angles{Angle(), Angle()};
  CHECK(weight(backend.error, make_operation(r, {1}, angles)) == Approx(weight_of_rate(2e-3)));
  CHECK(weight(backend.error, make_operation(cz, {2, 1})) == Approx(weight_of_rate(0.01)));
  CHECK(weight(backend.error, make_operation(cz, {2, 4})) == Approx(weight_of_rate(0.01)));
  CHECK_FALSE(backend.duration.has_value());
}

TEST_CASE("Device properties of Braket may have values for all qubits together") {
  using enum GateKind;
  const Backend backend = parse_backend(ionq, "forte.json");
  CHECK(gate_set_name_of(backend) == "ionq_forte");
  CHECK(backend.qubits.size() == 5);
  CHECK_FALSE(backend.coupling.has_value());
  CHECK(weight(backend.error, make_operation(rzz, {4, 2}, {Angle()})) ==
        Approx(weight_of_rate(0.01)));
  CHECK(weight(backend.duration, make_operation(gpi, {0}, {Angle()})) == Approx(11000));
  CHECK(weight(backend.duration, make_operation(rzz, {0, 1}, {Angle()})) == Approx(210000));
  const Backend newer = parse_backend(
      R"({"paradigm": {"qubitCount": 2, "nativeGateSet": ["rx", "rz", "cz"], "connectivity":
          {"fullyConnected": true, "connectivityGraph": {}}}, "standardized": {
          "oneQubitProperties": {},
          "SingleQubitGateDuration": {"value": 15, "unit": "us"},
          "TwoQubitGateDuration": {"value": 0.2, "unit": "ms"},
          "TwoQubitGateFidelity": [{"fidelityType": null, "fidelity": 0.98, "unit": "fraction"}]}})",
      "aqt.json");
  CHECK(gate_set_name_of(newer) == "rigetti");
  CHECK(weight(newer.duration, make_operation(rx, {0}, {Angle()})) == 15000);
  CHECK(weight(newer.duration, make_operation(rz, {0}, {Angle()})) == 0);
  CHECK(weight(newer.duration, make_operation(cz, {0, 1})) == 200000);
  CHECK(weight(newer.error, make_operation(cz, {0, 1})) == Approx(weight_of_rate(0.02)));
}

TEST_CASE("A gate set is chosen only if there is one best") {
  const auto set_for = [](const std::string& gates) {
    const Backend backend = parse_backend(
        R"({"n_qubits": 2, "coupling_map": [[0, 1]], "basis_gates": [)" + gates + "]}", "c.json");
    return gate_set_name_of(backend);
  };
  CHECK(set_for(R"("id", "rz", "sx", "x", "cx", "reset")") == "ibm");
  CHECK(set_for(R"("u1", "u2", "u3", "cx")") == "ibm_u");
  CHECK(set_for(R"("rz", "sx", "x", "rx", "cz", "rzz")") == "ibm_heron_fractional");
  CHECK(set_for(R"("gpi", "gpi2", "ms")") == "ionq_aria");
  // The set may leave out gates of the device.
  CHECK(set_for(R"("rx", "rz", "cz", "xy", "cp")") == "rigetti");
  CHECK_THAT(usage_error_of([&] { (void)set_for(R"("rz", "sx", "x", "cx", "ecr")"); }),
             Catch::StartsWith("c.json, which has the gates cx, ecr, rz, sx, x: the gate sets ibm "
                               "and ibm_eagle have equally many of them; choose one"));
  CHECK_THAT(usage_error_of([&] { (void)set_for(R"("rz", "sx", "x")"); }),
             Catch::Contains("no bundled gate set has only such gates"));
}

TEST_CASE("The costs of a device need its files, and a value for each gate of the set") {
  const GateSet heron = load_gate_set("ibm_heron");
  const Backend backend = parse_backend(properties, "props.json");
  const Cost cost = load_cost("two-qubit,error,duration", heron, {}, &backend);
  CHECK(cost.name() == "two-qubit,error,duration");
  CHECK_FALSE(cost.additive());
  CHECK(cost.depends_on_qubits());
  CHECK_THAT(usage_error_of([&] { (void)load_cost("error", heron); }),
             Catch::Contains("--backend-json"));
  CHECK(usage_error_of([&] { (void)load_cost("error", load_gate_set("nam"), {}, &backend); }) ==
        "the cost 'error': the files of toy, which has the gates cz, id, rz, sx, x, have no error "
        "rate of h, a gate of the gate set 'nam'");
}

TEST_CASE("Operations must be on qubits of the device") {
  const Backend backend = parse_backend(braket, "garnet.json");
  const Circuit good = make_circuit(7, {make_operation(GateKind::h, {4})});
  CHECK_NOTHROW(require_qubits(good, backend, "in.qasm"));
  const Circuit bad = make_circuit(7, {make_operation(GateKind::h, {3})});
  CHECK(input_error_of([&] { require_qubits(bad, backend, "in.qasm"); }) ==
        "in.qasm: an operation acts on qubit 3, which garnet.json with 3 qubits from 1 to 4 does "
        "not have");
}

TEST_CASE("Errors in a device's file are reported with their location") {
  struct Case {
    const std::string& text;
    const char* what;
    const char* by;
    const char* message;
  };
  const Case cases[] = {
      {properties, "0.01", "1.01",
       "b.json: gates[6].parameters[0].value: expected a number from 0 to 1, found 1.01"},
      {properties, "0.01", "\"a\"",
       "b.json: gates[6].parameters[0].value: expected a number, found \"a\""},
      {properties, "\"value\": 300", "\"value\": -300",
       "b.json: gates[6].parameters[1].value: expected a duration from 0 to 1 s, found -300 ns"},
      {properties, "\"us\", \"value\": 2}", "\"parsecs\", \"value\": 2}",
       "b.json: qubits[1][0].unit: expected the unit s, ms, us or ns, found 'parsecs'"},
      {properties, "[1, 2]", "[1, 4]",
       "b.json: gates[8].qubits[1]: the backend has qubits 0 to 3, found 4"},
      {properties, "[1, 2]", "[1, 1]", "b.json: gates[8].qubits: a qubit is given twice"},
      {properties, "[1, 2]", "[1, -1]",
       "b.json: gates[8].qubits[1]: expected the number of a qubit, found '-1'"},
      {properties, "\"gate\": \"rz\", ", "", "b.json: gates[0]: the key 'gate' is missing"},
      {properties, "\"gates\": [", "\"gate\": [",
       "b.json: expected the properties of a Qiskit backend (with the keys 'gates' and 'qubits'), "
       "its configuration ('basis_gates'), or the device properties of Amazon Braket ('paradigm')"},
      {configuration, "\"n_qubits\": 4", "\"n_qubits\": 4000000000",
       "b.json: n_qubits: expected at most 1000000 qubits, found 4000000000"},
      {configuration, "[0, 3]", "[0, 3, 1]",
       "b.json: coupling_map[4]: expected two qubits, found 3 elements"},
      {configuration, "[0, 3]", "[0, 0]", "b.json: coupling_map[4]: a qubit is given twice"},
      {configuration, "\"cz\"", "7", "b.json: basis_gates[0]: expected a string, found 7"},
      {braket, "0.998", "99.8",
       "b.json: standardized.oneQubitProperties.1.oneQubitFidelity[1].fidelity: expected a number "
       "from 0 to 1, found 99.8"},
      {braket, "\"1-2\"", "\"12\"",
       "b.json: standardized.twoQubitProperties.12: expected a key of two qubits such as '0-1', "
       "found '12'"},
      {braket, "\"1-2\"", "\"2-2\"",
       "b.json: standardized.twoQubitProperties.2-2: qubit 2 is coupled with itself"},
      {braket, "\"1\": [\"2\"]", "\"1\": [\"q2\"]",
       "b.json: paradigm.connectivity.connectivityGraph.1[0]: expected the number of a qubit, "
       "found "
       "'q2'"},
      {braket, "\"1\": [\"2\"]", "\"1\": [\"1\"]",
       "b.json: paradigm.connectivity.connectivityGraph.1[0]: qubit 1 is coupled with itself"},
      {braket, "\"fullyConnected\": false", "\"fullyConnected\": 0",
       "b.json: paradigm.connectivity.fullyConnected: expected true or false, found 0"},
      {ionq, "0.00021", "2e3",
       "b.json: provider.timing.2Q: expected a duration from 0 to 1 s, found 2e+12 ns"},
  };
  for (const Case& c : cases) {
    INFO(c.what << " -> " << c.by);
    CHECK(without_place(input_error_of([&] {
            (void)parse_backend(replaced(c.text, c.what, c.by), "b.json");
          })) == c.message);
  }
  CHECK(input_error_of([&] { (void)parse_backend("[]", "b.json"); }).starts_with("b.json:1:1: "));
  CHECK(without_place(input_error_of([&] {
          (void)parse_backend("{", "b.json");
        })).starts_with("b.json: invalid JSON: "));
  for (const char* const name : {"NaN", "Infinity"}) {
    CHECK_THAT(input_error_of([&] {
                 (void)parse_backend(R"({"value": -)" + std::string(name) + "}", "b.json");
               }),
               Catch::Contains("invalid JSON") &&
                   Catch::EndsWith("; JSON has no " + std::string(name) +
                                   ": leave out values that are not known"));
  }
}
