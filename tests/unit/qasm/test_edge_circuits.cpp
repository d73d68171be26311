#include <catch2/catch.hpp>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "programs.hpp"

using namespace quartz;
using namespace quartz::test;
using enum quartz::GateKind;

// Small programs that other tools truncate, misread or refuse. Each output is compared word for
// word, so that nothing of the input can be missing.

namespace {

struct Case {
  std::string what;
  std::string program;
  std::string written;
};

const std::vector<Case> cases{
    {"measurements and barriers between gates",
     version_2 + "qreg q[2];\ncreg c[2];\nh q[0];\nmeasure q[0] -> c[0];\nbarrier q[0],q[1];\n"
                 "h q[0];\ncx q[0],q[1];\nmeasure q[1] -> c[1];\n",
     version_2 + "qreg q[2];\ncreg c[2];\nh q[0];\nmeasure q[0] -> c[0];\nbarrier q;\n"
                 "h q[0];\ncx q[0],q[1];\nmeasure q[1] -> c[1];\n"},
    {"a gate on a whole register", version_2 + "qreg q[2];\nh q;\ncx q[0],q[1];\n",
     version_2 + "qreg q[2];\nh q[0];\nh q[1];\ncx q[0],q[1];\n"},
    {"a conditional gate",
     version_2 + "qreg q[2];\ncreg c[2];\nh q[0];\nmeasure q[0] -> c[0];\nif(c==1) x q[1];\n"
                 "cx q[0],q[1];\n",
     version_2 + "qreg q[2];\ncreg c[2];\nh q[0];\nmeasure q[0] -> c[0];\nif(c==1) x q[1];\n"
                 "cx q[0],q[1];\n"},
    {"a gate definition",
     version_2 + "gate foo a,b { cx a,b; h a; }\nqreg q[2];\nfoo q[0],q[1];\ncx q[0],q[1];\n",
     version_2 + "qreg q[2];\ncx q[0],q[1];\nh q[0];\ncx q[0],q[1];\n"},
    {"registers that are not in the order of their names",
     version_2 + "qreg b[1];\nqreg a[1];\nh b[0];\ncx b[0],a[0];\n",
     version_2 + "qreg b[1];\nqreg a[1];\nh b[0];\ncx b[0],a[0];\n"},
    {"sxdg and reset",
     version_2 + "qreg q[2];\nh q[0];\nsxdg q[0];\ncx q[0],q[1];\nreset q[0];\nh q[0];\n",
     version_2 + "qreg q[2];\nh q[0];\nsxdg q[0];\ncx q[0],q[1];\nreset q[0];\nh q[0];\n"},
    {"a block comment",
     version_2 + "qreg q[2];\nh q[0];\ncx q[0],q[1];\n/* block comment */\nh q[1];\n",
     version_2 + "qreg q[2];\nh q[0];\ncx q[0],q[1];\nh q[1];\n"},
    {"a free parameter",
     version_3 + "input float[64] theta;\nqubit[2] q;\nrz(theta) q[0];\nrz(pi/2) q[0];\n"
                 "cx q[0],q[1];\n",
     version_3 + "input float[64] theta;\nqubit[2] q;\nrz(theta) q[0];\nrz(pi/2) q[0];\n"
                 "cx q[0],q[1];\n"},
    {"a global phase", version_3 + "qubit[1] q;\ngphase(pi/4);\nh q[0];\n",
     version_3 + "qubit[1] q;\ngphase(pi/4);\nh q[0];\n"},
    {"an expression with a sine", version_2 + "qreg q[1];\nrz(-3*pi/4+sin(0.5)/2) q[0];\n",
     version_2 + "qreg q[1];\nrz(-3*pi/4+0.2397127693021015) q[0];\n"},
    {"rotations about two qubits' axes",
     version_2 + "qreg q[2];\nrzz(0.3) q[0],q[1];\nrxx(0.2) q[0],q[1];\n",
     version_2 + "qreg q[2];\nrzz(0.3) q[0],q[1];\nrxx(0.2) q[0],q[1];\n"},
    {"gates of newer include files",
     version_2 + "qreg q[2];\nsxdg q[0];\nu(0.1,0.2,0.3) q[1];\niswap q[0],q[1];\n",
     version_2 + "gate iswap q0,q1 { s q0; s q1; h q0; cx q0,q1; cx q1,q0; h q1; }\n"
                 "qreg q[2];\nsxdg q[0];\nu(0.1,0.2,0.3) q[1];\niswap q[0],q[1];\n"},
};

}  // namespace

TEST_CASE("Programs that other tools get wrong are read and written completely") {
  for (const Case& each : cases) {
    INFO(each.what);
    const Circuit circuit = parse_qasm(each.program);
    CHECK(write_qasm(circuit) == each.written);
    CHECK(parse_qasm(each.written) == circuit);
  }
}

TEST_CASE("Programs from files and all benchmark circuits round-trip, if they are available") {
  const std::filesystem::path folder =
      std::filesystem::path(QUARTZ_SOURCE_DIR) / ".." / "shared" / "circuits";
  if (!std::filesystem::exists(folder)) return;
  const std::set<std::string> valid{"edge", "nam", "nam-ccz", "native", "scale"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    // The other folders contain programs in other dialects, and malformed programs.
    if (!valid.contains(entry.path().parent_path().filename().string())) continue;
    if (entry.path().extension() != ".qasm") continue;
    INFO(entry.path().filename().string());
    const Circuit circuit = read_qasm_file(entry.path());
    const std::string written = write_qasm(circuit);
    CHECK(parse_qasm(written) == circuit);
    CHECK(write_qasm(parse_qasm(written)) == written);
  }
}
