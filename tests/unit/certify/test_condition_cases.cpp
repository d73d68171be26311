#include "certify/problem/condition_cases.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <string>

#include "certify/problem/problem.hpp"
#include "quartz/certify/equivalence.hpp"
#include "quartz/qasm/qasm.hpp"

using namespace quartz;
using namespace quartz::certify;

namespace {

/// Returns a program that measures qubits in superposition into the register c, and has these
/// statements about c and one more qubit t.
Circuit after_measurement(unsigned bits, const std::string& statements) {
  return parse_qasm(
      fmt::format("OPENQASM 3.0; include \"stdgates.inc\"; qubit[{0}] q; qubit t; "
                  "bit[{0}] c; h q; c = measure q; {1}",
                  bits, statements));
}

EquivalenceReport compare(unsigned bits, const std::string& left, const std::string& right) {
  return check_equivalence(after_measurement(bits, left), after_measurement(bits, right));
}

Problem problem_of(const std::string& left, const std::string& right) {
  auto posed = pose_problem(after_measurement(3, left), after_measurement(3, right));
  REQUIRE(std::holds_alternative<Problem>(posed));
  return std::get<Problem>(std::move(posed));
}

std::size_t count_cases(const std::string& left, const std::string& right) {
  const auto cases = condition_cases(problem_of(left, right), 64);
  REQUIRE(cases);
  return cases->size();
}

/// Returns a condition that the lowest bits of c have the digits of a number, bit by bit.
std::string each_bit(unsigned bits, std::uint64_t number) {
  std::string result;
  for (unsigned i = 0; i < bits; ++i) {
    const bool is_one = i < 64 && (number >> i & 1U) != 0;
    result += fmt::format("{}{}c[{}]", i == 0 ? "" : " && ", is_one ? "" : "!", i);
  }
  return result;
}

}  // namespace

TEST_CASE("Conditions on wide registers are compared in each case that can occur", "[cases]") {
  // The states are too large to be simulated, and 2^65 has more than 64 bits.
  const std::string wide = "36893488147419103232";
  for (const unsigned bits : {40U, 70U}) {
    INFO(bits << " bits");
    const auto same = [&](const std::string& left, const std::string& right) {
      const EquivalenceReport report = compare(bits, left, right);
      INFO(report.method << ": " << report.witness);
      CHECK(report.verdict == EquivalenceVerdict::equal);
    };
    same("if (c == 5) x t; if (c == 6) h t;", "if (c == 6) h t; if (c == 5) x t;");
    same("if (c != 5) x t;", "if (c == 5) x t; x t;");
    same("if (c == 5) { x t; } else { h t; }", "if (c != 5) h t; if (c == 5) x t;");
    same("if (c == 5) x t;", "if (" + each_bit(bits, 5) + ") x t;");
    same("if (c == 5) { if (c[0]) x t; }", "if (c == 5) x t;");
    same("if (c == 5) { if (c[1]) x t; }", "");
    if (bits < 65) continue;
    same("if (c == " + wide + ") x t; if (c == 6) h t;",
         "if (c == 6) h t; if (c == " + wide + ") x t;");
    same("if (c != " + wide + ") x t;", "if (c == " + wide + ") x t; x t;");
  }
}

TEST_CASE("Conditions that may hold together are not taken to exclude one another", "[cases]") {
  const auto differ = [](const std::string& left, const std::string& right) {
    for (const unsigned bits : {3U, 40U}) {
      const EquivalenceVerdict verdict = compare(bits, left, right).verdict;
      // The difference is found where the qubits are few.
      CHECK(verdict == (bits == 3 ? EquivalenceVerdict::not_equal : EquivalenceVerdict::undecided));
    }
  };
  differ("if (c == 5) x t; if (c[0]) h t;", "if (c[0]) h t; if (c == 5) x t;");
  differ("if (c != 5) x t; if (c != 6) h t;", "if (c != 6) h t; if (c != 5) x t;");
  differ("if (c[0]) x t; if (c[1]) h t;", "if (c[1]) h t; if (c[0]) x t;");
  differ("if (c < 3) x t; if (c == 2) h t;", "if (c == 2) h t; if (c < 3) x t;");
  differ("if (c == 5) x t; c[1] = measure q[0]; if (c == 7) h t;",
         "c[1] = measure q[0]; if (c == 7) h t; if (c == 5) x t;");
}

TEST_CASE("Equal cases may have different phases, and then there is no common one", "[cases]") {
  const EquivalenceReport report = compare(40, "if (c == 5) { x t; z t; } if (c == 6) h t;",
                                           "if (c == 6) h t; if (c == 5) { z t; x t; }");
  CHECK(report.verdict == EquivalenceVerdict::equal_up_to_phase);
  CHECK_FALSE(report.phase.has_value());
}

TEST_CASE("The cases of conditions are those that can occur", "[cases]") {
  CHECK(count_cases("if (c == 5) x t;", "if (c == 6) x t;") == 3);
  CHECK(count_cases("if (c == 5) x t;", "if (c != 5) x t;") == 2);
  CHECK(count_cases("if (c[0]) x t;", "if (c[1]) x t;") == 4);
  CHECK(count_cases("if (c[0]) x t;", "if (!c[0]) x t;") == 2);
  CHECK(count_cases("if (c == 5) x t;", "if (c[0]) x t;") == 3);
  CHECK(count_cases("if (c[0] && c[1]) x t;", "if (c[0]) x t; if (c[1]) x t;") == 4);
  // Nothing is known of other functions of bits.
  CHECK(count_cases("if (c < 3) x t;", "if (c == 5) x t;") == 4);
  // After another measurement into it, the bit may have another value.
  CHECK(count_cases("if (c[0]) x t; c[0] = measure t; if (c[0]) x t;",
                    "c[0] = measure t; if (!c[0]) x t;") == 4);
  CHECK_FALSE(condition_cases(problem_of("if (c[0]) x t; if (c[1]) x t;", ""), 3));
}

TEST_CASE("A problem in a case has the steps whose conditions hold", "[cases]") {
  const Problem problem = problem_of("if (c == 5) x t; if (c == 6) h t; y t;", "z t;");
  std::size_t steps = 0;
  const auto cases = condition_cases(problem, 64);
  REQUIRE(cases);
  for (const ConditionCase& each : *cases) {
    const Problem here = in_case(problem, each);
    CHECK(here.conditions().empty());
    CHECK(here.right.size() == problem.right.size());
    steps += problem.left.size() - here.left.size();
  }
  // None, or one of the two conditions, holds.
  CHECK(steps == 2 + 1 + 1);
}
