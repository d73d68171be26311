#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "programs.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

Angle value_2(const std::string& expression) {
  return parse_2("qreg q[1]; rz(" + expression + ") q[0];").operations.at(0).angles.at(0);
}

Angle value_3(const std::string& expression) {
  return parse_3("input float[64] a; input angle b; qubit q; rz(" + expression + ") q;")
      .operations.at(0)
      .angles.at(0);
}

const Angle symbol_a = Angle::symbol("a");
const Angle symbol_b = Angle::symbol("b");

}  // namespace

TEST_CASE("Expressions are exact") {
  const std::vector<std::pair<std::string, Angle>> expected{
      {"pi", pi(1)},
      {"π/2", pi(1, 2)},
      {"tau/8", pi(1, 4)},
      {"-3*pi/4", pi(-3, 4)},
      {"0.25*pi", pi(1, 4)},
      {"pi*-0.25", pi(-1, 4)},
      {"2.9921874999999916*pi", Angle::pi_times(Rational(7480468749999979, 2500000000000000))},
      {"pi/2+0.5", pi(1, 2) + radians(1, 2)},
      {"1/3+1/6", radians(1, 2)},
      {"-(pi/3-1/7)", pi(-1, 3) + radians(1, 7)},
      {"pi/pi", radians(1)},
      {"(2*pi)/(pi/3)", radians(6)},
      {"2^10", radians(1024)},
      {"2**10", radians(1024)},
      {"2^-2", radians(1, 4)},
      {"-2^2", radians(-4)},
      {"2^3^2", radians(512)},
      {"(1/2)^3*pi", pi(1, 8)},
      {"pi^1", pi(1)},
      {"0^0", radians(1)},
      {"(-1)^1000001", radians(-1)},
      {"2-3-4", radians(-5)},
      {"24/4/3", radians(2)},
      {"- -1", radians(1)},
      {"+1", radians(1)},
      {"1.5707963267948966+1.5707963267948966", pi(1)},
      {"0*pi", Angle()},
  };
  for (const auto& [text, value] : expected) {
    INFO(text);
    CHECK(value_2(text) == value);
  }
}

TEST_CASE("Functions are exact if their values are rational, and doubles otherwise") {
  const std::vector<std::pair<std::string, Angle>> expected{
      {"sin(pi)", Angle()},
      {"sin(pi/6)", radians(1, 2)},
      {"sin(-pi/2)", radians(-1)},
      {"cos(pi/3)", radians(1, 2)},
      {"cos(0)", radians(1)},
      {"cos(7*pi)", radians(-1)},
      {"tan(pi/4)", radians(1)},
      {"tan(3*pi/4)", radians(-1)},
      {"sqrt(9/4)", radians(3, 2)},
      {"exp(0)", radians(1)},
      {"ln(1)", Angle()},
      {"sqrt(2)", Angle::decimal("1.4142135623730951")},
      {"sin(0.5)", Angle::decimal("0.479425538604203")},
      {"-3*pi/4+sin(0.5)/2", pi(-3, 4) + Angle::decimal("0.479425538604203") * Rational(1, 2)},
      {"pi*pi", Angle::decimal("9.869604401089358")},
      {"2^0.5", Angle::decimal("1.4142135623730951")},
      {"1/pi", Angle::decimal("0.3183098861837907")},
      {"acos(-1)", pi(1)},
      {"4*arctan(1)", pi(1)},
  };
  for (const auto& [text, value] : expected) {
    INFO(text);
    CHECK(value_2(text) == value);
  }
}

TEST_CASE("Fractions beyond 64 bits are exact decimals if possible, and doubles otherwise") {
  CHECK(value_2("3^60/7^40").value() == Approx(6.658151648899017e-06).epsilon(1e-14));
  CHECK(value_2("10^30") == Angle::decimal("1e30"));
  CHECK(value_2("9223372036854775807*9223372036854775807") ==
        Angle::decimal("85070591730234615847396907784232501249"));
  CHECK(value_2("66356916200+6912564.336735490") == Angle::decimal("66363828764.33673549"));
  CHECK(value_2("3.308163799683159+1460*pi-37943279200") ==
        pi(1460) - Angle::decimal("37943279196.691836200316841"));
  CHECK(value_2("66356916206.9-6.912564336735490") == Angle::decimal("66356916199.98743566326451"));
  CHECK(value_2("0.5^2000") == Angle());
  CHECK(value_2("0.1^30") == Angle::decimal("1e-30"));
}

TEST_CASE("Integers of any size are exact in all operators") {
  const std::vector<std::pair<std::string, std::string>> equal{
      {"3**50", "717897987691852588770249"},
      {"3**40 - 12157665459056928801", "0"},
      {"2**995 / 2**994", "2"},
      {"(-3)**41 + 3 * 12157665459056928801", "0"},
      {"18446744073709551618/2", "9223372036854775809"},
      {"(2**70 + 7) % 1000", "431"},
      {"1 << 64", "18446744073709551616"},
      {"-5 << 1", "-10"},
      {"(1 << 70) >> 69", "2"},
      {"(2**70 + 5) & 7", "5"},
      {"(2**70 ^ 2**70) | 3", "3"},
      {"floor(2**70 + 0.5) - 2**70", "0"},
      {"ceiling(2**70 + 0.5) - 2**70", "1"},
      {"int(9007199254740993.0)", "9007199254740993"},
      {"int(-9007199254740993.5)", "-9007199254740993"},
  };
  for (const auto& [text, value] : equal) {
    INFO(text);
    CHECK(value_3("(" + text + ")*1e-15") == value_3("(" + value + ")*1e-15"));
  }
  // One operand of these quotients is above 2^63.
  for (const char* quotient : {"18446744073709551617/2", "1/18446744073709551616"}) {
    INFO(quotient);
    CHECK_THAT(error_of(version_3 + "qubit q; rz((" + quotient + ")*1.0) q;"),
               Catch::StartsWith("test:3:") &&
                   Catch::Contains("OpenQASM 3 truncates the quotient of the integers"));
  }
}

TEST_CASE("Multiples of pi by integers of any size are exact") {
  const std::string odd = "18446744073709551617";  // 2^64 + 1
  const auto reduced = [](const std::string& text) { return value_3(text).reduced_modulo(2); };
  CHECK(reduced(odd + "*pi - 18446744073709551616*pi") == pi(1));
  CHECK(reduced(odd + "*pi/4 - (18446744073709551616/4)*pi") == pi(1, 4));
  CHECK(reduced(odd + "*pi/4 + 0.5") == pi(1, 4) + radians(1, 2));
  CHECK(reduced("pi/256*3**50") == pi(457, 256));
  CHECK(value_3("sin(" + odd + "*pi/2)") == radians(1));
  CHECK(value_3("(" + odd + "*pi)/(" + odd + "*pi/3)") == radians(3));
  // Angles of gates are taken modulo 4*pi if doubles do not have them.
  CHECK(value_3("(2**64 - 1)*pi/256") == pi(-1, 256));
  CHECK(value_3("a + (2**64 + 1)*pi/128") == pi(1, 128) + symbol_a);
  const Circuit circuit = parse_3("qubit q; rz(" + odd + "*pi/7) q;");
  CHECK(parse_qasm(write_qasm(circuit), "test") == circuit);
}

TEST_CASE("Free parameters remain symbols") {
  const std::vector<std::pair<std::string, Angle>> expected{
      {"a", symbol_a},
      {"a/2", symbol_a * Rational(1, 2)},
      {"-a", -symbol_a},
      {"2*a-b/3+pi/4", symbol_a * Rational(2) - symbol_b * Rational(1, 3) + pi(1, 4)},
      {"a-a", Angle()},
      {"(a+b)*0.5", (symbol_a + symbol_b) * Rational(1, 2)},
      {"a*(6/3)", symbol_a * Rational(2)},
      {"a**1", symbol_a},
      {"2*(a+1.0/3)", symbol_a * Rational(2) + radians(2, 3)},
  };
  for (const auto& [text, value] : expected) {
    INFO(text);
    CHECK(value_3(text) == value);
  }
}

TEST_CASE("OpenQASM 3 truncates quotients of integers, so only whole quotients are accepted") {
  CHECK(value_3("6/3") == radians(2));
  CHECK(value_3("3.0/4") == radians(3, 4));
  CHECK(value_3("2**3/4*pi") == pi(2));
  CHECK(error_of(version_3 + "qubit q; rz(3/4*pi) q;") ==
        "test:3:14: OpenQASM 3 truncates the quotient of the integers 3 and 4: write 3.0/4 for the "
        "fraction");
}

TEST_CASE("Repeated arguments have the same value each time") {
  const Circuit circuit = parse_2(
      "qreg q[1];\n"
      "u2(pi/4,0.5) q[0]; u2( pi/4 ,0.5) q[0]; u2(0.5,pi/4) q[0]; rz(pi/4 /* c */) q[0];\n"
      "rz(pi // half of\n/2) q[0]; rz(sin(pi/6)) q[0]; rz((pi/4)) q[0];");
  const std::vector<std::vector<Angle>> expected{{pi(1, 4), radians(1, 2)},
                                                 {pi(1, 4), radians(1, 2)},
                                                 {radians(1, 2), pi(1, 4)},
                                                 {pi(1, 4)},
                                                 {pi(1, 2)},
                                                 {radians(1, 2)},
                                                 {pi(1, 4)}};
  REQUIRE(circuit.operations.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO("operation " << i);
    CHECK(circuit.operations[i].angles == expected[i]);
  }
}

TEST_CASE("Long chains of operators need no deep stack") {
  std::string sum = "0";
  for (int i = 0; i < 20000; ++i) sum += "+1";
  CHECK(value_2(sum) == radians(20000));
}
