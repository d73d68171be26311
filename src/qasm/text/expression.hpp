#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "qasm/text/arithmetic.hpp"
#include "qasm/text/source.hpp"

namespace quartz::qasm {

/// An expression whose names have been replaced by values, except those of gate parameters. It is
/// in postfix order, so that neither evaluating nor destroying one recurses.
class Expression {
 public:
  enum class Opcode : std::uint8_t {
    constant,   ///< push constants[index]
    parameter,  ///< push the gate parameter with number `index`
    add,
    subtract,
    negate,
    multiply,
    divide,
    truncating_divide,
    power,
    modulo,
    call,     ///< call the Function with number `index`
    builtin,  ///< call the BuiltinFunction with number `index`
    combine,  ///< apply the BitOperator with number `index`
    element,  ///< the bit of an integer
    cast,     ///< convert to the type casts[index]
  };
  /// A type with its number of bits, 0 if it has none.
  struct Cast {
    CastType type{};
    std::uint64_t width = 0;
    friend bool operator==(const Cast&, const Cast&) = default;
  };
  struct Instruction {
    Opcode opcode{};
    std::uint32_t index = 0;
    std::string_view place;  ///< the operator in the source text
  };

  void clear();
  void push_constant(Value value, std::string_view place);
  void push(Opcode opcode, std::uint32_t index, std::string_view place);
  void push_cast(Cast cast, std::string_view place);

  /// Converts an angle in turns to radians by multiplying by 2*pi; x/(2*pi) becomes exactly x.
  void turns_to_radians(std::string_view place);
  /// Replaces the code by a single constant if it consists of operations on constants only.
  void fold_constant(const Source& source, std::string_view place);

  /// Returns the number of operations and operands.
  [[nodiscard]] std::size_t size() const noexcept { return code_.size(); }
  [[nodiscard]] bool uses_parameters() const noexcept { return uses_parameters_; }
  /// Returns the value for these values of the gate parameters. Throws InputError at the operator
  /// that failed; `called_from`, if not empty, is the gate call to name in that message. The value
  /// may be left open (ValueType::is_open) if `is_assigned`, because the conversion to the type of
  /// a variable can decide it.
  [[nodiscard]] Value evaluate(std::span<const Value> parameters, const Source& source,
                               std::string_view called_from = {}, bool is_assigned = false) const;
  /// Returns whether both are the same operations on the same operands, independently of their
  /// places in the source text.
  friend bool operator==(const Expression& a, const Expression& b);

 private:
  [[nodiscard]] bool is_constant(std::size_t at, const Angle& angle) const;

  std::vector<Instruction> code_;
  std::vector<Value> constants_;
  std::vector<Cast> casts_;
  bool uses_parameters_ = false;
};

/// Numbers of the names in a list, such as a gate's parameters.
using NameNumbers = std::unordered_map<std::string_view, std::uint32_t>;

}  // namespace quartz::qasm
