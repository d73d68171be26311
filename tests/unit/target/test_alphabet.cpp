#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "quartz/base/errors.hpp"
#include "quartz/circuit/gate.hpp"
#include "quartz/target/gate_set.hpp"

using namespace quartz;

namespace {

/// Returns a text such as "cx 0 1" or "rz(2*p0) 2".
std::string text_of(const Operation& operation) {
  std::string text(gate(operation.gate).name);
  for (std::size_t i = 0; i < operation.angles.size(); ++i) {
    text += (i == 0 ? "(" : ", ") + operation.angles[i].to_string();
  }
  if (!operation.angles.empty()) text += ")";
  for (const Qubit qubit : operation.qubits) text += " " + std::to_string(qubit);
  return text;
}

std::vector<std::string> letters(const GateSet& set, unsigned qubits) {
  std::vector<std::string> texts;
  for (const Operation& letter : alphabet(set, qubits)) texts.push_back(text_of(letter));
  return texts;
}

GateSet with_gates(const std::string& gates, const std::string& expressions = R"(["p0", "p1"])") {
  return parse_gate_set(R"({"format": "quartz-gate-set", "version": 1, "name": "test", "gates": )" +
                            gates + R"(, "alphabet": {"parameters": 2, "expressions": )" +
                            expressions + "}}",
                        "test.json");
}

}  // namespace

TEST_CASE("The set nam on 3 qubits has 27 letters in canonical order") {
  CHECK(letters(load_gate_set("nam"), 3) ==
        std::vector<std::string>{"h 0",        "h 1",      "h 2",      "x 0",        "x 1",
                                 "x 2",        "rz(p0) 0", "rz(p1) 0", "rz(2*p0) 0", "rz(p0+p1) 0",
                                 "rz(2*p1) 0", "rz(p0) 1", "rz(p1) 1", "rz(2*p0) 1", "rz(p0+p1) 1",
                                 "rz(2*p1) 1", "rz(p0) 2", "rz(p1) 2", "rz(2*p0) 2", "rz(p0+p1) 2",
                                 "rz(2*p1) 2", "cx 0 1",   "cx 0 2",   "cx 1 0",     "cx 1 2",
                                 "cx 2 0",     "cx 2 1"});
}

TEST_CASE("The bundled sets have the letters that follow from their definitions") {
  CHECK(alphabet(load_gate_set("clifford_t"), 3).size() == 7 * 3 + 6);
  CHECK(alphabet(load_gate_set("ibm"), 3).size() == 3 * 5 + 3 + 3 + 6);
  CHECK(alphabet(load_gate_set("ibm_heron"), 3).size() == 3 * 5 + 3 + 3 + 3);
  CHECK(alphabet(load_gate_set("rigetti"), 3).size() == 3 * 3 + 3 * 5 + 3);
  CHECK(alphabet(load_gate_set("ibm_eagle"), 3).size() == 3 * 5 + 3 + 3 + 6);
  // rzz has only the angle pi/2, on three pairs of qubits.
  CHECK(alphabet(load_gate_set("ibm_heron_fractional"), 3).size() == 3 * 6 + 3 + 3 + 3 * 6 + 3 + 3);
  // Upstream states this figure for its IBM gate set (its artifact counts 1363 circuits of at most
  // one gate).
  CHECK(alphabet(load_gate_set("ibm_u"), 3).size() == 1362);
}

TEST_CASE("No letter occurs twice") {
  for (const std::string& name : bundled_gate_sets()) {
    const std::vector<std::string> texts = letters(load_gate_set(name), 3);
    CHECK(std::set<std::string>(texts.begin(), texts.end()).size() == texts.size());
  }
}

TEST_CASE("Symmetric operands are tried once") {
  const GateSet set = with_gates(R"([{"gate": "cz"}, {"gate": "ccx"}])");
  CHECK(letters(set, 3) == std::vector<std::string>{"cz 0 1", "cz 0 2", "cz 1 2", "ccx 0 1 2",
                                                    "ccx 0 2 1", "ccx 1 2 0"});
}

TEST_CASE("Constant choices of angles become letters as they are written") {
  const GateSet set = with_gates(R"([{"gate": "rx", "angles": [["pi/2"], ["-pi/2"]]}])");
  CHECK(letters(set, 2) ==
        std::vector<std::string>{"rx(pi/2) 0", "rx(-pi/2) 0", "rx(pi/2) 1", "rx(-pi/2) 1"});
}

TEST_CASE("Several angles of one gate share no parameter") {
  const GateSet set = with_gates(R"([{"gate": "u2"}])", R"(["p0", "p1", "2*p0", "p0+p1", "pi"])");
  CHECK(letters(set, 1) ==
        std::vector<std::string>{"u2(p0, p1) 0", "u2(p0, pi) 0", "u2(p1, p0) 0", "u2(p1, 2*p0) 0",
                                 "u2(p1, pi) 0", "u2(2*p0, p1) 0", "u2(2*p0, pi) 0",
                                 "u2(p0+p1, pi) 0", "u2(pi, p0) 0", "u2(pi, p1) 0",
                                 "u2(pi, 2*p0) 0", "u2(pi, p0+p1) 0", "u2(pi, pi) 0"});
}

TEST_CASE("A gate with more operands than there are qubits gives no letter") {
  const GateSet set = with_gates(R"([{"gate": "cx"}, {"gate": "h"}])");
  CHECK(letters(set, 1) == std::vector<std::string>{"h 0"});
  CHECK(letters(set, 0).empty());
}

TEST_CASE("An excessive alphabet is refused before it is built") {
  std::string constants = "[";
  for (int i = 1; i <= 300; ++i) constants += (i == 1 ? "\"" : ", \"") + std::to_string(i) + "\"";
  constants += "]";
  const GateSet set = with_gates(R"([{"gate": "cu"}])", constants);
  CHECK_THROWS_AS(alphabet(set, 3), InputError);
}
