#include <catch2/catch.hpp>
#include <string>

#include "programs.hpp"

using namespace quartz;
using namespace quartz::test;

TEST_CASE("A program without a version line has the version of its statements") {
  CHECK(parse_qasm("qreg q[1]; creg c[1]; h q; if(c==1) x q[0];").qasm_version == 2);
  CHECK(parse_qasm("// qubit q;\nqreg q[1];").qasm_version == 2);
  CHECK(parse_qasm("\nqubit[2] q;\nh q[0];").qasm_version == 3);
  CHECK(parse_qasm("include \"stdgates.inc\"; qreg q[2]; x q;").qasm_version == 3);
  CHECK(parse_qasm("h $0; cx $0,$1;").qasm_version == 3);
  CHECK(parse_qasm("gate g a { inv @ s a; } qreg q[1]; g q[0];").qasm_version == 3);
  CHECK(parse_qasm("qreg q[1]; creg c[1]; bit d;").qasm_version == 3);
}

TEST_CASE("A program of version 2 may call a gate like a word of version 3") {
  const Circuit circuit = parse_qasm("qreg q[1]; gate bit a { x a; } bit q[0];");
  CHECK(circuit.qasm_version == 2);
  CHECK(circuit.operations.size() == 1);
}

TEST_CASE("A message states the version only of a program that states it") {
  CHECK(error_of("OPENQASM 2.0;\nqubit q;") ==
        "test:2:1: 'qubit' belongs to OpenQASM 3, but this is an OpenQASM 2 program: expected "
        "'OPENQASM 3.0;' in its first line");
  CHECK(error_of("qreg q[1]; creg c[1]; if(c==1) delay q[0];") ==
        "test:1:32: 'delay' belongs to OpenQASM 3: expected 'OPENQASM 3.0;' in its first line");
}
