// Two-qubit rotations: the first and the last one merge across the one between them.
OPENQASM 2.0;
include "qelib1.inc";
qreg q[3];
rzz(0.3) q[0],q[1];
h q[2];
rzz(0.5) q[1],q[2];
h q[2];
rzz(0.6) q[0],q[1];
