// barenco_tof_3: X with 3 controls; ancillas in any state
// made by scripts/make_circuits.py --family barenco_tof --size 3
OPENQASM 2.0;
include "qelib1.inc";
qreg control[3];
qreg ancilla[1];
qreg target[1];
ccx control[2],ancilla[0],target[0];
ccx control[0],control[1],ancilla[0];
ccx control[2],ancilla[0],target[0];
ccx control[0],control[1],ancilla[0];
