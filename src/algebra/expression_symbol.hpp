#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "quartz/algebra/angle.hpp"

/// Expressions that are not linear in the free parameters, such as sin(t) or (pi - x)*(pi - y), are
/// symbols of their own: equal expressions are equal symbols, and nothing else is known about them.
/// The name of such a symbol is the text of the expression, with each character that an identifier
/// cannot have replaced by one of Unicode's private use area. It therefore passes through
/// everything that knows free parameters only.
namespace quartz::algebra {

/// Returns the symbol of an expression. Throws InputError, without a location, if the text is too
/// long.
[[nodiscard]] Angle symbol_of_expression(std::string_view expression);

/// Returns the expression that a symbol stands for; nullopt for a free parameter.
[[nodiscard]] std::optional<std::string> expression_of_symbol(std::string_view symbol);

/// Returns a text with the expressions that the symbols in it stand for.
[[nodiscard]] std::string with_expressions_written_out(std::string_view text);

/// Returns whether a name contains a character with which symbol_of_expression replaces others.
[[nodiscard]] bool has_private_character(std::string_view name);

}  // namespace quartz::algebra
