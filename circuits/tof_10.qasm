// tof_10: X with 10 controls; ancillas start and end at 0
// made by scripts/make_circuits.py --family tof --size 10
OPENQASM 2.0;
include "qelib1.inc";
qreg control[10];
qreg ancilla[8];
qreg target[1];
ccx control[0],control[1],ancilla[0];
ccx control[2],ancilla[0],ancilla[1];
ccx control[3],ancilla[1],ancilla[2];
ccx control[4],ancilla[2],ancilla[3];
ccx control[5],ancilla[3],ancilla[4];
ccx control[6],ancilla[4],ancilla[5];
ccx control[7],ancilla[5],ancilla[6];
ccx control[8],ancilla[6],ancilla[7];
ccx control[9],ancilla[7],target[0];
ccx control[8],ancilla[6],ancilla[7];
ccx control[7],ancilla[5],ancilla[6];
ccx control[6],ancilla[4],ancilla[5];
ccx control[5],ancilla[3],ancilla[4];
ccx control[4],ancilla[2],ancilla[3];
ccx control[3],ancilla[1],ancilla[2];
ccx control[2],ancilla[0],ancilla[1];
ccx control[0],control[1],ancilla[0];
