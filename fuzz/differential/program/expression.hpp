#pragma once

#include <map>
#include <string>
#include <string_view>

namespace quartz::differential {

/// Values of parameters, by name.
using Values = std::map<std::string, long double, std::less<>>;

/// Returns the value of an expression of OpenQASM with + - * / and parentheses. A decimal that is a
/// printed double of a simple multiple of pi means that multiple (docs/formats/openqasm.md). Throws
/// std::runtime_error for anything else.
[[nodiscard]] long double evaluate(std::string_view expression, const Values& values);

}  // namespace quartz::differential
