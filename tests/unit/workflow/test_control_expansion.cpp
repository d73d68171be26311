#include <catch2/catch.hpp>

#include "quartz/circuit/gate.hpp"
#include "quartz/qasm/include_path.hpp"
#include "quartz/target/gate_set.hpp"
#include "quartz/workflow/control_expansion.hpp"

using namespace quartz;

TEST_CASE("Programs are read with few rotations for gate sets that have none") {
  CHECK(control_expansion_for(load_gate_set("clifford_t")) == ControlExpansion::few_rotations);
  for (const char* const name : {"ibm_heron", "ibm_eagle", "nam", "quantinuum", "ionq_forte"}) {
    INFO(name);
    CHECK(control_expansion_for(load_gate_set(name)) == ControlExpansion::few_two_qubit_gates);
  }
}

TEST_CASE("An x with three controls is exact in Clifford+T if it can borrow a qubit") {
  const std::string program =
      "OPENQASM 3.0; include \"stdgates.inc\"; qubit[5] q; ctrl(3) @ x q[0], q[1], q[2], q[3];";
  const GateSet set = load_gate_set("clifford_t");
  const Circuit circuit = parse_qasm(program, "program", IncludePath(), {}, set.custom_gates(),
                                     GateCalls::expanded, control_expansion_for(set));
  const Circuit translated = translate(circuit, set);
  for (const Operation& operation : translated.operations) CHECK(set.contains(operation));
  CHECK_THROWS(translate(parse_qasm(program, "program", IncludePath()), set));
}
