#include <catch2/catch.hpp>
#include <string>

#include "quartz/certify/equivalence.hpp"
#include "quartz/qasm/qasm.hpp"

using namespace quartz;

namespace {

EquivalenceReport compare(const std::string& left, const std::string& right) {
  const std::string header =
      "OPENQASM 3.0;\ninclude \"stdgates.inc\";\ninput float x;\ninput float y;\nqubit[2] "
      "q;\nbit[3] "
      "c;\n";
  const EquivalenceReport report =
      check_equivalence(parse_qasm(header + left), parse_qasm(header + right));
  UNSCOPED_INFO(left << " | " << right << ": " << report.method << ": " << report.witness);
  return report;
}

EquivalenceVerdict verdict(const std::string& left, const std::string& right) {
  return compare(left, right).verdict;
}

bool are_equal(const std::string& left, const std::string& right) {
  const EquivalenceVerdict found = verdict(left, right);
  return found == EquivalenceVerdict::equal || found == EquivalenceVerdict::equal_up_to_phase;
}

const std::string again = " h q[0]; c[0] = measure q[0]; } ";

}  // namespace

TEST_CASE("Programs with the same kept statements are compared between these") {
  CHECK(verdict("h q[0]; while (c[0]) {" + again + "x q[1]; x q[1];",
                "h q[0]; while (c[0]) {" + again) == EquivalenceVerdict::equal);
  CHECK(are_equal("while (c[0]) { x q[1]; h q[1]; x q[1]; " + again,
                  "while (c[0]) { z q[1]; h q[1]; z q[1]; " + again));
  CHECK(
      are_equal("box { h q[0]; h q[0]; } c[1] = 1; s q[0]; s q[0];", "box { } c[1] = 1; z q[0];"));
  CHECK(are_equal("h q[0]; h q[0]; if (c[0]) {\n@a\nx q[0];\nx q[1]; x q[1]; }\n@b\nc[0] = 1;",
                  "if (c[0]) {\n@a\nx q[0]; }\n@b\nc[0] = 1;"));
  // In a stretch, measurements and conditions are compared as in a circuit without statements.
  CHECK(are_equal("box { c[0] = measure q[0]; if (c[1]) { x q[1]; x q[1]; } t q[0]; }",
                  "box { t q[0]; c[0] = measure q[0]; }"));
}

TEST_CASE("A difference between kept statements proves nothing") {
  for (const auto& [left, right] : std::vector<std::pair<std::string, std::string>>{
           {"while (c[0]) { x q[1]; " + again, "while (c[0]) {" + again},
           {"while (c[0]) {" + again, "while (c[1]) {" + again},
           {"while (c[0]) {" + again, ""},
           {"x q[0]; box { }", "box { x q[0]; }"},
           {"box { x q[0]; }", "x q[0];"},
           {"if (c[0]) { c[1] = 1; }", "if (c[2]) { c[1] = 1; }"},
           {"\n@a\nx q[0];", "\n@b\nx q[0];"},
           {"\n@a\nx q[0];", "x q[0];"},
           {"if (c[0]) {\n@a\nx q[0]; }", "if (c[0]) {\n@b\nx q[0]; }"},
           {"\n@a\nc[0] = 1;", "c[0] = 1;"},
           {"c[0] = 1; if (c[0]) x q[0];", "if (c[0]) x q[0]; c[0] = 1;"},
           // The bits are in any state at the beginning of a stretch.
           {"box { } if (c[0]) { x q[0]; }", "box { }"},
           {"#pragma braket verbatim\nbox { h q[0]; h q[0]; }",
            "#pragma braket verbatim\nbox { }"}}) {
    CHECK(verdict(left, right) == EquivalenceVerdict::undecided);
  }
}

TEST_CASE("Conditions with the same expression are the same, and others are not") {
  CHECK(are_equal("if (c[0] ^ c[1]) { h q[0]; h q[0]; x q[1]; }", "if (c[0] ^ c[1]) x q[1];"));
  CHECK(are_equal("if (c < 3) { s q[0]; s q[0]; } else { t q[0]; t q[0]; }",
                  "if (c < 3) { z q[0]; } else { s q[0]; }"));
  CHECK(verdict("c[0] = measure q[0]; c[1] = measure q[1]; if (c[0] ^ c[1]) x q[1];",
                "c[0] = measure q[0]; c[1] = measure q[1]; if (c[0] | c[1]) x q[1];") ==
        EquivalenceVerdict::not_equal);
  CHECK(verdict("c[0] = measure q[0]; c[1] = measure q[1]; if (c[0] ^ c[1]) x q[1];",
                "c[0] = measure q[0]; if (c[0] ^ c[1]) x q[1]; c[1] = measure q[1];") !=
        EquivalenceVerdict::equal);
  // The branches that occur are simulated, so different expressions of the same bits may be equal.
  CHECK(are_equal("c[0] = measure q[0]; c[1] = measure q[1]; if (c[0] ^ c[1]) x q[1];",
                  "c[0] = measure q[0]; c[1] = measure q[1]; if (c[0] != c[1]) x q[1];"));
}

TEST_CASE("Expressions of parameters are compared as independent symbols") {
  CHECK(are_equal("rz(x*y) q[0]; rz(-y*x) q[0]; rz(sin(x)) q[1]; rz(sin(x)) q[1];",
                  "rz(2*sin(x)) q[1];"));
  // The two are equal, which needs more than that.
  CHECK(verdict("rz(x*(y+1)) q[0];", "rz(x*y+x) q[0];") == EquivalenceVerdict::undecided);
  CHECK(verdict("rz(sin(x)) q[0];", "rz(cos(x)) q[0];") == EquivalenceVerdict::undecided);
}
