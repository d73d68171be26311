// tof_5: X with 5 controls; ancillas start and end at 0
// made by scripts/make_circuits.py --family tof --size 5
OPENQASM 2.0;
include "qelib1.inc";
qreg control[5];
qreg ancilla[3];
qreg target[1];
ccx control[0],control[1],ancilla[0];
ccx control[2],ancilla[0],ancilla[1];
ccx control[3],ancilla[1],ancilla[2];
ccx control[4],ancilla[2],target[0];
ccx control[3],ancilla[1],ancilla[2];
ccx control[2],ancilla[0],ancilla[1];
ccx control[0],control[1],ancilla[0];
