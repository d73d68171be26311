#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "quartz/compound_journal/compound_journal.hpp"
#include "quartz/qasm/qasm.hpp"

using namespace quartz;
using Catch::Matchers::Contains;

namespace {

/// Two qubits of the input, an ancilla, and two bits for outcomes.
Circuit circuit_of(const std::string& statements) {
  return parse_qasm(
      "OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2]; qreg a[1]; creg c[1]; creg d[1];"
      " creg e[2];" +
      statements);
}

Circuit input_of(const std::string& statements) {
  return parse_qasm("OPENQASM 2.0; include \"qelib1.inc\"; qreg q[2];" + statements);
}

std::vector<Operation> operations_of(const std::string& statements) {
  return circuit_of(statements).operations;
}

/// Two equal rotations as one of the parity, in an ancilla, which is measured in the basis of X.
const char* const kParity =
    "reset a[0]; cx q[0],a[0]; cx q[1],a[0]; rz(0.3) a[0]; h a[0]; measure a[0] -> c[0];"
    "if (c == 1) z q[0]; if (c == 1) z q[1];";

/// Proves one replacement in a circuit on the qubits and bits of circuit_of().
EquivalenceReport proved(const std::string& statements, const Replacement& replacement,
                         Circuit* result = nullptr) {
  Circuit circuit = circuit_of(statements);
  const EquivalenceReport report = prove_replacements(
      circuit, input_of(""), {circuit_of(""), {replacement}}, EquivalenceOptions());
  if (result != nullptr) *result = circuit;
  return report;
}

bool is_undecided(const EquivalenceReport& report, const std::string& reason) {
  CAPTURE(report.witness);
  CHECK_THAT(report.witness, Contains(reason));
  return report.verdict == EquivalenceVerdict::undecided;
}

}  // namespace

TEST_CASE("A replacement with an ancilla is proved, and made") {
  Circuit result;
  const EquivalenceReport report =
      proved("h q[0]; cx q[0],q[1]; rz(0.3) q[1]; cx q[0],q[1]; h q[1];",
             {1, 3, operations_of(kParity), parse_angle("0.3")}, &result);
  CHECK(report.verdict == EquivalenceVerdict::equal_up_to_phase);
  CHECK(report.distance == 0);
  CHECK_FALSE(report.phase);
  CHECK(result.operations == operations_of(std::string("h q[0];") + kParity + "h q[1];"));
}

TEST_CASE("A replacement by other rotations is not proved") {
  std::string other = kParity;
  other.replace(other.find("0.3"), 3, "0.6");
  CHECK(is_undecided(proved("cx q[0],q[1]; rz(0.3) q[1]; cx q[0],q[1];",
                            {0, 3, operations_of(other), parse_angle("0.3")}),
                     "not proved"));
}

TEST_CASE("A replacement without a correction is not proved") {
  std::string other = kParity;
  other.resize(other.rfind("if"));
  CHECK(is_undecided(proved("cx q[0],q[1]; rz(0.3) q[1]; cx q[0],q[1];",
                            {0, 3, operations_of(other), parse_angle("0.3")}),
                     "not proved"));
}

TEST_CASE("An ancilla that is used behind a replacement is refused") {
  CHECK(is_undecided(proved("cx q[0],q[1]; rz(0.3) q[1]; cx q[0],q[1]; cx a[0],q[0];",
                            {0, 3, operations_of(kParity), parse_angle("0.3")}),
                     "used elsewhere"));
  CHECK(is_undecided(proved("cx q[0],q[1]; rz(0.3) q[1]; cx q[0],q[1]; if (c == 1) x q[0];",
                            {0, 3, operations_of(kParity), parse_angle("0.3")}),
                     "used elsewhere"));
}

TEST_CASE("An ancilla that is not reset must not have been used before a replacement") {
  const std::string without_reset = std::string(kParity).substr(std::string("reset a[0];").size());
  const Replacement replacement{1, 3, operations_of(without_reset), parse_angle("0.3")};
  const std::string rotation = "cx q[0],q[1]; rz(0.3) q[1]; cx q[0],q[1];";
  CHECK(proved("h q[0];" + rotation, replacement).verdict == EquivalenceVerdict::equal_up_to_phase);
  CHECK(is_undecided(proved("x a[0];" + rotation, replacement), "used elsewhere"));
  CHECK(is_undecided(proved("reset a[0];" + rotation, replacement), "used elsewhere"));
}

TEST_CASE("An ancilla that replacements leave in |0> is in |0> before the next one") {
  const std::string rotation = "cx q[0],q[1]; rz(0.3) q[1]; cx q[0],q[1];";
  const std::string copy = "cx q[0],a[0]; cx q[1],a[0];";
  const std::string copied = copy + "rz(0.3) a[0];" + copy;
  const auto proved_twice = [&](const std::string& first, const std::string& second) {
    Circuit circuit = circuit_of(rotation + "h q[0];" + rotation);
    const std::vector<Operation> inserted = operations_of(first);
    const std::vector<Replacement> both{{0, 3, inserted, Angle()},
                                        {inserted.size() + 1, 3, operations_of(second), Angle()}};
    return prove_replacements(circuit, input_of(""), {circuit_of(""), both}, EquivalenceOptions());
  };
  CHECK(proved_twice(copied, copied).verdict == EquivalenceVerdict::equal_up_to_phase);
  // The ancilla is in |1>, or not in |0> for some states, behind the first replacement.
  CHECK(proved_twice("x a[0]; x a[0];" + copied, copied).verdict ==
        EquivalenceVerdict::equal_up_to_phase);
  CHECK(is_undecided(proved_twice(copied + "x a[0];", copied), "used elsewhere"));
  CHECK(is_undecided(proved_twice(copied + "h a[0];", copied), "used elsewhere"));
  // What prepares it may be in a block that is not executed.
  CHECK(is_undecided(proved_twice("reset a[0];" + copied, copied), "used elsewhere"));
  CHECK(proved_twice("reset a[0];" + copied, "reset a[0];" + copied).verdict ==
        EquivalenceVerdict::equal_up_to_phase);
}

TEST_CASE("A bit that is tested before it is written must not have been written") {
  const std::string tested = "if (d == 1) x q[0];" + std::string(kParity) + "measure a[0] -> d[0];";
  const Replacement replacement{1, 3, operations_of(tested), parse_angle("0.3")};
  CHECK(is_undecided(
      proved("measure a[0] -> d[0]; cx q[0],q[1]; rz(0.3) q[1]; cx q[0],q[1];", replacement),
      "used elsewhere"));
}

TEST_CASE("A bit of the circuit has any value before a replacement") {
  // The bit is 0 at the start of a circuit of its own, but not behind the measurement.
  const std::string measured = "h q[0]; measure q[0] -> c[0];";
  CHECK(is_undecided(proved(measured + "if (c == 1) x q[0];", {2, 1, {}, Angle()}), "not proved"));
  CHECK(is_undecided(proved(measured + "if (c == 1) measure q[1] -> d[0];", {2, 1, {}, Angle()}),
                     "not proved"));
  CHECK(is_undecided(
      proved(measured + "if (c == 0) x q[0];", {2, 1, operations_of("x q[0];"), Angle()}),
      "not proved"));
  // What holds for both values is proved.
  CHECK(proved(measured + "if (c == 1) x q[0]; if (c == 1) x q[0];", {2, 2, {}, Angle()}).verdict ==
        EquivalenceVerdict::equal_up_to_phase);
  CHECK(proved(measured + "if (c == 1) x q[0]; if (c == 0) x q[0];",
               {2, 2, operations_of("x q[0];"), Angle()})
            .verdict == EquivalenceVerdict::equal_up_to_phase);
  // A side that writes the bit does not depend on its value, but the other one keeps it.
  CHECK(is_undecided(
      proved("reset q[0]; measure q[0] -> c[0];", {0, 2, operations_of("reset q[0];"), Angle()}),
      "not proved"));
}

TEST_CASE("An ancilla of a replacement in a loop is prepared there and used nowhere else") {
  const auto in_loop = [](const std::string& before, const std::string& inserted) {
    const std::string declared = "OPENQASM 3.0; include \"stdgates.inc\"; qubit[2] q; bit d;";
    const std::string with_ancilla = declared + "qubit a;";
    Circuit circuit =
        parse_qasm((before.empty() ? declared : with_ancilla) + "d = measure q[1]; while (d) {" +
                   before + "rz(0.3) q[0]; d = measure q[1]; }");
    const Circuit declarations = parse_qasm(with_ancilla);
    std::size_t position = 0;
    while (circuit.operations[position].gate != GateKind::rz) ++position;
    const Replacement replacement{position, 1, parse_qasm(with_ancilla + inserted).operations,
                                  parse_angle("0.3")};
    Circuit input = parse_qasm("OPENQASM 3.0; qubit[2] q;");
    return prove_replacements(circuit, input, {declarations, {replacement}}, EquivalenceOptions());
  };
  const std::string rotation = "cx q[0], a; rz(0.3) a; cx q[0], a;";
  CHECK(in_loop("", "reset a;" + rotation).verdict == EquivalenceVerdict::equal_up_to_phase);
  CHECK(is_undecided(in_loop("", rotation), "used elsewhere"));
  CHECK(is_undecided(in_loop("x a;", "reset a;" + rotation), "used elsewhere"));
}

TEST_CASE("Qubits of the input are no ancillas") {
  // A qubit that nothing else uses, but which is in any state.
  Circuit circuit = circuit_of("rz(0.3) q[0];");
  const ReplacementPart part{
      circuit_of(""),
      {{0, 1, operations_of("cx q[0],q[1]; rz(0.3) q[1]; cx q[0],q[1];"), parse_angle("0.3")}}};
  const EquivalenceReport report =
      prove_replacements(circuit, input_of(""), part, EquivalenceOptions());
  CHECK(is_undecided(report, "used elsewhere"));
}

TEST_CASE("Conditions on several bits are not replaced") {
  const std::string rotation = "cx q[0],q[1]; rz(0.3) q[1]; cx q[0],q[1];";
  std::string other = kParity;
  other.replace(other.find("if (c == 1)"), 11, "if (e == 1)");
  CHECK(is_undecided(proved(rotation, {0, 3, operations_of(other), parse_angle("0.3")}),
                     "registers of one bit"));
  CHECK(is_undecided(proved("barrier q; x q[0];", {0, 2, operations_of("x q[0];"), Angle()}),
                     "other operations"));
}

TEST_CASE("A replacement behind the end of the circuit is refused") {
  CHECK(is_undecided(proved("x q[0];", {2, 0, {}, Angle()}), "behind the end"));
  CHECK(is_undecided(proved("x q[0];", {0, 2, {}, Angle()}), "behind the end"));
}

TEST_CASE("Replacements must not declare other bits than the circuit") {
  Circuit circuit = circuit_of("measure q[0] -> c[0]; if (c == 1) x q[1];");
  Circuit declarations = circuit_of("");
  std::swap(declarations.bit_registers[0].name, declarations.bit_registers[1].name);
  CHECK(is_undecided(
      prove_replacements(circuit, input_of(""), {declarations, {}}, EquivalenceOptions()),
      "other registers"));
}
