#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "qasm/arithmetic.hpp"
#include "qasm/lexer.hpp"

namespace quartz::qasm {

/// A parameter expression in postfix order, so that neither evaluating nor destroying one recurses.
class Expression {
 public:
  enum class Opcode : std::uint8_t {
    constant,   ///< push constants[index]
    parameter,  ///< push the gate parameter number `index`
    add,
    subtract,
    negate,
    multiply,
    divide,
    truncating_divide,
    power,
    call,  ///< of the Function with the number `index`
  };
  struct Instruction {
    Opcode opcode{};
    std::uint32_t index = 0;
    std::string_view place;  ///< the operator in the source
  };

  void clear();
  void push_constant(Value value, std::string_view place);
  void push(Opcode opcode, std::uint32_t index, std::string_view place);

  /// Of an angle in turns makes it in radians: 2*pi times it; of x/(2*pi) exactly x.
  void turns_to_radians(std::string_view place);
  /// A constant in place of operations on constants, as far as all of it is one.
  void fold_constant(const Source& source, std::string_view place);

  /// The number of operations and operands.
  [[nodiscard]] std::size_t size() const noexcept { return code_.size(); }
  [[nodiscard]] bool uses_parameters() const noexcept { return uses_parameters_; }
  /// The value for these values of the gate parameters. Throws InputError at the operator that
  /// failed; `called_from`, if not empty, is the gate call to name in that message.
  [[nodiscard]] Value evaluate(std::span<const Value> parameters, const Source& source,
                               std::string_view called_from = {}) const;
  /// Whether both are the same operations on the same operands, wherever they stand.
  friend bool operator==(const Expression& a, const Expression& b);

 private:
  [[nodiscard]] bool is_constant(std::size_t at, const Angle& angle) const;

  std::vector<Instruction> code_;
  std::vector<Value> constants_;
  bool uses_parameters_ = false;
};

/// The numbers of names in a list, such as a gate's parameters.
using NameNumbers = std::unordered_map<std::string_view, std::uint32_t>;

/// What names mean in an expression.
struct ExpressionScope {
  unsigned language_version = 2;
  const NameNumbers* gate_parameters = nullptr;
  /// The value of a declared name (a constant, a variable of a loop, a free parameter), or null.
  std::function<const Value*(std::string_view)> find_value;
};

/// Reads an expression from the current token on, into `result` (cleared first).
void parse_expression(Lexer& lexer, const ExpressionScope& scope, Expression& result);

}  // namespace quartz::qasm
