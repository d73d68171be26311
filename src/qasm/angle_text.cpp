#include "qasm/angle_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "qasm/number.hpp"

namespace quartz::qasm {
namespace {

void append_integer(std::string& text, std::int64_t value) {
  std::array<char, 24> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  text.append(buffer.data(), end);
}

/// "-3*pi/4"
void append_pi_multiple(std::string& text, const Rational& multiple) {
  if (multiple.numerator() == -1) {
    text += "-";
  } else if (multiple.numerator() != 1) {
    append_integer(text, multiple.numerator());
    text += "*";
  }
  text += "pi";
  if (!multiple.is_integer()) {
    text += "/";
    append_integer(text, multiple.denominator());
  }
}

/// "0.25", "-7"; what read_number would not read back as this number, as a fraction.
void append_radians(std::string& text, const Rational& value, unsigned language_version) {
  const std::string decimal = Angle::radians(value).to_string();
  const bool is_negative = value < Rational(0);
  const std::string_view digits = std::string_view(decimal).substr(is_negative ? 1 : 0);
  const bool is_number = digits.find('/') == std::string_view::npos;
  const Rational magnitude = is_negative ? -value : value;
  if (is_number && read_number(digits) == Angle::radians(magnitude)) {
    text += decimal;
    return;
  }
  append_integer(text, value.numerator());
  // OpenQASM 3 would truncate the quotient of two integers.
  if (language_version >= 3) text += "*1.0";
  text += "/";
  append_integer(text, value.denominator());
}

}  // namespace

void append_angle(std::string& text, const Angle& angle, unsigned language_version) {
  const bool has_pi = !angle.pi_part().is_zero();
  const bool has_radians = !angle.radian_part().is_zero();
  const std::size_t start = text.size();
  const auto append_plus = [&](const Rational& next) {
    if (text.size() != start && Rational(0) < next) text += "+";
  };
  if (!angle.terms().empty()) {
    Angle terms = angle;
    terms += -(Angle::pi_times(angle.pi_part()) + Angle::radians(angle.radian_part()));
    text += terms.to_string();
  }
  if (has_pi) {
    append_plus(angle.pi_part());
    append_pi_multiple(text, angle.pi_part());
  }
  if (has_radians) {
    append_plus(angle.radian_part());
    append_radians(text, angle.radian_part(), language_version);
  }
  if (text.size() == start) text += "0";
}

}  // namespace quartz::qasm
