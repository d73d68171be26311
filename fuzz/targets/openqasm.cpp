#include <string>
#include <vector>

#include "quartz/qasm/include_path.hpp"
#include "quartz/qasm/qasm.hpp"
#include "quartz/target/gate_set.hpp"
#include "target.hpp"

namespace quartz::fuzz::openqasm {
namespace {

/// Programs may call the custom gates of a set.
Circuit parse(std::string_view text) {
  static const CustomGates custom_gates =
      load_gate_set(repository_folder("gatesets/examples") + "/xy.json").custom_gates();
  return parse_qasm(text, input_name, IncludePath(), {}, custom_gates);
}

/// Checks that a program of the other version means the same, unless that version cannot express
/// the circuit.
void check_other_version(Circuit circuit) {
  circuit.qasm_version = circuit.qasm_version == 2 ? 3 : 2;
  std::string written;
  try {
    written = write_qasm(circuit);
  } catch (const UsageError&) {
    return;
  }
  const Circuit again = parse(written);
  require(again.operations == circuit.operations && again.global_phase == circuit.global_phase,
          "the other version of OpenQASM has the same operations:\n" + written);
}

}  // namespace

void run(std::string_view input) {
  const auto circuit = [&]() -> std::optional<Circuit> {
    try {
      return parse(input);
    } catch (const InputError& error) {
      const SourceLocation& place = error.location();
      require(place.file == input_name && place.line >= 1 && place.column >= 1,
              std::string("an error has a location: ") + error.what());
      return std::nullopt;
    }
  }();
  if (!circuit) return;
  const std::string written = write_qasm(*circuit);
  const Circuit again = parse(written);
  require(again == *circuit, "what is written is read as the same circuit:\n" + written);
  require(write_qasm(again) == written, "what is read is written as the same text:\n" + written);
  check_other_version(*circuit);
}

std::vector<std::string> seeds() {
  std::vector<std::string> seeds = repository_files("circuits", ".qasm");
  const std::string version_2 = "OPENQASM 2.0;\ninclude \"qelib1.inc\";\n";
  const std::string version_3 = "OPENQASM 3.0;\ninclude \"stdgates.inc\";\n";
  seeds.push_back(
      version_2 +
      "qreg q[3];\ncreg c[2];\ngate g(a,b) x,y { cx x,y; u3(a,b/2,-pi) x; barrier x,y; }\n"
      "opaque o(t) x;\nif(c==2) g(0.5,pi/4) q[0],q[1];\nh q;\no(1) q[2];\n"
      "measure q[0] -> c[0];\nreset q[1];\nbarrier q;\n");
  seeds.push_back("qreg q[2];\nCX q[0],q[1];\nU(0,1e-3,sin(1)) q[0];\n// comment\ngphase(pi/8);\n");
  seeds.push_back(version_3 +
                  "input bool flag;\noutput bit[70] c;\nqubit[2] q;\ngate g(t) a, b {\n"
                  "  for int i in [0:2] { rz(pow(2, i)*t) a; for uint k in {1, 2} cx a, b; }\n}\n"
                  "@one\n@two 2\nx q[0];\n@m\nc[0] = measure q[0];\nif (flag) g(0.5) q[0], q[1];\n"
                  "if (c >= 590295810358705651712) { x q[1]; } else { z q[1]; }\n"
                  "if (c != 0x3fffffffffffffffff) h q[0];\n");
  seeds.push_back(version_2 +
                  "include \"other.inc\";\ncreg c[70];\nqreg q[1];\n"
                  "if(c==1180591620717411303423) x q[0];\n");
  seeds.push_back(version_2 +
                  "gate gpi(p0) q0 { x q0; rz(4*pi*p0) q0; }\nqreg q[1];\n"
                  "gpi(0.25) q[0];\nrzz(pi) q[0],q[0];\n");
  seeds.push_back(version_3 +
                  "const int n = 4;\nconst float[64] step = pi/2**n;\nqubit[n] q;\nbit[n] c;\n"
                  "gate turn(t) a, b { gphase(t/3); ctrl @ rz(t*step) a, b; inv @ s b; }\n"
                  "for int i in [0:n-3] {\n  turn(0.5) q[i], q[i+1];\n  pow(2) @ negctrl @ turn(1) "
                  "q[{i}], q[(i+1):(i+1)], q[-1];\n  c[i] = measure q[i];\n"
                  "  if (c[i]) { x q[i]; } else h q;\n}\n");
  seeds.push_back(version_3 +
                  "input float[64] theta;\ninput angle phi;\nqubit[5] q;\nqubit r;\n"
                  "let a = q[0:2:4] ++ r;\nlet b = q[{1, 3}];\n"
                  "ctrl(2) @ U(theta, phi, theta - phi/2) a[0], a[1], b[0];\ncx a[1:2], b;\n"
                  "pow(-3) @ crz(theta) a[0], b;\ndelay[100ns] a;\nbarrier b, r;\n"
                  "ctrl @ gphase(theta) r;\n");
  seeds.push_back(version_3 +
                  "bit[2] c;\nh $3;\ncx $3, $0;\nif (c != 2 && !c[0]) { z $0; inv @ t $1; }\n"
                  "c[1] = measure $3;\nfor uint k in {1, 0} { reset $1; rz(k*pi/4) $2; }\n");
  seeds.push_back(version_2 +
                  "gate xy(t) a,b { rxx(-t/2) a,b; ryy(-t/2) a,b; }\nopaque xy(t) a,b;\n"
                  "qreg q[2];\nxy(pi/2) q[0],q[1];\nechoed_xy(0.3) q[1],q[0];\n");
  seeds.push_back(
      version_3 +
      "qubit[3] q;\nctrl @ xy(pi/2) q[2], q[0], q[1];\npow(2) @ inv @ echoed_xy(1) q[0], q[1];\n");
  seeds.push_back(
      version_3 +
      "qubit[3] q;\nbit[2] c;\narray[int[8], 2, 3] n = {{1, 2, 0}, {2, 1, 0}};\n"
      "def f(mutable array[int[8], #dim = 1] m, qubit a) -> bit { m[0] += 1; h a; return measure "
      "a; "
      "}\nn[0, 0:1] = n[1][1:2];\nc[0] = f(n[0], q[n[0, 2]]);\nfor int i in n[:, 1] { x q[i]; }\n"
      "while (c[0]) { n[0][0] = 0; c[0] = measure q[0]; }\nrx(sizeof(n, 1)) q[{2, 0, 1}][0:1];\n");
  seeds.push_back(version_3 +
                  "qubit[2] q;\nbit[2] c;\nint n = 0;\ndef g(qubit a) -> bit { x a; return measure "
                  "a; }\nbit d = g(q[1]);\nswitch (n) { case 0 { n += 2; } default { h q; } }\n"
                  "@note x\nbox[100ns] { duration t = 20ns; delay[t] q; }\n"
                  "#pragma braket noise bit_flip(0.1) q[0]\nif (c[0]) { n = 1; }\n"
                  "if (n == 1) z q;\n");
  seeds.push_back(version_3 +
                  "extern vote(bit[2]) -> bit;\nextern send(creg[2], int[8], float, duration, "
                  "bool, angle[4]);\n"
                  "extern count(uint[2]) -> int[3];\nqubit[2] q;\nbit[2] c;\nint n = 3;\nint m;\n"
                  "c = measure q;\nc[0] = vote(c);\nif (count(uint[2](c)) == -1) { x q[0]; }\n"
                  "send(c, -n, pi/4, 2*n*5ns, c[1], 0.5);\nif (int[2](c) < -1) { m = c; if (m == "
                  "2) x q; c ^= 1; }\n"
                  "while (c[1]) { c[1] = vote(c); }\n");
  seeds.push_back(
      version_3 +
      "input duration w;\nqubit[2] q;\nbit c;\nconst duration t = 1_00 ns;\nstretch s = "
      "t;\nduration d;\n"
      "d = 3*t/2 - w;\nd += durationof({x q[0]; cx q[0], q[1];});\nfor int i in [1:2] { delay[i*t "
      "+ d] q; "
      "}\nbox[2*t] { duration e = -0.5*t + s; delay[(t/1ns)*1us] q[0]; nop q[1]; }\n"
      "angle[3] a = pi/4;\nmeasure q[0] -> a[0];\na <<= 1;\ninv @ p(a) q[1];\nrz(-a) q;\n"
      "measure_ff(0) q[0];\ncc_prx(pi, 0, 0) q[1];\npow(1/2) @ x q[0];\n");
  return seeds;
}

}  // namespace quartz::fuzz::openqasm
