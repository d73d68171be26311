#include <catch2/catch.hpp>
#include <string>

#include "algebra/expression_symbol.hpp"
#include "programs.hpp"

using namespace quartz;
using namespace quartz::test;

namespace {

const std::string inputs = "input float[64] x;\ninput float[64] y;\nqubit[1] q;\n";

Angle angle_of(const std::string& expression) {
  return parse_3(inputs + "rz(" + expression + ") q[0];").operations.at(0).angles.at(0);
}

}  // namespace

TEST_CASE("Expressions that are not linear in parameters are symbols of their own") {
  CHECK(angle_of("x*y") == angle_of("y*x"));
  CHECK(angle_of("2*(pi - x)*(pi - y)") == angle_of("(pi - x)*2*(pi - y)"));
  CHECK(angle_of("(-pi + x)*(-pi + y)") == angle_of("(pi - y)*(pi - x)"));
  CHECK(angle_of("(2*x)*y") == angle_of("2*(x*y)"));
  CHECK(angle_of("x*y + x*y") == angle_of("2*(y*x)"));
  CHECK(angle_of("x*pi/2") == angle_of("(x*pi)*0.5"));
  CHECK(angle_of("sin(x) - sin(x)").is_zero());
  CHECK(angle_of("x/y") != angle_of("y/x"));
  CHECK(angle_of("x**2") != angle_of("x*2"));
  CHECK(angle_of("sin(x)") != angle_of("cos(x)"));
  CHECK(angle_of("sin(x*y) + x").terms().size() == 2);
  CHECK_FALSE(angle_of("sin(x)").is_constant());
}

TEST_CASE("Expressions of parameters are written so that they are read back as the same symbols") {
  for (const std::string expression :
       {"(pi - x)*(pi - y)", "sin(x)", "2*cos(x*y)+pi", "1/x", "x**3", "sqrt(x/2)/y", "x*pi",
        "exp(-x)*log(y)", "arctan(x+0.1)", "(x*y)*(x+y)"}) {
    const Circuit circuit = parse_3(inputs + "rz(" + expression + ") q[0]; rx(2*x) q[0];");
    const std::string text = write_qasm(circuit);
    INFO(text);
    CHECK(parse_qasm(text) == circuit);
    CHECK(write_qasm(parse_qasm(text)) == text);
  }
  CHECK(write_qasm(parse_3(inputs + "rz(2*(pi - x)*(pi - y)) q[0];")) ==
        version_3 + inputs + "rz(2*((x - pi)*(y - pi))) q[0];\n");
}

TEST_CASE("The text of an opaque symbol is an identifier that is read back") {
  const Angle symbol = algebra::symbol_of_expression("sin(x)*(π - y_1)");
  const std::string name = symbol.terms()[0].symbol;
  CHECK(algebra::expression_of_symbol(name) == "(sin(x)*(π - y_1))");
  CHECK_FALSE(algebra::expression_of_symbol("theta").has_value());
  CHECK_FALSE(algebra::expression_of_symbol("θ").has_value());
  CHECK(parse_angle(symbol.to_string()) == symbol);
  CHECK(error_of(version_3 + "input float " + name + ";") ==
        "test:3:13: the name contains a character for private use, expected letters");
  Circuit undeclared = parse_3(inputs + "rz(x*y) q[0];");
  undeclared.parameters.pop_back();
  CHECK_THROWS_WITH(write_qasm(undeclared), "the free parameter 'y' is used but not declared");
}
