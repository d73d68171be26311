#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "qasm/text/arithmetic.hpp"
#include "qasm/text/lexer.hpp"

/// The syntax tree of OpenQASM 2 and 3: statements and expressions as the program has them. Nothing
/// is known here about what names mean. Tokens and views are places in the source text, which must
/// outlive the tree.
///
/// Blocks, lists and parentheses are nested to a limited depth (see Parser), so that the tree can
/// be walked and destroyed by recursion. Expressions are in postfix order, so that their length is
/// not limited.
///
/// A node that contains expressions, references or blocks lists these members in parts(), for walks
/// over the tree.
namespace quartz::qasm::syntax {

struct Term;
struct Index;
struct Statement;

/// An expression in postfix order; without terms, it is absent.
struct Expression {
  Token first;            ///< its first token
  std::string_view text;  ///< all of it, up to the token after it
  std::vector<Term> terms;
  /// The value if it is one of Parser::use_known_values, which is then all that is parsed.
  const Value* known = nullptr;

  [[nodiscard]] bool is_absent() const { return terms.empty() && known == nullptr; }
};

/// What one pair of brackets selects: `[0, 1:2]`.
struct Selection {
  std::string_view bracket;
  std::vector<Index> items;
};

/// A name with what is selected of it: `q`, `q[0]`, `c[{0, 2}]`, `a[0, 1:2]`, or a physical qubit:
/// `$3`.
struct Reference {
  std::string_view name;  ///< with the `$` of a physical qubit
  /// The number in `q[3]`, directly after its bracket. `selections` is then empty.
  std::string_view number;
  std::vector<Selection> selections;

  [[nodiscard]] bool is_whole() const { return number.empty() && selections.empty(); }
  [[nodiscard]] auto parts() const { return std::tie(selections); }
};

/// An index, a range or a list of indices.
struct Index {
  enum class Kind : std::uint8_t { element, range, list };
  Kind kind = Kind::element;
  std::string_view before;  ///< the bracket or the comma before it
  Token first;              ///< its first token
  /// An element has one value, and a list has those in it. A range `first : step : last` has these
  /// three, which may be absent.
  std::vector<Expression> values;
  bool has_step = false;    ///< whether a range has two colons
  std::string_view middle;  ///< the token after the first colon of a range
};

// --- terms of expressions ---

struct Number {
  Token token;
};

/// `"0110"`.
struct BitString {
  std::string_view text;  ///< with the quotes
};

/// `100ns`.
struct Length {
  std::string_view number;
  std::string_view unit;
};

/// `sin(x)`, or the call of a subroutine or of an external function.
struct FunctionCall {
  std::string_view name;
  std::vector<Expression> arguments;
  std::string_view end;  ///< the ')'

  [[nodiscard]] auto parts() const { return std::tie(arguments); }
};

/// `int[8](x)`.
struct Cast {
  std::string_view name;
  CastType type{};
  std::vector<Expression> operands;  ///< the value and the width, which may be absent

  [[nodiscard]] auto parts() const { return std::tie(operands); }
};

/// A call of a gate in `durationof({ x $0; })`.
struct TimedCall {
  std::string_view name;
  std::vector<Expression> arguments;
  std::vector<Reference> operands;

  [[nodiscard]] auto parts() const { return std::tie(arguments, operands); }
};

struct DurationOf {
  std::string_view name;
  std::string_view brace;
  std::vector<TimedCall> calls;

  [[nodiscard]] auto parts() const { return std::tie(calls); }
};

/// A sign before the operand that precedes it in postfix order.
struct Unary {
  Token sign;
};

struct Binary {
  Token sign;
};

/// Separates the operands of `&&` and `||`, before the terms of the right one.
struct LogicalSeparator {
  std::string_view sign;
};

/// Parentheses around the expression before it. They are kept for what is written as text.
struct Parentheses {};

struct Term {
  template <typename Node>
  explicit Term(Node term) : node(std::in_place_type<Node>, std::move(term)) {}

  std::variant<Number, BitString, Length, Reference, FunctionCall, Cast, DurationOf, Unary, Binary,
               LogicalSeparator, Parentheses>
      node;
};

/// Returns the only term of an expression if it is of this kind; null for all others.
template <typename Kind>
[[nodiscard]] const Kind* sole_term(const Expression& expression) {
  return expression.terms.size() == 1 ? std::get_if<Kind>(&expression.terms.front().node) : nullptr;
}

/// Returns the ',' or ')' after an argument.
[[nodiscard]] inline std::string_view sign_after(const Expression& argument) {
  return {argument.text.data() + argument.text.size(), 1};
}

// --- parts of statements ---

/// Statements in braces, or one statement without them. After an error of syntax in braces, the
/// error takes the place of the other statements: it is one only if the block is executed.
struct Block {
  Token first;
  std::string_view text;  ///< all of it
  std::vector<Statement> statements;
  std::exception_ptr error;
};

/// `measure q` as a value.
struct Measured {
  Token word;
  Reference qubits;

  [[nodiscard]] auto parts() const { return std::tie(qubits); }
};

struct Initializer;

/// `{1, 2}` as the value of an array.
struct List {
  Token brace;
  std::vector<Initializer> values;

  [[nodiscard]] auto parts() const { return std::tie(values); }
};

/// What is assigned.
struct Initializer {
  std::variant<Expression, Measured, List> value;
};

/// `int[8]`; the width may be absent.
struct Type {
  Token name;
  Expression width;

  [[nodiscard]] auto parts() const { return std::tie(width); }
};

/// `ctrl(2) @`; the argument may be absent.
struct Modifier {
  Token word;
  Expression argument;

  [[nodiscard]] auto parts() const { return std::tie(argument); }
};

// --- operations ---

/// `ctrl @ rz(pi) q[0];`, or the call of a subroutine: `f(q, 2);`.
struct Call {
  std::vector<Modifier> modifiers;
  Token name;
  bool has_parentheses = false;
  std::vector<Expression> arguments;
  std::vector<Reference> operands;
  Token next;  ///< the token before which the operands would begin

  [[nodiscard]] auto parts() const { return std::tie(modifiers, arguments, operands); }
};

/// `c[0] = measure q[0];` or `n += 1;`.
struct Assignment {
  Reference target;
  Token next;  ///< the token after the name
  Token sign;
  Initializer value;

  [[nodiscard]] auto parts() const { return std::tie(target, value); }
};

/// `measure q -> c;`; the bits may be absent in OpenQASM 3.
struct Measure {
  Token word;
  Reference qubits;
  std::optional<Reference> bits;

  [[nodiscard]] auto parts() const { return std::tie(qubits, bits); }
};

struct Reset {
  Token word;
  Reference qubits;

  [[nodiscard]] auto parts() const { return std::tie(qubits); }
};

/// `barrier q;`, `delay[100ns] q;` or `nop q;`, which act on a set of qubits.
struct SetOperation {
  Token word;
  Expression duration;
  std::vector<Reference> qubits;  ///< empty for all qubits
  Token next;                     ///< the token before which they would begin

  [[nodiscard]] auto parts() const { return std::tie(duration, qubits); }
};

// --- declarations ---

struct Include {
  Token file;
  const char* end = nullptr;  ///< the end of the statement
};

/// `qreg q[2];`, `creg c[2];`, `qubit[2] q;` or `bit[2] c = "01";`. The size may be absent.
struct RegisterDeclaration {
  bool is_quantum = false;
  Expression size;
  Token name;
  std::optional<Initializer> value;

  [[nodiscard]] auto parts() const { return std::tie(size, value); }
};

/// `qubit $0;`, as in drafts of OpenQASM 3.
struct PhysicalQubit {
  std::string_view name;
};

/// `input float[64] theta;`
struct Input {
  Type type;
  Token name;

  [[nodiscard]] auto parts() const { return std::tie(type); }
};

/// `output bit[2] c;`; the size may be absent.
struct Output {
  Token word;
  Expression size;
  Token name;

  [[nodiscard]] auto parts() const { return std::tie(size); }
};

/// `const int[8] n = 4;`
struct Constant {
  Type type;
  Token name;
  Expression value;

  [[nodiscard]] auto parts() const { return std::tie(type, value); }
};

/// `int[8] n = 4;` or `float x;`
struct Variable {
  Type type;
  Token name;
  Expression value;

  [[nodiscard]] auto parts() const { return std::tie(type, value); }
};

/// `array[int[8], 2, 3] a = {{1, 2, 3}, {4, 5, 6}};`
struct ArrayDeclaration {
  Type type;
  std::vector<Expression> sizes;
  Token name;
  std::optional<Initializer> value;

  [[nodiscard]] auto parts() const { return std::tie(type, sizes, value); }
};

/// `let a = q[0:2] ++ r;`
struct Alias {
  Token name;
  std::vector<Reference> operands;

  [[nodiscard]] auto parts() const { return std::tie(operands); }
};

/// `const duration d = 100ns;` or `stretch s;`
struct DurationDeclaration {
  std::string_view qualifier;  ///< "const ", "input " or nothing
  Token type;
  Token name;
  Expression value;

  [[nodiscard]] auto parts() const { return std::tie(value); }
};

/// `gate name(parameters) qubits { body }`
struct GateDefinition {
  Token name;
  std::vector<Token> parameters;
  std::vector<Token> qubits;
  Block body;
};

struct Opaque {
  Token name;
  std::vector<Token> parameters;
  std::vector<Token> qubits;
};

/// `qubit[2] q`, `int n`, or `readonly array[int, 2, 2] a`.
struct Parameter {
  Token qualifier;  ///< `readonly` or `mutable` before an array; otherwise empty
  Type type;
  std::vector<Expression> sizes;  ///< sizes of an array
  Expression dimensions;          ///< value of `#dim` in place of the sizes
  Token name;

  [[nodiscard]] auto parts() const { return std::tie(type, sizes, dimensions); }
};

/// `def name(parameters) -> type { body }`. Calls outlive the statement.
struct Subroutine {
  Token word;
  Token name;
  std::vector<Parameter> parameters;
  std::optional<Type> result;
  std::shared_ptr<const Block> body;

  [[nodiscard]] auto parts() const { return std::tie(parameters, result); }
};

/// `extern name(types) -> type;`
struct Extern {
  Token word;
  Token name;
  std::vector<Type> parameters;
  std::optional<Type> result;

  [[nodiscard]] auto parts() const { return std::tie(parameters, result); }
};

// --- control flow ---

/// The condition of OpenQASM 2: `c == 1`.
struct Comparison {
  Reference bits;
  Token number;

  [[nodiscard]] auto parts() const { return std::tie(bits); }
};

struct Else {
  Token word;
  Block body;

  [[nodiscard]] auto parts() const { return std::tie(body); }
};

struct If {
  Token word;
  std::variant<Expression, Comparison> condition;
  Block body;
  std::optional<Else> otherwise;

  [[nodiscard]] auto parts() const { return std::tie(condition, body, otherwise); }
};

/// `for int i in [0:3] body`, `for int i in {1, 5} body` or `for int i in a body`.
struct For {
  Token word;
  std::optional<CastType> type;  ///< type of the variable; nothing for bits
  Expression width;              ///< width of that type
  Token name;
  Token first;  ///< the first token of the values
  /// A range has two or three values, as it is written.
  std::vector<Expression> range;
  std::vector<Expression> list;
  Reference array;
  Block body;

  [[nodiscard]] auto parts() const { return std::tie(width, range, list, array, body); }
};

struct While {
  Token word;
  Expression condition;
  Block body;

  [[nodiscard]] auto parts() const { return std::tie(condition, body); }
};

/// `case 0, 1 { ... }`, or `default { ... }`, which has no labels.
struct Case {
  Token word;
  std::vector<Expression> labels;
  Block body;

  [[nodiscard]] auto parts() const { return std::tie(labels, body); }
};

struct Switch {
  Token word;
  Expression value;
  std::vector<Case> cases;

  [[nodiscard]] auto parts() const { return std::tie(value, cases); }
};

/// `break;`, `continue;` or `end;`
struct Jump {
  Token word;
};

/// `return;`, `return measure q;` or `return x;`
struct Return {
  Token word;
  std::optional<Initializer> value;

  [[nodiscard]] auto parts() const { return std::tie(value); }
};

// --- what is kept ---

/// `box[100ns] { ... }`; the duration may be absent.
struct Box {
  std::string lines;  ///< the lines before the box that belong to it
  bool is_verbatim = false;
  Token word;
  Expression duration;
  Block body;

  [[nodiscard]] auto parts() const { return std::tie(duration, body); }
};

struct Pragma {
  Token first;
  std::string text;
  std::string_view operands;  ///< the part that names qubits
};

/// Lines such as `@static`, and the statement after them.
struct Annotated {
  Token first;
  std::string lines;
  std::string_view text;             ///< the statement, up to the first ';'
  std::vector<Statement> statement;  ///< one statement
};

/// Nothing: `;`.
struct Empty {};

struct Statement {
  template <typename... Kinds>
  using NodeOf = std::variant<Empty, Call, SetOperation, std::unique_ptr<Kinds>...>;
  /// Only the operations that large programs consist of are in the statement itself.
  using Node = NodeOf<Assignment, Measure, Reset, Include, RegisterDeclaration, PhysicalQubit,
                      Input, Output, Constant, Variable, ArrayDeclaration, Alias,
                      DurationDeclaration, GateDefinition, Opaque, Subroutine, Extern, If, For,
                      While, Switch, Jump, Return, Block, Box, Pragma, Annotated>;

  Node node;
};

/// Returns the node of a statement if it is of this kind; null for all others.
template <typename Kind>
[[nodiscard]] const Kind* node_of(const Statement& statement) {
  if constexpr (std::is_same_v<Kind, Empty> || std::is_same_v<Kind, Call> ||
                std::is_same_v<Kind, SetOperation>) {
    return std::get_if<Kind>(&statement.node);
  } else {
    const auto* const found = std::get_if<std::unique_ptr<Kind>>(&statement.node);
    return found == nullptr ? nullptr : found->get();
  }
}

}  // namespace quartz::qasm::syntax
