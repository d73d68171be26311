"""Circuits that several tests use."""

import random

TOFFOLI_TWICE = """OPENQASM 2.0;
include "qelib1.inc";
qreg q[3];
ccx q[0],q[1],q[2];
h q[0];
ccx q[0],q[1],q[2];
"""

MEASURED = """OPENQASM 2.0;
include "qelib1.inc";
qreg q[2];
creg c[2];
h q[0];
cx q[0],q[1];
barrier q[0],q[1];
measure q[0] -> c[0];
if(c==1) x q[1];
"""

PARAMETRIZED = """OPENQASM 3.0;
include "stdgates.inc";
input float[64] theta;
qubit[2] q;
rz(theta) q[0];
cx q[0], q[1];
cx q[0], q[1];
rz(2*theta+pi/4) q[0];
"""


def random_qasm(gates, qubits, seed):
    """Returns a random circuit of h, x, t, rz and cx."""
    draw = random.Random(seed)
    lines = ["OPENQASM 2.0;", 'include "qelib1.inc";', f"qreg q[{qubits}];"]
    for _ in range(gates):
        name = draw.choice(["h", "x", "t", "rz", "cx", "cx"])
        first, second = draw.sample(range(qubits), 2)
        if name == "cx":
            lines.append(f"cx q[{first}],q[{second}];")
        elif name == "rz":
            lines.append(f"rz({draw.choice(['pi/4', '-pi/2', '0.3'])}) q[{first}];")
        else:
            lines.append(f"{name} q[{first}];")
    return "\n".join(lines) + "\n"
