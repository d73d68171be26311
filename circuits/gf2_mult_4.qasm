// gf2_mult_4: c := a * b in GF(2^4), c at 0
// made by scripts/make_circuits.py --family gf2_mult --size 4
OPENQASM 2.0;
include "qelib1.inc";
qreg a[4];
qreg b[4];
qreg c[4];
ccx a[3],b[3],c[2];
ccx a[2],b[3],c[1];
ccx a[3],b[2],c[1];
ccx a[1],b[3],c[0];
ccx a[2],b[2],c[0];
ccx a[3],b[1],c[0];
cx c[2],c[3];
cx c[1],c[2];
cx c[0],c[1];
ccx a[0],b[0],c[0];
ccx a[0],b[1],c[1];
ccx a[1],b[0],c[1];
ccx a[0],b[2],c[2];
ccx a[1],b[1],c[2];
ccx a[2],b[0],c[2];
ccx a[0],b[3],c[3];
ccx a[1],b[2],c[3];
ccx a[2],b[1],c[3];
ccx a[3],b[0],c[3];
