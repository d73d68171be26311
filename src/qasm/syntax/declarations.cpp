// Parsing of declarations and definitions.
#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "qasm/syntax/parser.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm::syntax {
namespace {

/// Limit for lists in lists: more than the dimensions of an array.
constexpr unsigned kMaxListNesting = 8;

}  // namespace

void Parser::parse_include(Include& include) {
  lexer_.advance();
  include.file = lexer_.expect(TokenKind::string);
  const std::string_view semicolon = lexer_.current().text;
  include.end = semicolon.data() + semicolon.size();
  lexer_.expect(TokenKind::semicolon);
}

// --- registers and values ---

/// Parses `qreg q[2];` or `creg c[2];`, in OpenQASM 3 also without a size.
void Parser::parse_register(RegisterDeclaration& declaration) {
  declaration.is_quantum = lexer_.take().text == "qreg";
  declaration.name = lexer_.expect(TokenKind::identifier);
  if (version_ < 3 || !lexer_.at(TokenKind::semicolon)) {
    lexer_.expect(TokenKind::left_bracket);
    declaration.size = parse_register_size();
    lexer_.expect(TokenKind::right_bracket);
  }
  lexer_.expect(TokenKind::semicolon);
}

Expression Parser::parse_register_size() {
  if (version_ >= 3) return parse_expression();
  Expression size{lexer_.expect(TokenKind::integer), {}, {}};
  add(size, Number{size.first});
  return size;
}

/// Parses `qubit[3] q;`, `qubit q;`, `qubit $0;` or `bit c = measure q;`.
void Parser::parse_typed_register(Statement& statement) {
  const bool is_quantum = lexer_.take().text == "qubit";
  if (is_quantum && lexer_.current().text == "$") {
    make<PhysicalQubit>(statement).name = parse_physical_qubit();
    lexer_.expect(TokenKind::semicolon);
    return;
  }
  RegisterDeclaration& declaration = make<RegisterDeclaration>(statement);
  declaration.is_quantum = is_quantum;
  declaration.size = parse_width();
  declaration.name = lexer_.expect(TokenKind::identifier);
  if (!is_quantum && lexer_.accept(TokenKind::assign)) declaration.value = parse_initializer();
  lexer_.expect(TokenKind::semicolon);
}

void Parser::parse_input(Statement& statement) {
  lexer_.advance();
  if (lexer_.current().text == "duration") {
    return parse_duration_declaration(make<DurationDeclaration>(statement), "input ");
  }
  Input& input = make<Input>(statement);
  const Token type = lexer_.expect(TokenKind::identifier);
  if (type.text != "float" && type.text != "angle" && type.text != "bool") {
    source_.fail(type.text, fmt::format("found an input of type {}, expected 'float', 'angle', "
                                        "'bool' or 'duration'",
                                        in_quotes(type.text)));
  }
  input.type.name = type;
  if (type.text != "bool") input.type.width = parse_width();
  input.name = lexer_.expect(TokenKind::identifier);
  lexer_.expect(TokenKind::semicolon);
}

void Parser::parse_output(Output& output) {
  output.word = lexer_.take();
  if (lexer_.current().text != "bit") {
    lexer_.fail_expecting("'bit': outputs of other types are not supported");
  }
  lexer_.advance();
  output.size = parse_width();
  output.name = lexer_.expect(TokenKind::identifier);
  lexer_.expect(TokenKind::semicolon);
}

void Parser::parse_constant(Statement& statement) {
  lexer_.advance();
  if (lexer_.current().text == "duration" || lexer_.current().text == "stretch") {
    return parse_duration_declaration(make<DurationDeclaration>(statement), "const ");
  }
  Constant& constant = make<Constant>(statement);
  const Token type = lexer_.expect(TokenKind::identifier);
  constexpr std::array<std::string_view, 6> kTypes{"int", "uint", "float", "angle", "bool", "bit"};
  if (std::ranges::find(kTypes, type.text) == kTypes.end()) {
    source_.fail(type.text, fmt::format("found a constant of type {}, expected 'int', 'uint', "
                                        "'float', 'angle', 'bool' or 'bit'",
                                        in_quotes(type.text)));
  }
  constant.type = {type, parse_width()};
  constant.name = lexer_.expect(TokenKind::identifier);
  lexer_.expect(TokenKind::assign);
  constant.value = parse_expression();
  lexer_.expect(TokenKind::semicolon);
}

void Parser::parse_variable(Variable& variable) {
  variable.type.name = lexer_.take();
  variable.type.width = parse_width();
  variable.name = lexer_.expect(TokenKind::identifier);
  if (lexer_.accept(TokenKind::assign)) variable.value = parse_expression();
  lexer_.expect(TokenKind::semicolon);
}

void Parser::parse_array(ArrayDeclaration& declaration) {
  lexer_.advance();
  lexer_.expect(TokenKind::left_bracket);
  declaration.type = parse_element_type();
  while (lexer_.accept(TokenKind::comma)) declaration.sizes.push_back(parse_expression());
  lexer_.expect(TokenKind::right_bracket);
  declaration.name = lexer_.expect(TokenKind::identifier);
  if (lexer_.accept(TokenKind::assign)) declaration.value = parse_initializer();
  lexer_.expect(TokenKind::semicolon);
}

void Parser::parse_alias(Alias& alias) {
  lexer_.advance();
  alias.name = lexer_.expect(TokenKind::identifier);
  lexer_.expect(TokenKind::assign);
  parse_reference(alias.operands.emplace_back());
  while (lexer_.accept(TokenKind::plus)) {
    lexer_.expect(TokenKind::plus);
    parse_reference(alias.operands.emplace_back());
  }
  lexer_.expect(TokenKind::semicolon);
}

/// Parses `stretch s;`, `duration d = 100ns;` and the like, of which a qualifier has been consumed.
void Parser::parse_duration_declaration(DurationDeclaration& declaration,
                                        std::string_view qualifier) {
  declaration.qualifier = qualifier;
  declaration.type = lexer_.take();
  declaration.name = lexer_.expect(TokenKind::identifier);
  if (qualifier == "const " || (qualifier.empty() && lexer_.at(TokenKind::assign))) {
    lexer_.expect(TokenKind::assign);
    declaration.value = parse_duration();
  }
  lexer_.expect(TokenKind::semicolon);
}

/// Parses the type of the elements of an array.
Type Parser::parse_element_type() {
  const Token name = lexer_.expect(TokenKind::identifier);
  if (!find_cast(name.text)) {
    source_.fail(name.text,
                 fmt::format("an array of type {} is not supported", in_quotes(name.text)));
  }
  return {name, parse_width()};
}

Expression Parser::parse_width() {
  if (!lexer_.accept(TokenKind::left_bracket)) return {};
  Expression width = parse_expression();
  lexer_.expect(TokenKind::right_bracket);
  return width;
}

/// Parses a value, which has the operators of OpenQASM 3 in both versions: the assignments that
/// pytket adds to OpenQASM 2 have them, too.
Initializer Parser::parse_initializer(unsigned nesting) {
  if (nesting == 0 && lexer_.current().text == "measure") return {parse_measured()};
  if (!lexer_.at(TokenKind::left_brace) || version_ < 3 || nesting == kMaxListNesting) {
    return {parse_expression(3)};
  }
  List list{lexer_.take(), {}};
  do {
    count_node();
    list.values.push_back(parse_initializer(nesting + 1));
  } while (lexer_.accept(TokenKind::comma));
  lexer_.expect(TokenKind::right_brace);
  return {std::move(list)};
}

// --- gates and subroutines ---

/// Parses `gate name(parameters) qubits { body }`.
void Parser::parse_gate_definition(GateDefinition& definition) {
  lexer_.advance();
  definition.name = lexer_.expect(TokenKind::identifier);
  definition.parameters = parse_formal_parameters();
  definition.qubits = parse_formal_names();
  definition.body.first = lexer_.current();
  parse_braces(definition.body, {"the gate", true});
}

/// Parses `opaque name(parameters) qubits;`.
void Parser::parse_opaque(Opaque& opaque) {
  lexer_.advance();
  opaque.name = lexer_.expect(TokenKind::identifier);
  opaque.parameters = parse_formal_parameters();
  opaque.qubits = parse_formal_names();
  lexer_.expect(TokenKind::semicolon);
}

std::vector<Token> Parser::parse_formal_parameters() {
  if (!lexer_.accept(TokenKind::left_parenthesis)) return {};
  if (lexer_.accept(TokenKind::right_parenthesis)) return {};
  std::vector<Token> names = parse_formal_names();
  lexer_.expect(TokenKind::right_parenthesis);
  return names;
}

std::vector<Token> Parser::parse_formal_names() {
  std::vector<Token> names;
  do {
    count_node();
    names.push_back(lexer_.expect(TokenKind::identifier));
  } while (lexer_.accept(TokenKind::comma));
  return names;
}

/// Parses `def name(qubit[2] q, int n) -> bit { body }`.
void Parser::parse_subroutine(Subroutine& subroutine) {
  subroutine.word = lexer_.take();
  subroutine.name = lexer_.expect(TokenKind::identifier);
  lexer_.expect(TokenKind::left_parenthesis);
  while (!lexer_.accept(TokenKind::right_parenthesis)) {
    if (!subroutine.parameters.empty()) lexer_.expect(TokenKind::comma);
    subroutine.parameters.push_back(parse_parameter());
  }
  if (lexer_.accept(TokenKind::arrow)) {
    const Token type = lexer_.expect(TokenKind::identifier);
    if (!find_cast(type.text)) {
      source_.fail(type.text,
                   fmt::format("a result of type {} is not supported", in_quotes(type.text)));
    }
    subroutine.result = {type, parse_width()};
  }
  if (!lexer_.at(TokenKind::left_brace)) lexer_.fail_expecting("'{'");
  subroutine.body = std::make_shared<const Block>(parse_block({"the subroutine"}));
}

/// Parses `qubit[2] q`, `readonly array[int[8], 2, 2] a` or `mutable array[float, #dim = 1] a`.
Parameter Parser::parse_parameter() {
  Parameter parameter;
  if (lexer_.current().text != "readonly" && lexer_.current().text != "mutable") {
    const Token type = lexer_.expect(TokenKind::identifier);
    if (type.text != "qubit" && !find_cast(type.text)) {
      source_.fail(type.text,
                   fmt::format("a parameter of type {} is not supported", in_quotes(type.text)));
    }
    parameter.type = {type, parse_width()};
    parameter.name = lexer_.expect(TokenKind::identifier);
    return parameter;
  }
  parameter.qualifier = lexer_.take();
  expect_text("array");
  lexer_.expect(TokenKind::left_bracket);
  parameter.type = parse_element_type();
  lexer_.expect(TokenKind::comma);
  if (lexer_.current().text == "#") {
    lexer_.advance();
    expect_text("dim");
    lexer_.expect(TokenKind::assign);
    parameter.dimensions = parse_expression();
  } else {
    do {
      parameter.sizes.push_back(parse_expression());
    } while (lexer_.accept(TokenKind::comma));
  }
  lexer_.expect(TokenKind::right_bracket);
  parameter.name = lexer_.expect(TokenKind::identifier);
  return parameter;
}

/// Parses `extern vote(bit[3], int) -> bit;`.
void Parser::parse_extern(Extern& declaration) {
  declaration.word = lexer_.take();
  declaration.name = lexer_.expect(TokenKind::identifier);
  lexer_.expect(TokenKind::left_parenthesis);
  while (!lexer_.accept(TokenKind::right_parenthesis)) {
    if (!declaration.parameters.empty()) lexer_.expect(TokenKind::comma);
    declaration.parameters.push_back(parse_extern_type());
  }
  if (lexer_.accept(TokenKind::arrow)) declaration.result = parse_extern_type();
  lexer_.expect(TokenKind::semicolon);
}

Type Parser::parse_extern_type() {
  const Token name = lexer_.expect(TokenKind::identifier);
  if (name.text == "duration") return {name, {}};
  if (name.text != "creg" && !find_cast(name.text)) {
    source_.fail(name.text, fmt::format("the type {} of an external function is not supported",
                                        in_quotes(name.text)));
  }
  return {name, parse_width()};
}

}  // namespace quartz::qasm::syntax
