#include "simulator/gates.hpp"

namespace quartz::differential {
namespace {

// The right sides are those of qelib1.inc, of stdgates.inc, or of the papers and manuals that
// define the gates: ecr and rzx as in Qiskit, iswap and its root as in Cirq, gpi, gpi2 and ms as in
// IonQ's manual, in radians, and xy as in gatesets/examples. U(a,b,c) is the primitive.
constexpr std::string_view text = R"(
OPENQASM 3.0;
gate u3(a,b,c) x { U(a,b,c) x; }
gate u(a,b,c) x { U(a,b,c) x; }
gate u2(b,c) x { U(pi/2,b,c) x; }
gate u1(c) x { U(0,0,c) x; }
gate p(c) x { U(0,0,c) x; }
gate phase(c) x { U(0,0,c) x; }
gate id x { }
gate u0(a) x { }
gate x x { U(pi,0,pi) x; }
gate y x { U(pi,pi/2,pi/2) x; }
gate z x { U(0,0,pi) x; }
gate h x { U(pi/2,0,pi) x; }
gate s x { U(0,0,pi/2) x; }
gate sdg x { U(0,0,-pi/2) x; }
gate t x { U(0,0,pi/4) x; }
gate tdg x { U(0,0,-pi/4) x; }
gate rx(a) x { U(a,-pi/2,pi/2) x; }
gate ry(a) x { U(a,0,0) x; }
gate rz(a) x { gphase(-a/2); U(0,0,a) x; }
gate sx x { gphase(pi/4); rx(pi/2) x; }
gate sxdg x { gphase(-pi/4); rx(-pi/2) x; }
gate r(a,b) x { U(a,b-pi/2,pi/2-b) x; }
gate gpi(b) x { U(pi,b,pi-b) x; }
gate gpi2(b) x { U(pi/2,b-pi/2,pi/2-b) x; }
gate CX x,y { ctrl @ U(pi,0,pi) x,y; }
gate cx x,y { ctrl @ x x,y; }
gate cnot x,y { ctrl @ x x,y; }
gate cy x,y { ctrl @ y x,y; }
gate cz x,y { ctrl @ z x,y; }
gate ch x,y { ctrl @ h x,y; }
gate cs x,y { ctrl @ s x,y; }
gate csdg x,y { ctrl @ sdg x,y; }
gate csx x,y { ctrl @ sx x,y; }
gate crx(a) x,y { ctrl @ rx(a) x,y; }
gate cry(a) x,y { ctrl @ ry(a) x,y; }
gate crz(a) x,y { ctrl @ rz(a) x,y; }
gate cp(a) x,y { ctrl @ p(a) x,y; }
gate cphase(a) x,y { ctrl @ p(a) x,y; }
gate cu1(a) x,y { ctrl @ p(a) x,y; }
gate cu3(a,b,c) x,y { ctrl @ U(a,b,c) x,y; }
gate cu(a,b,c,d) x,y { p(d) x; ctrl @ U(a,b,c) x,y; }
gate swap x,y { cx x,y; cx y,x; cx x,y; }
gate iswap x,y { s x; s y; h x; cx x,y; cx y,x; h y; }
gate iswapdg x,y { inv @ iswap x,y; }
gate rzz(a) x,y { cx x,y; rz(a) y; cx x,y; }
gate rxx(a) x,y { h x; h y; rzz(a) x,y; h x; h y; }
gate ryy(a) x,y { rx(pi/2) x; rx(pi/2) y; rzz(a) x,y; rx(-pi/2) x; rx(-pi/2) y; }
gate rzx(a) x,y { h y; rzz(a) x,y; h y; }
gate sqrtiswap x,y { rxx(-pi/4) x,y; ryy(-pi/4) x,y; }
gate sqrtiswapdg x,y { inv @ sqrtiswap x,y; }
gate ecr x,y { rzx(pi/4) x,y; x x; rzx(-pi/4) x,y; }
gate ms(a,b,c) x,y { rz(-a) x; rz(-b) y; rxx(c) x,y; rz(a) x; rz(b) y; }
gate xy(a) x,y { rxx(-a/2) x,y; ryy(-a/2) x,y; }
gate ccx x,y,z { ctrl(2) @ x x,y,z; }
gate ccz x,y,z { ctrl(2) @ z x,y,z; }
gate cswap x,y,z { ctrl @ swap x,y,z; }
gate rccx x,y,z {
  u2(0,pi) z; u1(pi/4) z; cx y,z; u1(-pi/4) z; cx x,z; u1(pi/4) z; cx y,z; u1(-pi/4) z; u2(0,pi) z;
}
gate rc3x x,y,z,w {
  u2(0,pi) w; u1(pi/4) w; cx z,w; u1(-pi/4) w; u2(0,pi) w; cx x,w; u1(pi/4) w; cx y,w; u1(-pi/4) w;
  cx x,w; u1(pi/4) w; cx y,w; u1(-pi/4) w; u2(0,pi) w; u1(pi/4) w; cx z,w; u1(-pi/4) w; u2(0,pi) w;
}
gate c3x x,y,z,w { ctrl(3) @ x x,y,z,w; }
gate c3sqrtx x,y,z,w { ctrl(3) @ sx x,y,z,w; }
gate c4x x,y,z,w,v { ctrl(4) @ x x,y,z,w,v; }
)";

}  // namespace

const Definitions& standard_gates() {
  static const Definitions gates = read_program(text).definitions;
  return gates;
}

}  // namespace quartz::differential
