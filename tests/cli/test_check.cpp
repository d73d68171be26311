#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "cli/check/check_command.hpp"
#include "cli/command_run.hpp"
#include "cli/opt/opt_command.hpp"
#include "quartz/base/files.hpp"

using namespace quartz;
using namespace quartz::cli;
using namespace quartz::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// A folder of circuit files.
class Circuits {
 public:
  std::string add(const char* name, const std::string& body) {
    return add_text(name, "OPENQASM 2.0;\ninclude \"qelib1.inc\";\n" + body);
  }
  std::string add_text(const char* name, const std::string& text) {
    const fs::path path = folder_ / name;
    write_text_file(path, text);
    return path.string();
  }
  [[nodiscard]] std::string missing() const { return (folder_ / "missing.qasm").string(); }

 private:
  Folder folder_;
};

Run check(const std::vector<std::string>& arguments) { return run(check_command(), arguments); }

}  // namespace

TEST_CASE("quartz-check reports that circuits are equal, and the method") {
  Circuits circuits;
  const std::string a = circuits.add("a.qasm", "qreg q[2];\nh q[1];\ncx q[0],q[1];\nh q[1];\n");
  const std::string b = circuits.add("b.qasm", "qreg q[2];\ncz q[0],q[1];\n");
  const Run run = check({a, b});
  CHECK(run.code == 0);
  CHECK(run.out == "equal\nchecked by: exact path sum\n");
  CHECK(run.err.empty());

  const Run same = check({a, a});
  CHECK(same.code == 0);
  CHECK(same.out == "equal\nchecked by: same gates in the same order on every qubit\n");
}

TEST_CASE("quartz-check reports the phase") {
  Circuits circuits;
  const Run run = check({circuits.add("a.qasm", "qreg q[1];\nrz(pi/2) q[0];\n"),
                         circuits.add("b.qasm", "qreg q[1];\ns q[0];\n")});
  CHECK(run.code == 0);
  CHECK(run.out ==
        "equal up to global phase\nchecked by: exact path sum\n"
        "global phase: second circuit = e^(i*0.785398163397) * first circuit\n");
}

TEST_CASE("quartz-check reports that circuits are not equal, with a witness") {
  Circuits circuits;
  const std::string a = circuits.add("a.qasm", "qreg q[2];\ncx q[0],q[1];\n");
  const std::string b = circuits.add("b.qasm", "qreg q[2];\ncx q[1],q[0];\n");
  const Run run = check({a, b});
  CHECK(run.code == 10);
  CHECK_THAT(run.out, StartsWith("not equal\nchecked by: "));
  CHECK_THAT(run.out, Contains("difference: input q["));

  const Run sizes = check({a, circuits.add("c.qasm", "qreg q[3];\ncx q[0],q[1];\n")});
  CHECK(sizes.code == 10);
  CHECK(sizes.out ==
        "not equal\nchecked by: sizes\ndifference: the left circuit has 2 qubits and 0 classical "
        "bits, the right one 3 and 0\n"
        "note: with --ancillas, the additional qubits of the second circuit are ancillas\n");
}

TEST_CASE("quartz-check says that a stated output permutation counts only if it is asked for") {
  Circuits circuits;
  const std::string a = circuits.add("a.qasm", "qreg q[2];\nswap q[0],q[1];\nh q[0];\n");
  const std::string b = circuits.add_text("b.qasm",
                                          "// output permutation: [1, 0]\nOPENQASM 2.0;\ninclude "
                                          "\"qelib1.inc\";\nqreg q[2];\nh q[1];\n");
  const Run kept = check({a, b});
  CHECK(kept.code == 10);
  CHECK_THAT(
      kept.out,
      Contains(
          "note: the comment of the second circuit about its output permutation counts only with "
          "--permutation free\n"));
  const Run free = check({"--permutation", "free", a, b});
  CHECK(free.code == 0);
  CHECK_THAT(free.out, !Contains("note: "));
  const Run malformed = check(
      {a, circuits.add_text("c.qasm", "// output permutation: [7]\nOPENQASM 2.0;\nqreg q[2];\n")});
  CHECK(malformed.code == 10);
  CHECK_THAT(malformed.out, !Contains("output permutation"));
}

TEST_CASE("quartz-check compares measurements and conditions") {
  Circuits circuits;
  const std::string head = "qreg q[2];\ncreg c[1];\nh q[0];\nmeasure q[0] -> c[0];\n";
  const std::string one = circuits.add("one.qasm", head + "if(c==1) x q[1];\n");
  const std::string zero = circuits.add("zero.qasm", head + "if(c==0) x q[1];\n");
  const std::string always = circuits.add("always.qasm", head + "x q[1];\n");
  const std::string dropped =
      circuits.add("dropped.qasm", "qreg q[2];\ncreg c[1];\nh q[0];\nif(c==1) x q[1];\n");
  const std::string rewritten = circuits.add(
      "rewritten.qasm", head + "if(c==1) h q[1];\nif(c==1) z q[1];\nif(c==1) h q[1];\n");
  CHECK(check({one, rewritten}).code == 0);
  CHECK(check({one, zero}).code == 10);
  CHECK(check({one, always}).code == 10);
  const Run run = check({one, dropped});
  CHECK(run.code == 10);
  CHECK_THAT(run.out, Contains("has probability"));
}

TEST_CASE("quartz-check compares circuits with ancillas if that is asked for") {
  Circuits circuits;
  const std::string plain = circuits.add("plain.qasm", "qreg q[1];\nt q[0];\n");
  const std::string larger =
      circuits.add("larger.qasm", "qreg q[1];\nqreg a[1];\nt q[0];\nh a[0];\n");
  const Run without = check({plain, larger});
  CHECK(without.code != 0);
  CHECK_THAT(without.out, Contains("--ancillas"));
  CHECK(check({plain, larger, "--ancillas"}).code == 0);
  const Run refused = check({plain, larger, "--ancillas", "--permutation", "free"});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Contains("--ancillas cannot be combined with --permutation free"));
  CHECK(check({plain, larger, "--ancillas", "--program"}).code == 2);
  const std::string close =
      circuits.add("close.qasm", "qreg q[1];\nqreg a[1];\nrz(0.8) q[0];\nh a[0];\n");
  CHECK(check({plain, close, "--ancillas", "--epsilon", "0.1"}).code == 0);
  CHECK(check({plain, close, "--ancillas", "--epsilon", "0.001"}).code == 11);
}

TEST_CASE("quartz-check certifies a result with ancillas by its journal") {
  Circuits circuits;
  const std::string before =
      circuits.add("before.qasm", "qreg q[3];\nccx q[0],q[1],q[2];\nt q[2];\nh q[0];\n");
  const std::string after = circuits.add_text("after.qasm", "");
  const std::string journal = circuits.add_text("after.qj", "");
  REQUIRE(
      run(opt_command(), {before, "-o", after, "--gate-set", "nam", "--cost", "t,total", "--steps",
                          "2000", "--threads", "1", "--ancillas", "1", "--journal", journal})
          .code == 0);
  const Run run = check({before, after, "--ancillas", "--journal", journal});
  CHECK(run.code == 0);
  CHECK_THAT(run.out, Contains("compound journal"));
  CHECK(check({after, before, "--ancillas", "--journal", journal}).code == 11);
  CHECK(check({before, before, "--ancillas", "--journal", journal}).code == 11);
  CHECK(check({before, after, "--journal", journal}).code == 11);
  const Run refused = check({before, after, "--journal", journal, "--permutation", "free"});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, Contains("cannot be combined with this journal"));
  const std::string damaged = circuits.add_text("damaged.qj", "QUARTZC\x01\x09");
  const Run unread = check({before, after, "--ancillas", "--journal", damaged});
  CHECK(unread.code == 3);
  CHECK_THAT(unread.err, Contains("a part of kind 9"));
}

TEST_CASE("quartz-check notes differences that do not matter") {
  Circuits circuits;
  const Run run = check({circuits.add("a.qasm", "qreg q[2];\nh q[0];\nbarrier q;\nh q[0];\n"),
                         circuits.add("b.qasm", "qreg a[1];\nqreg b[1];\n")});
  CHECK(run.code == 0);
  CHECK_THAT(run.out, Contains("note: the qubit registers have different names or sizes"));
  CHECK_THAT(run.out, Contains("note: the barriers differ"));
}

TEST_CASE("quartz-check reports undecided if it cannot decide") {
  Circuits circuits;
  std::string left = "qreg q[30];\n";
  std::string right = left;
  for (int i = 0; i < 30; ++i) {
    const std::string q = "q[" + std::to_string(i) + "]";
    const std::string next = "q[" + std::to_string((i + 1) % 30) + "]";
    left += "h " + q + ";\nrx(0.3) " + q + ";\nry(0.2) " + q + ";\ncx " + q + "," + next + ";\n";
    right += "rx(0.3) " + q + ";\nry(0.2) " + q + ";\nh " + q + ";\ncx " + q + "," + next + ";\n";
  }
  const std::string a = circuits.add("a.qasm", left);
  const std::string b = circuits.add("b.qasm", right);
  const Run run = check({a, b, "--time", "500ms", "--memory", "1MiB"});
  CHECK(run.code == 11);
  CHECK_THAT(run.out, StartsWith("undecided\nchecked by: no method decides\nreason: "));
  CHECK_THAT(run.out, Contains(" s of the 0.5 s of --time: "));
}

TEST_CASE("quartz-check --program compares programs of which only one measures") {
  Circuits circuits;
  const std::string gates = "qreg q[2];\ncreg c[1];\nh q[0];\ncx q[0],q[1];\n";
  const std::string measured = circuits.add("measured.qasm", gates + "measure q[0] -> c[0];\n");
  const std::string silent = circuits.add("silent.qasm", gates);
  for (const auto& [first, second, name] :
       {std::tuple(measured, silent, "first"), std::tuple(silent, measured, "second")}) {
    const Run run = check({"--program", first, second});
    INFO(run.out << run.err);
    CHECK(run.code == 10);
    CHECK_THAT(run.out, Contains("assumed: the qubits start in |0>\n") &&
                            Contains(std::string("note: only the ") + name +
                                     " circuit measures, so that the states of the qubits at the "
                                     "end count as well\n"));
  }
  // A measurement of a qubit in |0> changes nothing.
  const std::string zero = "qreg q[1];\ncreg c[1];\n";
  const std::string of_zero = circuits.add("of_zero.qasm", zero + "measure q[0] -> c[0];\n");
  CHECK(check({"--program", of_zero, circuits.add("zero.qasm", zero)}).code == 0);
  // Only bits count if both measure.
  const std::string later = circuits.add("later.qasm", gates + "measure q[0] -> c[0];\nh q[1];\n");
  CHECK(check({"--program", measured, later}).code == 0);
}

TEST_CASE("quartz-check --json says what an undecided comparison lacked") {
  Circuits circuits;
  const std::string a = circuits.add("a.qasm", "opaque mystery a;\nqreg q[1];\nmystery q[0];\n");
  const std::string b = circuits.add("b.qasm", "qreg q[1];\nh q[0];\n");
  const auto lacked = [&](const std::string& time) {
    return nlohmann::json::parse(check({"--json", a, b, "--time", time}).out).at("lacked");
  };
  CHECK(lacked("1000s").is_null());
  CHECK(lacked("0s") == "time");
}

TEST_CASE("quartz-check says whether more time might decide") {
  Circuits circuits;
  const std::string a = circuits.add("a.qasm", "opaque mystery a;\nqreg q[1];\nmystery q[0];\n");
  const std::string b = circuits.add("b.qasm", "qreg q[1];\nh q[0];\n");
  const Run run = check({a, b, "--time", "1000s"});
  CHECK(run.code == 11);
  CHECK_THAT(run.out, Contains("note: all methods that apply have ended after ") &&
                          Contains(" s of the 1000 s of --time: more time would not help\n"));
  const Run without_time = check({a, b, "--time", "0s"});
  CHECK(without_time.code == 11);
  CHECK_THAT(without_time.out, Contains(" s of the 0 s of --time: more time may decide\n"));
}

TEST_CASE("quartz-check --quiet prints nothing but errors") {
  Circuits circuits;
  const std::string a = circuits.add("a.qasm", "qreg q[1];\nt q[0];\n");
  const std::string b = circuits.add("b.qasm", "qreg q[1];\ns q[0];\n");
  for (const Run& result : {check({"--quiet", a, a}), check({"--quiet", a, b})}) {
    CHECK(result.out.empty());
    CHECK(result.err.empty());
  }
  CHECK(check({"--quiet", a, a}).code == 0);
  CHECK(check({"--quiet", a, b}).code == 10);
  CHECK_FALSE(check({"--quiet", a, "nosuchfile"}).err.empty());
}

TEST_CASE("quartz-check --json prints the result as JSON") {
  Circuits circuits;
  const std::string a = circuits.add("a.qasm", "qreg q[1];\nt q[0];\n");
  const std::string b = circuits.add("b.qasm", "qreg q[1];\nrz(pi/4) q[0];\n");
  const Run equal = check({"--json", a, b});
  CHECK(equal.code == 0);
  const auto json = nlohmann::json::parse(equal.out);
  CHECK(json.at("verdict") == "equal up to global phase");
  CHECK(json.at("method") == "exact path sum");
  CHECK(json.at("phase").get<double>() == Approx(-3.14159265358979 / 8));
  CHECK(json.at("witness") == "");
  CHECK(json.at("lacked").is_null());
  CHECK(json.at("notes").empty());

  const Run different = check({"--json", a, circuits.add("c.qasm", "qreg q[1];\ns q[0];\n")});
  CHECK(different.code == 10);
  const auto other = nlohmann::json::parse(different.out);
  CHECK(other.at("verdict") == "not equal");
  CHECK(other.at("phase").is_null());
  CHECK_FALSE(other.at("witness").get<std::string>().empty());
}

TEST_CASE("quartz-check rejects bad input with one line and exit code 3") {
  Circuits circuits;
  const std::string good = circuits.add("good.qasm", "qreg q[1];\nh q[0];\n");
  const auto check_refused = [&](const std::string& bad, const std::string& message) {
    const Run run = check({good, bad});
    CHECK(run.code == 3);
    CHECK(run.out.empty());
    CHECK_THAT(run.err, StartsWith("quartz-check: error: " + bad));
    CHECK_THAT(run.err, Contains(message));
    CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
  };
  const Run missing = check({circuits.missing(), good});
  CHECK(missing.code == 3);
  CHECK_THAT(missing.err, StartsWith("quartz-check: error: "));
  CHECK_THAT(missing.err, Contains("missing.qasm"));
  check_refused(circuits.add("unknown.qasm", "qreg q[1];\nfrobnicate q[0];\n"), ":4:1: ");
  check_refused(circuits.add("range.qasm", "qreg q[1];\nh q[1];\n"), ":4:");
  check_refused(circuits.add("broken.qasm", "qreg q[1];\nh q[0]"), ".qasm:");
  check_refused(circuits.add_text("binary.qasm", std::string("\x7f"
                                                             "ELF\0\1\2",
                                                             7)),
                ":1:5: ");
}

TEST_CASE("quartz-check rejects wrong usage with one line and exit code 2") {
  Circuits circuits;
  const std::string a = circuits.add("a.qasm", "qreg q[1];\n");
  const auto check_usage = [](const std::vector<std::string>& arguments,
                              const std::string& message) {
    const Run run = check(arguments);
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    CHECK_THAT(run.err, StartsWith("quartz-check: error: "));
    CHECK_THAT(run.err, Contains(message));
    CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 1);
  };
  check_usage({}, "first");
  check_usage({a}, "second");
  check_usage({a, a, a}, a);
  check_usage({a, a, "--frobnicate"}, "--frobnicate");
  check_usage({a, a, "--time", "soon"}, "--time: 'soon' is not a duration");
  check_usage({a, a, "--time", "-1s"}, "--time: '-1s' is not a duration");
  check_usage({a, a, "--memory", "4GiBs"}, "--memory: '4GiBs' is not a memory size");
  check_usage({a, a, "--seed", "x"}, "--seed");
  check_usage({a, a, "--seed", "-1"}, "--seed");
  check_usage({a, a, "--time"}, "--time");
  check_usage({"-", "-"}, "only one of the circuits");
}

TEST_CASE("quartz-check has --help and --version") {
  const Run help = check({"--help"});
  CHECK(help.code == 0);
  CHECK_THAT(help.out, Contains("Usage: quartz-check"));
  CHECK_THAT(help.out, Contains("quartz-check before.qasm after.qasm"));
  for (const ExitCodeMeaning& row : exit_codes) {
    CHECK_THAT(help.out, Contains(std::string(row.meaning)));
  }
  for (const char* option : {"--seed", "--time", "--memory", "--json"}) {
    CHECK_THAT(help.out, Contains(option));
  }
  const Run version = check({"--version"});
  CHECK(version.code == 0);
  CHECK_THAT(version.out, StartsWith("quartz-check "));
}

TEST_CASE(
    "quartz-check suggests --gate-set if opaque gates prevent it from finding circuits equal") {
  Circuits circuits;
  const std::string plain = circuits.add("a.qasm", "qreg q[2];\ncx q[0],q[1];\n");
  const std::string opaque =
      circuits.add("b.qasm",
                   "opaque half_cx a,b;\nqreg q[2];\nhalf_cx q[0],q[1];\nhalf_cx "
                   "q[0],q[1];\n");
  const auto gate_set = [&](const char* file, const std::string& gates) {
    return circuits.add_text(file, R"({"format": "quartz-gate-set", "version": 1, "name": "s",
      "gates": [)" + gates + "]}");
  };
  const std::string right = gate_set("right.json", R"({"gate": "half_cx", "qubits": 2, "matrix": [
      [1, 0, 0, 0], [0, "(1+i)/2", 0, "(1-i)/2"], [0, 0, 1, 0], [0, "(1-i)/2", 0, "(1+i)/2"]]})");
  const std::string wrong = gate_set("wrong.json", R"({"gate": "cx"})");

  const Run without = check({plain, opaque});
  INFO(without.out);
  CHECK(without.code != 0);
  CHECK_THAT(without.out, Contains("the circuits do not define the gate half_cx; if a "
                                   "gate-set file defines it, give it with --gate-set"));
  const Run other = check({plain, opaque, "--gate-set", wrong});
  CHECK(other.code != 0);
  CHECK_THAT(other.out, Contains("the gate set '" + wrong + "' does not define it either"));
  const Run with = check({plain, opaque, "--gate-set", right});
  INFO(with.out);
  CHECK(with.code == 0);
  CHECK_THAT(with.out, !Contains("--gate-set"));
  // There is nothing to suggest if they are equal without it.
  CHECK_THAT(check({opaque, opaque}).out, !Contains("--gate-set"));
}

TEST_CASE("quartz-check refuses a permutation that a loop would carry, and its journal") {
  Circuits circuits;
  const std::string head = "OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\n";
  const std::string before = circuits.add_text(
      "before.qasm",
      head +
          "x q[0];\nwhile (c[0]) { swap q[0],q[1]; c[0] = measure q[0]; }\nc[1] = measure q[0];\n");
  const std::string body =
      "x q[0];\nwhile (c[0]) {\nc[0] = measure q[1];\n}\nc[1] = measure q[1];\n";
  const std::string carried =
      circuits.add_text("carried.qasm", "// output permutation: [1, 0]\n" + head + body);
  // A journal of no rewrites between five operations, as it was once written for this result.
  const std::string plain = circuits.add_text("plain.qasm", head + body);
  const std::string journal = circuits.add_text("carried.qj", "");
  REQUIRE(run(opt_command(), {plain, "-o", circuits.add_text("out.qasm", ""), "-g", "nam",
                              "--search", "fold", "--steps", "1", "--journal", journal})
              .code == 0);
  REQUIRE(check({plain, plain, "--journal", journal}).code == 0);
  CHECK(check({before, carried, "--permutation", "free"}).code == 11);
  CHECK(check({before, carried, "--permutation", "free", "--journal", journal}).code == 11);
  // The SWAP gate at the end of the body.
  const std::string right = circuits.add_text(
      "right.qasm", head +
                        "x q[0];\nwhile (c[0]) {\nc[0] = measure q[1];\nswap q[0],q[1];\n}\n"
                        "c[1] = measure q[0];\n");
  CHECK(check({before, right, "--permutation", "free"}).code == 0);
  CHECK(check({before, right}).code == 0);
}

TEST_CASE("quartz-check follows qubits through boxes and resets") {
  Circuits circuits;
  const std::string head = "OPENQASM 3.0;\ninclude \"stdgates.inc\";\nqubit[2] q;\nbit[2] c;\n";
  const std::string before =
      circuits.add_text("before.qasm", head +
                                           "box { swap q[0],q[1]; reset q[0]; }\n"
                                           "while (c[0]) { h q[0]; c[0] = measure q[0]; }\n");
  const std::string after = circuits.add_text(
      "after.qasm", "// output permutation: [1, 0]\n" + head +
                        "box { reset q[1]; }\nwhile (c[0]) { h q[1]; c[0] = measure q[1]; }\n");
  CHECK(check({before, after, "--permutation", "free"}).code == 0);
  CHECK(check({before, after}).code == 11);
}
