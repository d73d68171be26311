#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "programs.hpp"
#include "qasm/syntax/parser.hpp"
#include "quartz/base/errors.hpp"
#include "quartz/qasm/qasm.hpp"

// Syntax trees, which are made without knowing what names mean.

using namespace quartz;
using namespace quartz::qasm;
using quartz::test::error_of;

namespace {

/// A program of OpenQASM 3 with its parser.
class Program {
 public:
  explicit Program(std::string_view text) : source_(text, "test"), parser_(source_, comments_, 3) {}

  /// Returns the next statement as one of this kind, which it must be.
  template <typename Node>
  const Node& next() {
    parser_.parse_statement(statement_);
    const Node* const node = syntax::node_of<Node>(statement_);
    REQUIRE(node != nullptr);
    return *node;
  }
  syntax::Parser& parser() { return parser_; }

 private:
  Source source_;
  std::vector<std::string_view> comments_;
  syntax::Parser parser_;
  syntax::Statement statement_;
};

/// Returns the numbers, names and operators of an expression, in the order of its terms.
std::string postfix(const syntax::Expression& expression) {
  std::string text;
  for (const syntax::Term& term : expression.terms) {
    if (const auto* number = std::get_if<syntax::Number>(&term.node)) text += number->token.text;
    if (const auto* name = std::get_if<syntax::Reference>(&term.node)) text += name->name;
    if (const auto* sign = std::get_if<syntax::Unary>(&term.node)) text += sign->sign.text;
    if (const auto* sign = std::get_if<syntax::Binary>(&term.node)) text += sign->sign.text;
    text += ' ';
  }
  return text;
}

}  // namespace

TEST_CASE("A call has its arguments in postfix order, and its operands with what is selected") {
  Program program("unknown(a + 2*-b, 1) q[3], r[{0, 2}][1:2], $5;");
  const auto& call = program.next<syntax::Call>();
  CHECK(call.name.text == "unknown");
  REQUIRE(call.arguments.size() == 2);
  CHECK(call.arguments[0].text == "a + 2*-b");
  CHECK(postfix(call.arguments[0]) == "a 2 b - * + ");
  REQUIRE(call.operands.size() == 3);
  CHECK(call.operands[0].number == "3");
  REQUIRE(call.operands[1].selections.size() == 2);
  CHECK(call.operands[1].selections[0].items[0].kind == syntax::Index::Kind::list);
  CHECK(call.operands[1].selections[1].items[0].kind == syntax::Index::Kind::range);
  CHECK(call.operands[2].name == "$5");
}

TEST_CASE("A loop contains the trees of its body") {
  Program program("for int i in [0:n] { x q[i]; if (i == 1) { y q[0]; } else z q[0]; } h q[0];");
  const auto& loop = program.next<syntax::For>();
  CHECK(loop.range.size() == 2);
  REQUIRE(loop.body.statements.size() == 2);
  const auto* const condition = syntax::node_of<syntax::If>(loop.body.statements[1]);
  REQUIRE(condition != nullptr);
  CHECK(postfix(std::get<syntax::Expression>(condition->condition)) == "i 1 == ");
  REQUIRE(condition->otherwise.has_value());
  CHECK(condition->otherwise->body.text == "z q[0]; ");
  CHECK(program.next<syntax::Call>().name.text == "h");
  CHECK(program.parser().at_end());
}

TEST_CASE("An error in a block takes the place of the statements after it") {
  Program program("def f(qubit q) { h q; { x q } y q; z q; } h q;");
  const auto& subroutine = program.next<syntax::Subroutine>();
  const syntax::Block& body = *subroutine.body;
  REQUIRE(body.statements.size() == 4);
  const auto* const inner = syntax::node_of<syntax::Block>(body.statements[1]);
  REQUIRE(inner != nullptr);
  CHECK(inner->statements.empty());
  CHECK(inner->error != nullptr);
  CHECK(body.error == nullptr);
  CHECK(program.next<syntax::Call>().name.text == "h");
}

TEST_CASE("An error in a block is one only if the block is executed") {
  const std::string program =
      "OPENQASM 3.0; include \"stdgates.inc\"; qubit q;\ndef f(qubit q) { x q; complex z; }\n";
  CHECK(parse_qasm(program + "x q;").operations.size() == 1);
  CHECK(error_of(program + "f(q);") ==
        "test:2:23: 'complex' is not supported: circuits have no complex numbers");
}

TEST_CASE("A bracket without its counterpart is an error also in a block that is not executed") {
  const auto error_in_body = [](const std::string& body) {
    return error_of("OPENQASM 3.0; include \"stdgates.inc\"; qubit[2] q;\ndef f(qubit q) {\n" +
                    body + "\n}\nx q[0];");
  };
  CHECK(error_in_body("rz(pi q;") == "test:4:1: found '}', expected ')' for the '(' in line 3");
  CHECK(error_in_body("int n = a[1;") == "test:4:1: found '}', expected ']' for the '[' in line 3");
  CHECK(error_in_body("rz(a[1)] q;") == "test:3:7: found ')', expected ']' for the '[' in line 3");
  CHECK(error_in_body("rz pi) q;") == "test:3:6: found ')', which closes no bracket of the block");
  CHECK(error_in_body("if (true) { rz(pi q; }") ==
        "test:3:22: found '}', expected ')' for the '(' in line 3");
  CHECK(error_in_body("if (true) { x q;") == "test:2:16: the block that starts here has no '}'");
  // Brackets in constructs that are not supported have counterparts as well.
  const std::string supported = "OPENQASM 3.0; include \"stdgates.inc\"; qubit q;\n";
  CHECK(parse_qasm(supported + "def f(qubit q) { complex z = g({1, [2]}); } x q;")
            .operations.size() == 1);
}

TEST_CASE("An error outside of blocks is thrown, and the first word is reported before it") {
  Program program("h q q;");
  CHECK_THROWS_AS(program.next<syntax::Call>(), InputError);
  const std::string header = "OPENQASM 3.0; include \"stdgates.inc\"; qubit[2] q;\n";
  CHECK(error_of(header + "h q[0] q[1];") == "test:2:8: found 'q', expected ';'");
  CHECK(error_of(header + "unknown q[0] q[1];").starts_with("test:2:1: unknown gate 'unknown'"));
}

TEST_CASE("An argument with a known value is not parsed again outside of blocks") {
  const syntax::KnownValues values{{"pi/2", {Angle::pi_times(Rational(1, 2)), false}}};
  Program program("rz(pi/2) q; rz(pi/2 + 1) q; if (true) { rz(pi/2) q; }");
  program.parser().use_known_values(&values);
  const syntax::Expression known = program.next<syntax::Call>().arguments.at(0);
  CHECK(known.known == &values.at("pi/2"));
  CHECK(known.terms.empty());
  CHECK(postfix(program.next<syntax::Call>().arguments.at(0)) == "pi 2 / 1 + ");
  const auto& condition = program.next<syntax::If>();
  const auto* const call = syntax::node_of<syntax::Call>(condition.body.statements.at(0));
  REQUIRE(call != nullptr);
  CHECK(postfix(call->arguments.at(0)) == "pi 2 / ");
}

TEST_CASE("A constant that a loop variable hides keeps its value outside of the loop") {
  const std::string header = "OPENQASM 3.0; include \"stdgates.inc\"; qubit q; const int n = 1;\n";
  const Circuit circuit = parse_qasm(header + "rz(n) q; for int n in [2:3] { rz(n) q; } rz(n) q;");
  std::vector<Angle> angles;
  for (const Operation& operation : circuit.operations) angles.push_back(operation.angles.at(0));
  CHECK(angles ==
        std::vector{Angle::radians(1), Angle::radians(2), Angle::radians(3), Angle::radians(1)});
}
