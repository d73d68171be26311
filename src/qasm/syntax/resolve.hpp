#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "qasm/syntax/tree.hpp"
#include "qasm/text/expression.hpp"
#include "qasm/text/source.hpp"

namespace quartz::qasm {

/// The meanings of names in an expression.
struct ExpressionScope {
  unsigned language_version = 2;
  const NameNumbers* gate_parameters = nullptr;
  /// Returns the value of a declared name (a constant, a loop variable, a free parameter), or null.
  std::function<const Value*(std::string_view)> find_value = {};
  /// Returns the value of classical bits or of an element of an array; nothing for any other name.
  std::function<std::optional<Value>(const syntax::Reference&)> read_reference = {};
  /// Returns the value of a call of a subroutine; nothing for any other name.
  std::function<std::optional<Value>(const syntax::FunctionCall&)> call = {};
  /// Returns how many operations the program has so far, to which calls in an expression add.
  std::function<std::size_t()> count_operations = {};
};

/// Replaces the names in an expression by what they mean, from left to right. `result` is cleared
/// first. Throws InputError for a name that has no value.
void resolve(const syntax::Expression& expression, const ExpressionScope& scope,
             const Source& source, Expression& result);

}  // namespace quartz::qasm
