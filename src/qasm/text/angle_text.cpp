#include "qasm/text/angle_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "algebra/expression_symbol.hpp"
#include "algebra/literal.hpp"
#include "qasm/text/number.hpp"
#include "quartz/base/errors.hpp"

namespace quartz::qasm {
namespace {

void append_integer(std::string& text, std::int64_t value) {
  std::array<char, 24> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), end);
}

/// Appends a text such as "-3*pi/4".
void append_multiple(std::string& text, const Rational& multiple, std::string_view unit) {
  if (multiple.numerator() == -1) {
    text += "-";
  } else if (multiple.numerator() != 1) {
    append_integer(text, multiple.numerator());
    text += "*";
  }
  text += unit;
  if (!multiple.is_integer()) {
    text += "/";
    append_integer(text, multiple.denominator());
  }
}

/// Returns the same number with an exponent and with zeros that make it longer than any double.
std::string padded_with_zeros(std::string number) {
  if (number.find('e') == std::string::npos) number += "e0";
  const std::size_t exponent = number.find('e');
  const bool has_point = number.find('.') != std::string::npos;
  number.insert(exponent, (has_point ? "" : ".") + std::string(20, '0'));
  return number;
}

using algebra::is_literal;

/// Returns a free parameter's name, or a literal that read_number does not change.
std::string term_text(const std::string& symbol) {
  if (auto expression = algebra::expression_of_symbol(symbol)) return *std::move(expression);
  if (algebra::is_pi_literal(symbol)) {
    const std::size_t digits = symbol.size() - algebra::kTimesPi.size();
    return term_text(symbol.substr(0, digits)).append(algebra::kTimesPi);
  }
  if (!is_literal(symbol) || read_number(symbol) == Angle::decimal(symbol)) return symbol;
  return padded_with_zeros(symbol);
}

/// Appends a text such as "0.25" or "-7". A number that read_number would not read back exactly is
/// written with extra zeros or as a fraction. Some other tools cannot read fractions of integers
/// with many digits.
void append_radians(std::string& text, const Rational& value) {
  const std::string decimal = Angle::radians(value).to_string();
  const bool is_negative = value < Rational(0);
  const std::string_view digits = std::string_view(decimal).substr(is_negative ? 1 : 0);
  const bool is_number = digits.find('/') == std::string_view::npos;
  const Rational magnitude = is_negative ? -value : value;
  const auto reads_back = [&](std::string_view number) {
    return read_number(number) == Angle::radians(magnitude);
  };
  // Integers are always read back exactly, and so are decimals that cannot mean a multiple of pi.
  if (is_number && (value.is_integer() || !means_pi_multiple(digits))) {
    text += decimal;
    return;
  }
  if (is_number && reads_back(padded_with_zeros(std::string(digits)))) {
    text += padded_with_zeros(decimal);
    return;
  }
  append_integer(text, value.numerator());
  // OpenQASM 3 truncates the quotient of two integers, and mqt-core does so in version 2 as well.
  text += "*1.0/";
  append_integer(text, value.denominator());
}

}  // namespace

void append_angle(std::string& text, const Angle& angle, std::string_view factor) {
  const bool has_pi = !angle.pi_part().is_zero();
  const bool has_radians = !angle.radian_part().is_zero();
  const std::size_t start = text.size();
  // Appends the sign of the next summand and returns its magnitude. A minus needs spaces around it,
  // because mqt-core reads pi/4-0.5 as pi/4 and the number -0.5.
  const auto append_sign = [&](const Rational& next) {
    const bool is_negative = next < Rational(0);
    if (text.size() == start) return next;
    text += is_negative ? " - " : "+";
    return is_negative ? -next : next;
  };
  for (const Angle::Term& term : angle.terms()) {
    const std::string unit = term_text(term.symbol);
    const bool is_parameter = !factor.empty() && !is_literal(term.symbol);
    append_multiple(text, append_sign(term.coefficient),
                    is_parameter ? std::string(factor) + unit : unit);
  }
  if (has_pi) append_multiple(text, append_sign(angle.pi_part()), "pi");
  if (has_radians) append_radians(text, append_sign(angle.radian_part()));
  if (text.size() == start) text += "0";
}

std::string angle_text(const Angle& angle) {
  std::string text;
  append_angle(text, angle);
  return text;
}

void append_turns(std::string& text, const Angle& angle, std::string_view factor) {
  if (angle.is_pi_multiple()) {
    try {
      return append_angle(text, Angle::radians(angle.pi_part() * Rational(1, 2)));
    } catch (const OverflowError&) {
      // Half of a fraction with a denominator near 2^63 overflows; it is written undivided, over
      // 2*pi.
    }
  }
  text += '(';
  append_angle(text, angle, factor);
  text += ")/(2*pi)";
}

}  // namespace quartz::qasm
