// A doubly controlled Z gate and a Toffoli gate with the same controls and target: a doubly
// controlled Y gate, up to the phase of the controls.
OPENQASM 2.0;
include "qelib1.inc";
qreg q[3];
h q[2];
ccx q[0],q[1],q[2];
h q[2];
ccx q[0],q[1],q[2];
