#include "program/expression.hpp"

#include <cctype>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace quartz::differential {
namespace {

constexpr long double pi = std::numbers::pi_v<long double>;

/// Returns the multiple of pi that the digits of a double stand for, or the value itself.
long double as_pi_multiple(long double value) {
  // Doubles that were computed as k * pi / d may be two roundings away from the exact number.
  constexpr long double tolerance = 4.5e-16L;
  constexpr int largest_power = 1 << 20;
  for (int d = 1; d <= largest_power; d = d < 64 ? d + 1 : 2 * d) {
    const long double k = std::round(value / pi * d);
    if (k < 1) continue;
    const long double multiple = k * pi / d;
    if (std::abs(multiple - value) <= tolerance * value) return multiple;
  }
  return value;
}

class Evaluator {
 public:
  Evaluator(std::string_view text, const Values& values) : text_(text), values_(values) {}

  long double whole() {
    const long double value = sum();
    skip_space();
    if (position_ != text_.size()) fail();
    return value;
  }

 private:
  [[noreturn]] void fail() const {
    throw std::runtime_error("cannot evaluate '" + std::string(text_) + "'");
  }

  void skip_space() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])))
      ++position_;
  }

  bool take(char c) {
    skip_space();
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  long double sum() {
    long double value = product();
    while (true) {
      if (take('+')) {
        value += product();
      } else if (take('-')) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  long double product() {
    long double value = factor();
    while (true) {
      if (take('*')) {
        value *= factor();
      } else if (take('/')) {
        value /= factor();
      } else {
        return value;
      }
    }
  }

  long double factor() {
    if (take('-')) return -factor();
    if (take('+')) return factor();
    if (take('(')) {
      const long double value = sum();
      if (!take(')')) fail();
      return value;
    }
    skip_space();
    if (position_ >= text_.size()) fail();
    return std::isdigit(static_cast<unsigned char>(text_[position_])) || text_[position_] == '.'
               ? number()
               : variable();
  }

  long double number() {
    const std::string rest(text_.substr(position_));
    std::size_t length = 0;
    const long double value = std::stold(rest, &length);
    position_ += length;
    int digits = 0;
    bool is_integer = true;
    for (const char c : rest.substr(0, rest.substr(0, length).find_first_of("eE"))) {
      if (c == '.') is_integer = false;
      if (std::isdigit(static_cast<unsigned char>(c)) && (digits > 0 || c != '0')) ++digits;
    }
    constexpr int least_digits = 12;
    return is_integer || digits < least_digits ? value : as_pi_multiple(value);
  }

  long double variable() {
    std::size_t end = position_;
    while (end < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '_'))
      ++end;
    const std::string_view name = text_.substr(position_, end - position_);
    position_ = end;
    if (name == "pi") return pi;
    const auto found = values_.find(name);
    if (found == values_.end()) fail();
    return found->second;
  }

  std::string_view text_;
  const Values& values_;
  std::size_t position_ = 0;
};

}  // namespace

long double evaluate(std::string_view expression, const Values& values) {
  return Evaluator(expression, values).whole();
}

}  // namespace quartz::differential
