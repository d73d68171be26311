#include "algebra/expression_symbol.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "quartz/base/errors.hpp"

namespace quartz::algebra {
namespace {

constexpr std::size_t kMaxExpression = 4096;

// U+E000 to U+E07F in UTF-8 are EE 80 80 to EE 81 BF: the character c is U+E000 + c.
constexpr unsigned char kLead = 0xEE;

bool is_private(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  return i + 2 < text.size() && byte(i) == kLead && (byte(i + 1) == 0x80 || byte(i + 1) == 0x81);
}

}  // namespace

Angle symbol_of_expression(std::string_view expression) {
  if (expression.size() > kMaxExpression) {
    throw InputError(
        fmt::format("an expression of free parameters with more than {} characters is "
                    "not supported",
                    kMaxExpression));
  }
  std::string name;
  for (const char c : "(" + std::string(expression) + ")") {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || std::isalnum(byte) != 0 || c == '_') {
      name += c;
      continue;
    }
    name += static_cast<char>(kLead);
    name += static_cast<char>(0x80U | (byte >> 6U));
    name += static_cast<char>(0x80U | (byte & 0x3FU));
  }
  return Angle::symbol(std::move(name));
}

std::optional<std::string> expression_of_symbol(std::string_view symbol) {
  if (!is_private(symbol, 0)) return std::nullopt;
  return with_expressions_written_out(symbol);
}

std::string with_expressions_written_out(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_private(text, i)) {
      result += text[i];
      continue;
    }
    const auto high = static_cast<unsigned char>(text[i + 1]) & 0x01U;
    const auto low = static_cast<unsigned char>(text[i + 2]) & 0x3FU;
    result += static_cast<char>((high << 6U) | low);
    i += 2;
  }
  return result;
}

bool has_private_character(std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (is_private(name, i)) return true;
  }
  return false;
}

}  // namespace quartz::algebra
